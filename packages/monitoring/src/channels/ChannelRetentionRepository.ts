/** Deletes confirmation codes that have expired. */
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

export class ChannelRetentionRepository extends Context.Service<
  ChannelRetentionRepository,
  { readonly deleteExpired: (now: EpochMillis) => Effect.Effect<void> }
>()("@kanmon/monitoring/channels/ChannelRetentionRepository") {
  static readonly layer = Layer.effect(
    ChannelRetentionRepository,
    Effect.map(SqlClient.SqlClient, (sql) =>
      ChannelRetentionRepository.of({
        deleteExpired: (now) =>
          sql`DELETE FROM confirmation_codes WHERE expires_at < ${new Date(now)}`.pipe(Effect.asVoid, Effect.orDie)
      })
    )
  )
}
