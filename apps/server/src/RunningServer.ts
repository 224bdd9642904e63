/**
 * A file in the data directory that describes the running server, for commands on the same machine: its address and its
 * settings. The values of settings are keyed hashes: they can be compared, not read.
 */
import { createHmac } from "node:crypto"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { Effect, Layer, Option, Redacted, Schema } from "effect"
import { DataDirectory, isAlive } from "./DataDirectory.ts"
import { environment, Settings } from "./Settings.ts"
import { version } from "@kanmon/platform/version"

const RunningServer = Schema.Struct({
  pid: Schema.Int,
  version: Schema.String,
  /** Serves `/api/v1/health`; null if the process listens on no port. */
  address: Schema.NullOr(Schema.String),
  settings: Schema.Record(Schema.String, Schema.String)
})
export type RunningServer = typeof RunningServer.Type

const fileIn = (directory: string): string => path.join(directory, "running.json")
const decode = Schema.decodeUnknownOption(Schema.fromJsonString(RunningServer))

const ours = /^(?:KANMON|DATABASE|NATS|OTEL|SMTP|STRIPE|TWILIO|ACME|RDAP)_/

/** The settings of this process's environment, as keyed hashes. */
const fingerprints = (secret: Redacted.Redacted): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(environment()).flatMap(([name, value]) =>
      ours.test(name) && value !== undefined
        ? [
            [
              name,
              createHmac("sha256", Redacted.value(secret)).update(`${name}=${value}`).digest("base64url").slice(0, 16)
            ]
          ]
        : []
    )
  )

/** Writes the file, and removes it when the scope closes. */
export const announced: Layer.Layer<never, never, DataDirectory | Settings> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { path: directory, secret } = yield* DataDirectory
    const { host, metricsPort, port, roles } = yield* Settings
    const listens = roles.includes("api") ? Option.some(port) : metricsPort
    const running: RunningServer = {
      pid: process.pid,
      version,
      address: Option.match(listens, { onNone: () => null, onSome: (at) => `http://${reachable(host)}:${at}` }),
      settings: fingerprints(secret)
    }
    // The file is optional, so failures to write it are ignored.
    yield* Effect.acquireRelease(
      Effect.promise(() => fs.writeFile(fileIn(directory), JSON.stringify(running), { mode: 0o600 }).catch(() => {})),
      () => Effect.promise(() => fs.rm(fileIn(directory), { force: true }).catch(() => {}))
    )
  })
)

const reachable = (host: string): string =>
  host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "[::1]" : host.includes(":") ? `[${host}]` : host

/** The server that runs from this data directory; undefined if there is none. */
export const find: Effect.Effect<RunningServer | undefined, never, DataDirectory> = Effect.gen(function* () {
  const { path: directory } = yield* DataDirectory
  const text = yield* Effect.promise(() => fs.readFile(fileIn(directory), "utf8").catch(() => ""))
  const running = Option.getOrUndefined(decode(text))
  return running !== undefined && (yield* isAlive(running.pid)) ? running : undefined
})

/** The sorted names of settings that differ from those of the running server. */
export const differences = ({ settings }: RunningServer): Effect.Effect<ReadonlyArray<string>, never, DataDirectory> =>
  Effect.map(DataDirectory, ({ secret }) => {
    const own = fingerprints(secret)
    return [...new Set([...Object.keys(own), ...Object.keys(settings)])]
      .filter((name) => own[name] !== settings[name])
      .sort()
  })
