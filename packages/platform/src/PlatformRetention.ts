/** Deletes idempotency keys that have expired, and allowances that are unused again. */
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { keptMillis } from "./http/IdempotencyKeys.ts"

export class PlatformRetention extends Context.Service<PlatformRetention>()("@kanmon/platform/PlatformRetention", {
  make: Effect.map(SqlClient.SqlClient, (sql) => ({
    deleteExpired: Effect.fnUntraced(function* (now: EpochMillis) {
      yield* sql`DELETE FROM idempotency_keys WHERE claimed_at < ${new Date(now - keptMillis)}`
      yield* sql`DELETE FROM allowances WHERE used_up_to < ${new Date(now)}`
    }, Effect.orDie)
  }))
}) {
  static readonly layer = Layer.effect(PlatformRetention, PlatformRetention.make)
}
