/**
 * A file in the demo's data directory with its account and the ports of its targets, so that the next start can reuse it.
 * Written last: without it, the directory is incomplete and is created again.
 */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import * as EmbeddedNats from "@kanmon/bus/EmbeddedNats"
import { EscalationPolicyId, ProjectId } from "@kanmon/domain/Ids"
import { dayMillis, type EpochMillis, Timestamp } from "@kanmon/domain/Timestamp"
import * as EmbeddedPostgres from "@kanmon/platform/database/EmbeddedPostgres"
import { Effect, Option, Schema } from "effect"
import { version } from "@kanmon/platform/version"

/** Increase it when the content of the demo changes. */
const edition = 3
/** The demo is created again when it is older than this, because its current incidents would be in the past. */
const keptMillis = dayMillis

const Port = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 65_535 }))

const DemoManifest = Schema.Struct({
  version: Schema.Literal(version),
  edition: Schema.Literal(edition),
  madeAt: Timestamp,
  projectId: ProjectId,
  policyId: EscalationPolicyId,
  email: Schema.String,
  password: Schema.String,
  ports: Schema.Struct({ http: Port, tcp: Port, dns: Port })
})
export type DemoManifest = typeof DemoManifest.Type

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(DemoManifest))
const encode = Schema.encodeSync(Schema.fromJsonString(DemoManifest))

const fileIn = (directory: string): string => path.join(directory, "demo.json")

/** The manifest, if the demo can be reused. */
export const read = (directory: string, now: EpochMillis): Effect.Effect<Option.Option<DemoManifest>> =>
  Effect.promise(() => fs.readFile(fileIn(directory), "utf8").catch(() => "")).pipe(
    Effect.map(decode),
    Effect.map(Option.filter(({ madeAt }) => Math.abs(now - madeAt) < keptMillis))
  )

export const write = (
  directory: string,
  manifest: Omit<DemoManifest, "edition" | "version">
): Effect.Effect<DemoManifest> =>
  Effect.promise(async () => {
    const complete = { ...manifest, version, edition } as const
    // Readable by the owner only: it contains the account's password.
    await fs.writeFile(fileIn(directory), encode(complete), { mode: 0o600 })
    return complete
  })

/** Removes the demo's data. The embedded servers remove their own files, and stop if an earlier start left them running. */
export const wipe = Effect.fnUntraced(function* (directory: string) {
  yield* Effect.promise(() => fs.rm(fileIn(directory), { force: true }))
  yield* EmbeddedPostgres.remove(directory)
  yield* EmbeddedNats.remove(directory)
})
