/**
 * The configuration of a nats-server with a user for each role. Probes and subscribers have separate accounts, because subject
 * permissions are not enough: within one account a client can direct the server's replies to any subject, including events and
 * other regions' specs. Only the exports and imports written here pass between accounts.
 */
import { inboxOf } from "../NatsKey.ts"
import * as NatsRoles from "./NatsRoles.ts"

export interface ServerOptions {
  /** `host:port` to listen on. */
  readonly listen: string
  /** The directory of JetStream's files. */
  readonly storeDirectory: string
  readonly tls?: {
    readonly cert: string
    readonly key: string
    /** Root certificates; clients must present a certificate signed by one of them. */
    readonly clientsCa?: string
  }
}

/** The users for these regions, named after their roles. */
export const users = (regions: ReadonlyArray<string>): ReadonlyArray<string> => [
  "api",
  "engine",
  "control-plane",
  ...regions.map(probeUser),
  "subscriber"
]

const probeUser = (region: string): string => `probe-${region}`

/** The part that operators may edit: address, TLS and storage directory. */
export const server = ({ listen, storeDirectory, tls }: ServerOptions): string =>
  `# A nats-server for Kanmon. Written once by kanmon nats config; you may edit it.
listen: ${quoted(listen)}
server_name: "kanmon"
jetstream { store_dir: ${quoted(storeDirectory)} }
max_payload: 1MB
write_deadline: "10s"
${tls === undefined ? "" : tlsBlock(tls)}
# Users and their permissions.
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

/** A separate account, and what passes between it and the main account. */
interface Outsider {
  readonly account: string
  readonly user: string
  readonly rights: NatsRoles.Rights
  /** Subjects that are exported to it. */
  readonly receives: ReadonlyArray<string>
  /** Requests that it answers. */
  readonly serves: ReadonlyArray<string>
  /** The inbox for replies to its requests. */
  readonly inbox: string
}

/** `keys` holds the public key of each user. */
export const roles = (regions: ReadonlyArray<string>, keys: Readonly<Record<string, string>>): string => {
  const outsiders: ReadonlyArray<Outsider> = [
    ...regions.map((region): Outsider => {
      const user = probeUser(region)
      const rights = NatsRoles.probe(region)
      const inbox = `${inboxOf(keys[user]!)}.>`
      // Buckets push into the inbox, so it is imported; the subjects it serves are exported instead.
      return { account: `PROBES-${region}`, user, rights, receives: [inbox], serves: rights.hear, inbox }
    }),
    {
      account: "SUBSCRIBERS",
      user: "subscriber",
      rights: NatsRoles.subscriber,
      receives: NatsRoles.subscriber.hear,
      serves: [],
      // It is alone in this account, so any client may use the default inbox.
      inbox: "_INBOX.>"
    }
  ]
  const insiders: ReadonlyArray<readonly [user: string, rights: NatsRoles.Rights]> = [
    ["api", NatsRoles.api(regions)],
    ["engine", NatsRoles.engine(regions)],
    ["control-plane", NatsRoles.controlPlane(regions)]
  ]
  return [
    "# The users of the bus and their permissions. Written by kanmon nats config: run it again instead of editing.",
    "# These are public keys; the private keys are in keys/, one for the processes of each role.",
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
    // A requested check may take two minutes.
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

/** A consumer answers one request with many messages. */
const manyAnswers = /^\$JS\.API\.CONSUMER\.MSG\.NEXT\./

const imported = (kind: Kind, account: string, subject: string): string =>
  `{ ${kind}: { account: ${quoted(account)}, subject: ${quoted(subject)} } }`
