/**
 * How clients reach the server of a folder that `kanmon nats config` writes. It is kept beside the configuration, so that adding a
 * region prints the same addresses.
 */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { Data, Effect, Schema } from "effect"

export const Clients = Schema.Struct({
  /** `host:port`. */
  address: Schema.String,
  tls: Schema.Boolean,
  /** The file of the root certificate, unless it is a public one. */
  ca: Schema.optionalKey(Schema.String),
  /** Whether clients present certificates. */
  certificates: Schema.optionalKey(Schema.Boolean)
})
export type Clients = typeof Clients.Type

/** The file cannot be used; the message names it and what to do. */
class NatsClientsUnusable extends Data.TaggedError("NatsClientsUnusable")<{ readonly message: string }> {}

const fileIn = (folder: string): string => path.join(folder, "clients.json")

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Clients))

/** Undefined if the folder is new, or of an earlier release. */
export const read = Effect.fnUntraced(function* (folder: string) {
  const text = yield* Effect.promise(() => fs.readFile(fileIn(folder), "utf8").catch(() => undefined))
  if (text === undefined) return undefined
  return yield* Effect.mapError(
    decode(text),
    () =>
      new NatsClientsUnusable({
        message: `${fileIn(folder)} is not what kanmon nats config wrote; remove it, and name --address again`
      })
  )
})

export const write = (folder: string, clients: Clients) =>
  Effect.tryPromise({
    try: () => fs.writeFile(fileIn(folder), `${JSON.stringify(clients, null, 2)}\n`),
    catch: (cause) =>
      new NatsClientsUnusable({ message: `${fileIn(folder)} cannot be written: ${(cause as Error).message}` })
  })
