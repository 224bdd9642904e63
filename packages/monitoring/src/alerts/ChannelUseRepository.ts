/** References of rules and alerts to channels, updated when channels are added and deleted. */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { ChannelUse } from "../channels/index.ts"

export const layer = Layer.effect(
  ChannelUse,
  Effect.map(SqlClient.SqlClient, (sql) =>
    ChannelUse.of({
      added: Effect.fn("ChannelUse.added")(function* (projectId) {
        yield* sql`UPDATE alert_rules SET review_after = ''
          WHERE project_id = ${projectId} AND cardinality(channel_ids) = 0`
      }, Effect.orDie),
      removed: Effect.fn("ChannelUse.removed")(function* (projectId, id, error) {
        yield* sql`UPDATE alert_history SET status = 'failed', error = ${error}
          WHERE project_id = ${projectId} AND channel_id = ${id} AND status = 'pending'`
        // The last channel of a rule stays, because a rule without channels notifies every channel.
        yield* sql`UPDATE alert_rules SET channel_ids = array_remove(channel_ids, ${id})
          WHERE project_id = ${projectId} AND ${id} = ANY(channel_ids) AND cardinality(channel_ids) > 1`
      }, Effect.orDie)
    })
  )
)
