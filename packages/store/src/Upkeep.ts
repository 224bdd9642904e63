/** The store's recurring work: partitions ahead of time, retention, rollups of closed periods. Safe to run on several machines. */
import { forgottenAfter } from "@kanmon/domain/SignInDelay"
import { dayMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import * as AlertBook from "./alerts/AlertBook.ts"
import { DeliverySignal } from "./alerts/DeliverySignal.ts"
import { keptMillis } from "./database/IdempotencyKeys.ts"
import * as Partitions from "./history/Partitions.ts"
import * as Rollups from "./history/Rollups.ts"
import * as SignalRoom from "./monitors/SignalRoom.ts"

export class Upkeep extends Context.Service<
  Upkeep,
  {
    /** Makes the partitions of the coming days and drops those past retention. */
    readonly partitions: (retentionDays: number) => Effect.Effect<{ readonly made: number; readonly dropped: number }>
    /** Fills hour and day rollups for periods that are closed and not filled yet. */
    readonly rollups: Effect.Effect<{ readonly hours: number; readonly days: number }>
    /** Deletes what has expired: idempotency keys, sessions, codes, allowances and failed sign-ins. */
    readonly expire: Effect.Effect<void>
    /** Forgets alerts that were resolved so long ago, with their history, and signals of heartbeats. */
    readonly alerts: (retentionDays: number) => Effect.Effect<void>
    /** Queues the reminders that are due; returns how many. */
    readonly remind: Effect.Effect<number>
  }
>()("@kanmon/store/Upkeep") {
  static readonly layer = Layer.effect(
    Upkeep,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const signal = yield* DeliverySignal
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
        yield* sql`DELETE FROM allowances WHERE used_up_to < ${new Date(now)}`
        yield* sql`DELETE FROM sign_in_failures WHERE last_at < ${new Date(now - forgottenAfter)}`
        yield* sql`DELETE FROM confirmation_codes WHERE expires_at < ${new Date(now)}`
      }).pipe(Effect.orDie, Effect.withSpan("Upkeep.expire"))

      const alerts: Upkeep["Service"]["alerts"] = Effect.fn("Upkeep.alerts")(function* (retentionDays) {
        const before = new Date((yield* Clock.currentTimeMillis) - retentionDays * dayMillis)
        yield* Effect.orDie(sql`DELETE FROM alerts WHERE resolved_at < ${before}`)
        yield* Effect.orDie(sql`DELETE FROM heartbeat_signals WHERE at < ${before}`)
        yield* Effect.orDie(provide(SignalRoom.fit()))
      })

      const remind = Effect.gen(function* () {
        const at = yield* Clock.currentTimeMillis
        const nextId = Effect.map(random.ulid, (ulid) => `dlv_${ulid.toLowerCase()}`)
        const count = yield* sql.withTransaction(AlertBook.remind(at, nextId).pipe(provide))
        if (count > 0) yield* signal.raise
        return count
      }).pipe(Effect.orDie, Effect.withSpan("Upkeep.remind"))

      return Upkeep.of({ partitions, rollups, expire, alerts, remind })
    })
  )
}
