/** Deletes confirmation codes that have expired. */
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

export class ChannelRetentionRepository extends Context.Service<ChannelRetentionRepository>()(
  "@kanmon/monitoring/channels/ChannelRetentionRepository",
  {
    make: Effect.map(SqlClient.SqlClient, (sql) => ({
      deleteExpired: (now: EpochMillis) =>
        sql`DELETE FROM confirmation_codes WHERE expires_at < ${new Date(now)}`.pipe(Effect.asVoid, Effect.orDie)
    }))
  }
) {
  static readonly layer = Layer.effect(ChannelRetentionRepository, ChannelRetentionRepository.make)
}
