/**
 * The output of `serve` when it is ready: its address, its database and bus, and the next step of the setup, if any.
 */
import { basePath } from "@kanmon/protocol/BasePath"

export interface Ready {
  readonly version: string
  readonly roles: ReadonlyArray<string>
  readonly region: string
  readonly baseUrl: string
  readonly database: string
  readonly bus: string
  /** How subscribers on this machine reach the embedded NATS server. */
  readonly localAccess: { readonly address: string; readonly tokenFile: string } | undefined
  /** `NATS_URL` is not set. */
  readonly ownBus: boolean
  readonly signUp: "open" | "closed"
  readonly hasAccounts: boolean
  readonly hasChannels: boolean
  /** With it the first account becomes an administrator. */
  readonly setupCode: string | undefined
  /** How many addresses KANMON_ADMIN_EMAILS names. */
  readonly namedAdmins: number
  /** Those with an account that are not administrators, because their address is not verified. */
  readonly unprovenAdmins: ReadonlyArray<string>
  /** The operator has set up mail. */
  readonly sendsMail: boolean
  /** Plans are sold, but the payment provider's webhook is not set up. */
  readonly webhooksDisabled: boolean
}

/** The lines, without the empty ones around them. */
export const lines = (ready: Ready): ReadonlyArray<string> => {
  const { baseUrl, bus, database, localAccess, region, roles, version } = ready
  const api = roles.includes("api")
  const row = (what: string, words: string): string => `  ${what.padEnd(10)}${words}`
  return [
    `  Kanmon ${version} (${roles.join(", ")}${roles.includes("probe") ? ` in ${region}` : ""})`,
    ...(api ? [row("open", `${baseUrl} in a browser`)] : []),
    row("database", database),
    row("bus", bus),
    ...(localAccess === undefined
      ? []
      : [row("", `NATS_URL=${localAccess.address} NATS_TOKEN=$(cat ${quoted(localAccess.tokenFile)})`)]),
    ...(ready.ownBus && roles.length < 3 ? ["  NATS_URL is not set: no other process can join this one."] : []),
    ...(api ? [row("docs", `${baseUrl}${basePath}/docs`)] : []),
    ...paragraph(api ? nextSteps(ready) : [])
  ]
}

/** The same as JSON lines in the shape of the log, for a program that reads them; at every log level, because they have the setup code. */
export const jsonLines = (text: ReadonlyArray<string>, timestamp: string): ReadonlyArray<string> =>
  text
    .map((line) => line.trim().replaceAll(/ +/g, " "))
    .filter((message) => message !== "")
    .map((message) => JSON.stringify({ message, level: "INFO", timestamp, annotations: {}, spans: {} }))

const nextSteps = ({ hasAccounts, hasChannels, signUp, webhooksDisabled, ...ready }: Ready): ReadonlyArray<string> => [
  ...(hasAccounts
    ? hasChannels
      ? []
      : ["  No channel exists yet, so outages send no notifications. docs/guide/alerts.md adds one."]
    : signUp === "open"
      ? [
          "  Next: open the address above and create your account.",
          ...(ready.setupCode === undefined
            ? []
            : [
                `  The first account becomes the administrator on this machine, or with the setup code ${ready.setupCode}.`
              ])
        ]
      : ["  There is no account, and sign-up is closed. Start once with KANMON_SIGNUP=open to create one."]),
  ...adminSteps(ready),
  ...(webhooksDisabled ? ["  Stripe webhooks are disabled: STRIPE_WEBHOOK_SECRET is not set."] : [])
]

/** How the accounts in KANMON_ADMIN_EMAILS become admins. */
const adminSteps = ({
  namedAdmins,
  sendsMail,
  unprovenAdmins
}: Pick<Ready, "namedAdmins" | "sendsMail" | "unprovenAdmins">): ReadonlyArray<string> => {
  if (unprovenAdmins.length > 0) {
    const what = sendsMail ? "follow the link in its mail, or run" : "run"
    return unprovenAdmins.map(
      (email) => `  ${email} is not an admin, because its address is not verified: ${what} kanmon admin grant ${email}.`
    )
  }
  return namedAdmins > 0 && !sendsMail
    ? [
        "  KANMON_ADMIN_EMAILS needs mail (SMTP_URL, SMTP_FROM). Without it: sign up, then run kanmon admin grant <email>."
      ]
    : []
}

const paragraph = (text: ReadonlyArray<string>): ReadonlyArray<string> => (text.length === 0 ? [] : ["", ...text])

/** Quotes a path for a shell. */
const quoted = (file: string): string =>
  /^[\w./-]+$/.test(file) ? file : `'${file.replaceAll("'", String.raw`'\''`)}'`
