/**
 * The configuration of a nats-server with a user for each role. Probes and subscribers live in accounts of their own, because
 * subjects alone do not hold them: within one account anybody has the server send its answers wherever he likes, events and
 * other regions' specs included. Between accounts only what is written here passes.
 */
import { inboxOf } from "@kanmon/bus/NatsKey"
import * as NatsRoles from "./NatsRoles.ts"

export interface ServerOptions {
  /** `host:port` on which it listens. */
  readonly listen: string
  /** Where JetStream keeps its files. */
  readonly storeDirectory: string
  readonly tls?: {
    readonly cert: string
    readonly key: string
    /** Roots; clients must show a certificate that one of them signed. */
    readonly clientsCa?: string
  }
}

/** The users there are for these regions, by the names of their roles. */
export const users = (regions: ReadonlyArray<string>): ReadonlyArray<string> => [
  "api",
  "engine",
  "centre",
  ...regions.map(probeUser),
  "subscriber"
]

const probeUser = (region: string): string => `probe-${region}`

/** What is the operator's to change: where it listens, TLS, where it keeps its files. */
export const server = ({ listen, storeDirectory, tls }: ServerOptions): string =>
  `# A nats-server for Kanmon. Written once by kanmon nats config; from then on it is yours to change.
listen: ${quoted(listen)}
server_name: "kanmon"
jetstream { store_dir: ${quoted(storeDirectory)} }
max_payload: 1MB
write_deadline: "10s"
${tls === undefined ? "" : tlsBlock(tls)}
# Who may come, and what they may do.
include "./roles.conf"
`

const tlsBlock = ({ cert, clientsCa, key }: NonNullable<ServerOptions["tls"]>): string =>
  [
    "tls {",
    `  cert_file: ${quoted(cert)}`,
    `  key_file: ${quoted(key)}`,
    ...(clientsCa === undefined ? [] : [`  ca_file: ${quoted(clientsCa)}`, "  verify: true"]),
    "}",
    ""
  ].join("\n")

const home = "KANMON"

/** An account beside ours, and what passes between the two. */
interface Outsider {
  readonly account: string
  readonly user: string
  readonly rights: NatsRoles.Rights
  /** Subjects whose messages are carried over to it. */
  readonly receives: ReadonlyArray<string>
  /** Requests that it answers. */
  readonly serves: ReadonlyArray<string>
  /** Where answers to its own requests arrive. */
  readonly inbox: string
}

/** `keys` holds the public key of each of the regions' `users`. */
export const roles = (regions: ReadonlyArray<string>, keys: Readonly<Record<string, string>>): string => {
  const outsiders: ReadonlyArray<Outsider> = [
    ...regions.map((region): Outsider => {
      const user = probeUser(region)
      const rights = NatsRoles.probe(region)
      const inbox = `${inboxOf(keys[user]!)}.>`
      // Buckets push into the inbox, so that it is carried over; what it serves is not.
      return { account: `PROBES-${region}`, user, rights, receives: [inbox], serves: rights.hear, inbox }
    }),
    {
      account: "SUBSCRIBERS",
      user: "subscriber",
      rights: NatsRoles.subscriber,
      receives: NatsRoles.subscriber.hear,
      serves: [],
      // Nobody else is in this account, so that any client may keep its habits.
      inbox: "_INBOX.>"
    }
  ]
  const insiders: ReadonlyArray<readonly [user: string, rights: NatsRoles.Rights]> = [
    ["api", NatsRoles.api(regions)],
    ["engine", NatsRoles.engine(regions)],
    ["centre", NatsRoles.centre(regions)]
  ]
  return [
    "# Who may come to the bus, and what they may do there. Written by kanmon nats config: run that again instead of editing.",
    "# Keys are public here; the secret halves are in keys/, each for one role's processes alone.",
    "accounts {",
    `  ${quoted(home)} {`,
    "    jetstream: enabled",
    ...list(
      "users",
      insiders.map(([user, rights]) => userOf(user, keys[user]!, rights, `${inboxOf(keys[user]!)}.>`))
    ),
    ...list("exports", outsiders.flatMap(exportsTo)),
    ...list(
      "imports",
      outsiders.flatMap(({ account, serves }) => serves.map((subject) => imported("service", account, subject)))
    ),
    "  }",
    ...outsiders.flatMap((outsider) => [
      `  ${quoted(outsider.account)} {`,
      ...list("users", [userOf(outsider.user, keys[outsider.user]!, outsider.rights, outsider.inbox)]),
      ...list(
        "exports",
        outsider.serves.map((subject) => exported("service", subject, home))
      ),
      ...list("imports", [
        ...outsider.rights.publish.map((subject) => imported("service", home, subject)),
        ...outsider.receives.map((subject) => imported("stream", home, subject))
      ]),
      "  }"
    ]),
    "}",
    ""
  ].join("\n")
}

const quoted = (text: string): string => JSON.stringify(text)

const list = (name: string, items: ReadonlyArray<string>): ReadonlyArray<string> =>
  items.length === 0 ? [] : [`    ${name}: [`, ...items.map((item) => `      ${item}`), "    ]"]

const allow = (subjects: ReadonlyArray<string>): string => `{ allow: [${subjects.map(quoted).join(", ")}] }`

const userOf = (name: string, key: string, { answers, hear, publish }: NatsRoles.Rights, inbox: string): string =>
  [
    `# ${name}`,
    `{ nkey: ${quoted(key)}, permissions: {`,
    `  publish: ${allow(publish)}`,
    `  subscribe: ${allow([inbox, ...hear])}`,
    // A check that somebody waits for may take two minutes.
    ...(answers === true ? [`  allow_responses: { max: 1, expires: "5m" }`] : []),
    "} }"
  ].join("\n      ")

type Kind = "service" | "stream"

const exportsTo = ({ account, receives, rights }: Outsider): ReadonlyArray<string> => [
  ...rights.publish.map((subject) => exported("service", subject, account)),
  ...receives.map((subject) => exported("stream", subject, account))
]

const exported = (kind: Kind, subject: string, account: string): string =>
  `{ ${kind}: ${quoted(subject)}, accounts: [${quoted(account)}]${manyAnswers.test(subject) ? ", response_type: Stream" : ""} }`

/** Who asks a consumer for messages gets many. */
const manyAnswers = /^\$JS\.API\.CONSUMER\.MSG\.NEXT\./

const imported = (kind: Kind, account: string, subject: string): string =>
  `{ ${kind}: { account: ${quoted(account)}, subject: ${quoted(subject)} } }`
