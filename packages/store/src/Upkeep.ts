/** The store's recurring work: partitions ahead of time, retention, rollups of closed periods. Safe to run on several machines. */
import { dayMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { keptMillis } from "./IdempotencyKeys.ts"
import * as Partitions from "./Partitions.ts"
import * as Rollups from "./Rollups.ts"

export class Upkeep extends Context.Service<
  Upkeep,
  {
    /** Makes the partitions of the coming days and drops those past retention. */
    readonly partitions: (retentionDays: number) => Effect.Effect<{ readonly made: number; readonly dropped: number }>
    /** Fills hour and day rollups for periods that are closed and not filled yet. */
    readonly rollups: Effect.Effect<{ readonly hours: number; readonly days: number }>
    /** Forgets idempotency keys past their day, and expired sessions. */
    readonly expire: Effect.Effect<void>
  }
>()("@kanmon/store/Upkeep") {
  static readonly layer = Layer.effect(
    Upkeep,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const provide = Effect.provideService(SqlClient.SqlClient, sql)

      const partitions: Upkeep["Service"]["partitions"] = Effect.fn("Upkeep.partitions")((retentionDays) =>
        Effect.orDie(provide(Partitions.keep(retentionDays)))
      )

      const rollups = Rollups.fill.pipe(provide, Effect.orDie, Effect.withSpan("Upkeep.rollups"))

      const expire = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        yield* sql`DELETE FROM idempotency_keys WHERE claimed_at < ${new Date(now - keptMillis)}`
        yield* sql`DELETE FROM sessions WHERE expires_at < ${new Date(now)}`
        yield* sql`DELETE FROM verifications WHERE expires_at < ${new Date(now - dayMillis)}`
      }).pipe(Effect.orDie, Effect.withSpan("Upkeep.expire"))

      return Upkeep.of({ partitions, rollups, expire })
    })
  )
}
