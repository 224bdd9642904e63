/** Deletes heartbeat signals past retention or above a monitor's storage limit, and what jobs said before that. */
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Transaction } from "@kanmon/platform/Transaction"
import * as SignalRoom from "./SignalRoomRepository.ts"

export class HeartbeatRetentionRepository extends Context.Service<HeartbeatRetentionRepository>()(
  "@kanmon/monitoring/heartbeats/HeartbeatRetentionRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const transaction = yield* Transaction
      const fit = SignalRoom.fit().pipe(
        Effect.provideService(SqlClient.SqlClient, sql),
        Effect.provideService(Transaction, transaction)
      )
      return {
        /** Deletes signals from before an instant, and the texts of those from before another. */
        deleteBefore: Effect.fnUntraced(function* (before: EpochMillis, textsBefore: EpochMillis) {
          yield* sql`DELETE FROM heartbeat_signals WHERE at < ${new Date(before)}`
          yield* sql`UPDATE heartbeat_signals SET message = NULL, body = NULL
            WHERE at < ${new Date(textsBefore)} AND (message IS NOT NULL OR body IS NOT NULL)`
          yield* fit
        }, Effect.orDie)
      }
    })
  }
) {
  static readonly layer = Layer.effect(HeartbeatRetentionRepository, HeartbeatRetentionRepository.make)
}
