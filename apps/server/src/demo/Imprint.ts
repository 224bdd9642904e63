/**
 * What a demonstration leaves in its data directory, so that the next start finds it again: who it belongs to and where
 * its targets listen. Written when everything in it is made; without it, the directory holds half a demonstration.
 */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import * as EmbeddedNats from "@kanmon/bus/EmbeddedNats"
import { ProjectId } from "@kanmon/domain/Ids"
import { dayMillis, type EpochMillis, Timestamp } from "@kanmon/domain/Timestamp"
import * as EmbeddedPostgres from "@kanmon/store/database/EmbeddedPostgres"
import { Effect, Option, Schema } from "effect"
import { version } from "../version.ts"

/** Grows with every change of what the demonstration holds. */
const edition = 1
/** Its present moves into the past: one that is older than this is made anew. */
const keptMillis = dayMillis

const Port = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 65_535 }))

const Imprint = Schema.Struct({
  version: Schema.Literal(version),
  edition: Schema.Literal(edition),
  madeAt: Timestamp,
  projectId: ProjectId,
  email: Schema.String,
  password: Schema.String,
  ports: Schema.Struct({ http: Port, tcp: Port, dns: Port })
})
export type Imprint = typeof Imprint.Type

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Imprint))
const encode = Schema.encodeSync(Schema.fromJsonString(Imprint))

const fileIn = (directory: string): string => path.join(directory, "demo.json")

/** The imprint of a demonstration that can be shown again. */
export const read = (directory: string, now: EpochMillis): Effect.Effect<Option.Option<Imprint>> =>
  Effect.promise(() => fs.readFile(fileIn(directory), "utf8").catch(() => "")).pipe(
    Effect.map(decode),
    Effect.map(Option.filter(({ madeAt }) => Math.abs(now - madeAt) < keptMillis))
  )

export const write = (directory: string, imprint: Omit<Imprint, "edition" | "version">): Effect.Effect<Imprint> =>
  Effect.promise(async () => {
    const complete = { ...imprint, version, edition } as const
    // It holds the account's password.
    await fs.writeFile(fileIn(directory), encode(complete), { mode: 0o600 })
    return complete
  })

/** Empties a demonstration's directory. The embedded servers' files may lie elsewhere, and a killed start left them running. */
export const wipe = Effect.fnUntraced(function* (directory: string) {
  yield* Effect.promise(() => fs.rm(fileIn(directory), { force: true }))
  yield* EmbeddedPostgres.remove(directory)
  yield* EmbeddedNats.remove(directory)
})
