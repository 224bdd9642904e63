/** `kanmon nats config`: a nats-server with a user for each role. Needs no server, and starts none. */
import { counted } from "@kanmon/domain/Counted"
import * as path from "node:path"
import { ProbeRegion } from "@kanmon/domain/Region"
import { Console, Data, Effect, Option, Redacted, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import type { ServerOptions } from "@kanmon/bus/config/NatsConfiguration"
import * as NatsClients from "@kanmon/bus/config/NatsClients"
import * as NatsFolder from "@kanmon/bus/config/NatsFolder"

/** An option that cannot be used; the message names it. */
class BadOption extends Data.TaggedError("BadOption")<{ readonly message: string }> {}

const isRegion = Schema.is(ProbeRegion)

const regionsOf = Effect.fnUntraced(function* (text: string) {
  const labels = text.split(",").flatMap((label) => label.trim() || [])
  const wrong = labels.find((label) => !isRegion(label))
  if (labels.length === 0 || wrong !== undefined) {
    const found = wrong === undefined ? "there is none" : `${wrong} is not allowed`
    return yield* new BadOption({ message: `--regions: expected labels such as eu-west, with commas; ${found}` })
  }
  return labels
})

interface TlsFlags {
  readonly tlsCert: Option.Option<string>
  readonly tlsKey: Option.Option<string>
  readonly tlsCa: Option.Option<string>
  readonly tlsClients: boolean
}

const tlsOf = Effect.fnUntraced(function* ({ tlsCa, tlsCert, tlsClients, tlsKey }: TlsFlags) {
  if (Option.isNone(tlsCert) && Option.isNone(tlsKey) && Option.isNone(tlsCa) && !tlsClients) return {}
  if (Option.isNone(tlsCert) || Option.isNone(tlsKey)) {
    return yield* new BadOption({ message: "TLS needs both --tls-cert and --tls-key" })
  }
  if (tlsClients && Option.isNone(tlsCa)) {
    return yield* new BadOption({
      message: "--tls-clients needs --tls-ca, the root that signs the clients' certificates"
    })
  }
  const tls: ServerOptions["tls"] = {
    cert: path.resolve(tlsCert.value),
    key: path.resolve(tlsKey.value),
    ...(tlsClients ? { clientsCa: path.resolve(Option.getOrThrow(tlsCa)) } : {})
  }
  return { tls }
})

/** How clients reach the server: as the flags say, and otherwise as the last time. */
const clientsOf = (
  address: string | undefined,
  tls: boolean,
  { tlsCa, tlsClients }: TlsFlags,
  before: NatsClients.Clients | undefined
): NatsClients.Clients => {
  const security = tls
    ? {
        tls,
        ...Option.match(tlsCa, { onNone: () => ({}), onSome: (ca) => ({ ca: path.resolve(ca) }) }),
        certificates: tlsClients
      }
    : (before ?? { tls })
  return { ...security, address: address ?? before?.address ?? "localhost:4222" }
}

const isLoopback = (address: string): boolean => /^(localhost|127\.[\d.]+|\[::1\])(:\d+)?$/.test(address)

/** The risk of a server without TLS: others on the network can read and change messages, or cannot reach it. */
const unencrypted = (listen: string, address: string): string | undefined => {
  if (!isLoopback(listen))
    return `The server listens on ${listen} without TLS: anybody on the way reads and changes messages. Give --tls-cert and --tls-key.`
  return isLoopback(address)
    ? undefined
    : `The server listens on ${listen} alone, so ${address} leads nowhere: give --tls-cert and --tls-key, or --listen for a network that you trust.`
}

/** A path as a query parameter of a URL, with readable slashes. */
const inAddress = (file: string): string => encodeURIComponent(file).replaceAll("%2F", "/")

const config = Command.make(
  "config",
  {
    regions: Flag.String("regions").pipe(Flag.withDescription("The regions of the probes, separated by commas")),
    output: Flag.String("output").pipe(
      Flag.withAlias("o"),
      Flag.withDescription("The folder to write to; existing keys are kept"),
      Flag.withDefault("nats")
    ),
    listen: Flag.String("listen").pipe(
      Flag.withDescription(
        "host:port on which the server listens; default: 0.0.0.0:4222 with TLS, 127.0.0.1:4222 without"
      ),
      Flag.optional
    ),
    address: Flag.String("address").pipe(
      Flag.withDescription(
        "host:port at which clients reach the server, for the printed NATS_URLs; default: the one of the last time, or localhost:4222"
      ),
      Flag.optional
    ),
    storeDir: Flag.String("store-dir").pipe(
      Flag.withDescription("The server's data directory; default: <output>/jetstream"),
      Flag.optional
    ),
    tlsCert: Flag.String("tls-cert").pipe(Flag.withDescription("The server's certificate, in PEM"), Flag.optional),
    tlsKey: Flag.String("tls-key").pipe(Flag.withDescription("The key of the certificate, in PEM"), Flag.optional),
    tlsCa: Flag.String("tls-ca").pipe(
      Flag.withDescription("The root certificate that signed it, unless it is a public one"),
      Flag.optional
    ),
    env: Flag.Boolean("env").pipe(
      Flag.withDescription(
        "Print only a line NATS_URL_<USER>=… for each user, with the key itself in it, for a file of settings"
      ),
      Flag.withDefault(false)
    ),
    tlsClients: Flag.Boolean("tls-clients").pipe(
      Flag.withDescription("Refuse clients without a certificate signed by that root"),
      Flag.withDefault(false)
    )
  },
  ({ address, env, listen, output, regions, storeDir, ...tlsFlags }) =>
    Effect.gen(function* () {
      const labels = yield* regionsOf(regions)
      const { tls } = { tls: undefined, ...(yield* tlsOf(tlsFlags)) }
      const listening = Option.getOrElse(listen, () => (tls === undefined ? "127.0.0.1:4222" : "0.0.0.0:4222"))
      const folder = path.resolve(output)
      const clients = clientsOf(
        Option.getOrUndefined(address),
        tls !== undefined,
        tlsFlags,
        yield* NatsClients.read(folder)
      )
      const written = yield* NatsFolder.write(folder, labels, {
        listen: listening,
        storeDirectory: path.resolve(Option.getOrElse(storeDir, () => path.join(folder, "jetstream"))),
        ...(tls === undefined ? {} : { tls })
      })
      yield* NatsClients.write(folder, clients)
      const parameters = [
        ...(clients.ca === undefined ? [] : [`tls_ca=${inAddress(clients.ca)}`]),
        ...(clients.certificates === true ? ["tls_cert=CERT", "tls_key=KEY"] : [])
      ]
      const urlOf = (key: string) =>
        `${clients.tls ? "tls" : "nats"}://${clients.address}?${[`nkey=${inAddress(key)}`, ...parameters].join("&")}`
      yield* Console.log(env ? settings(written, urlOf) : told(written, urlOf))
      const warning = written.server.kept || tls !== undefined ? undefined : unencrypted(listening, clients.address)
      if (warning !== undefined) yield* Console.error(warning)
    })
).pipe(
  Command.withDescription("Writes a nats-server configuration with a user for each role, and the users' keys"),
  Command.withExamples([
    { command: "kanmon nats config --regions eu-west,us-east", description: "Writes to the folder nats" },
    {
      command: "kanmon nats config --regions ap-south -o nats",
      description: "Adds a region and keeps the existing keys"
    }
  ])
)

/** The lines for a file of settings. Containers have one user for files of several roles: a setting reaches only its own. */
const settings = ({ keys }: NatsFolder.Written, urlOf: (key: string) => string): string =>
  keys
    .map(({ seed, user }) => `NATS_URL_${user.toUpperCase().replaceAll("-", "_")}=${urlOf(Redacted.value(seed))}`)
    .join("\n")

const told = ({ keys, roles, server }: NatsFolder.Written, urlOf: (file: string) => string): string => {
  const made = keys.filter((key) => key.made).length
  return [
    `${roles.file} ${roles.changed ? "written" : "is as it was"}: ${counted(made, "key")} created, ${keys.length - made} kept.`,
    server.kept ? `${server.file} exists and was kept; remove it to have it written again.` : `${server.file} written.`,
    "",
    `  nats-server -c ${server.file}`,
    "",
    "A running server applies it with nats-server --signal reload. Each process needs the key of its own role:",
    "",
    ...keys.map(({ file, user }) => `  ${user.padEnd(20)}NATS_URL='${urlOf(file)}'`),
    "",
    "The keys are secret; a .gitignore beside them keeps them out of version control.",
    "control-plane is for the api and the engine in one process, subscriber for consumers of events."
  ].join("\n")
}

export const nats = Command.make("nats").pipe(
  Command.withDescription("Configures a separate NATS server"),
  Command.withSubcommands([config])
)
