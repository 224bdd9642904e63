/** `kanmon nats config`: a nats-server with a user for each role. Needs no server, and starts none. */
import * as path from "node:path"
import { ProbeRegion } from "@kanmon/domain/Region"
import { Console, Data, Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import type { ServerOptions } from "../nats/NatsConfiguration.ts"
import * as NatsFolder from "../nats/NatsFolder.ts"

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
    return yield* new BadOption({ message: "--tls-cert and --tls-key: TLS needs both, the certificate and its key" })
  }
  if (tlsClients && Option.isNone(tlsCa)) {
    return yield* new BadOption({ message: "--tls-clients: --tls-ca says who signs the clients' certificates" })
  }
  const tls: ServerOptions["tls"] = {
    cert: path.resolve(tlsCert.value),
    key: path.resolve(tlsKey.value),
    ...(tlsClients ? { clientsCa: path.resolve(Option.getOrThrow(tlsCa)) } : {})
  }
  return { tls }
})

/** A path in an address: readable, and without what has a meaning there. */
const inAddress = (file: string): string => encodeURIComponent(file).replaceAll("%2F", "/")

const config = Command.make(
  "config",
  {
    regions: Flag.String("regions").pipe(Flag.withDescription("The regions of the probes, with commas")),
    output: Flag.String("output").pipe(
      Flag.withAlias("o"),
      Flag.withDescription("The folder to write to; what is in it is kept"),
      Flag.withDefault("nats")
    ),
    listen: Flag.String("listen").pipe(
      Flag.withDescription("host:port on which the server listens"),
      Flag.withDefault("0.0.0.0:4222")
    ),
    address: Flag.String("address").pipe(
      Flag.withDescription("host:port under which the others reach it, for the NATS_URLs that are printed"),
      Flag.withDefault("localhost:4222")
    ),
    storeDir: Flag.String("store-dir").pipe(
      Flag.withDescription("Where the server keeps its files; <output>/jetstream by default"),
      Flag.optional
    ),
    tlsCert: Flag.String("tls-cert").pipe(Flag.withDescription("The server's certificate, in PEM"), Flag.optional),
    tlsKey: Flag.String("tls-key").pipe(Flag.withDescription("Its key"), Flag.optional),
    tlsCa: Flag.String("tls-ca").pipe(
      Flag.withDescription("The root that signed it, unless everybody trusts that anyway"),
      Flag.optional
    ),
    tlsClients: Flag.Boolean("tls-clients").pipe(
      Flag.withDescription("Refuse clients that show no certificate signed by that root"),
      Flag.withDefault(false)
    )
  },
  ({ address, listen, output, regions, storeDir, ...tlsFlags }) =>
    Effect.gen(function* () {
      const labels = yield* regionsOf(regions)
      const { tls } = { tls: undefined, ...(yield* tlsOf(tlsFlags)) }
      const folder = path.resolve(output)
      const written = yield* NatsFolder.write(folder, labels, {
        listen,
        storeDirectory: path.resolve(Option.getOrElse(storeDir, () => path.join(folder, "jetstream"))),
        ...(tls === undefined ? {} : { tls })
      })
      const parameters = [
        ...Option.match(tlsFlags.tlsCa, {
          onNone: () => [],
          onSome: (ca) => [`tls_ca=${inAddress(path.resolve(ca))}`]
        }),
        ...(tlsFlags.tlsClients ? ["tls_cert=CERT", "tls_key=KEY"] : [])
      ]
      const urlOf = (file: string) =>
        `${tls === undefined ? "nats" : "tls"}://${address}?${[`nkey=${inAddress(file)}`, ...parameters].join("&")}`
      yield* Console.log(told(written, urlOf))
    })
).pipe(
  Command.withDescription("Writes a nats-server configuration with a user for each role, and the users' keys"),
  Command.withExamples([
    { command: "kanmon nats config --regions eu-west,us-east", description: "Into the folder nats" },
    {
      command: "kanmon nats config --regions ap-south -o nats",
      description: "One region more; the keys of before stay as they are"
    }
  ])
)

const told = ({ keys, roles, server }: NatsFolder.Written, urlOf: (file: string) => string): string => {
  const made = keys.filter((key) => key.made).length
  return [
    `${roles.file} ${roles.changed ? "written" : "is as it was"}: ${made} keys made, ${keys.length - made} kept.`,
    server.kept
      ? `${server.file} is yours and was left alone; remove it to have it written anew.`
      : `${server.file} written.`,
    "",
    `  nats-server -c ${server.file}`,
    "",
    "A server that runs already takes it over with nats-server --signal reload. Each process needs the key of its own role:",
    "",
    ...keys.map(({ file, user }) => `  ${user.padEnd(20)}NATS_URL='${urlOf(file)}'`),
    "",
    "centre is for the api and the engine in one process, subscriber for whoever listens to events."
  ].join("\n")
}

export const nats = Command.make("nats").pipe(
  Command.withDescription("For the bus, when it runs apart"),
  Command.withSubcommands([config])
)
