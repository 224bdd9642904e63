/** The deliveries whose messages carried a link to acknowledge, and whether it was used. */
import { AlertId, AlertRecordId, ChannelId, ProjectId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

const LinkRow = Schema.Struct({
  entryId: AlertId,
  channelId: ChannelId,
  projectId: ProjectId,
  channelName: Schema.String,
  isUsed: Schema.Boolean,
  /** The alerts that the message told of, also those of other rules. */
  alerts: Schema.Array(
    Schema.Struct({ id: AlertRecordId, monitorName: Schema.String, reason: Schema.String, isOver: Schema.Boolean })
  )
})
export type LinkedDelivery = typeof LinkRow.Type

export class LinkRepository extends Context.Service<
  LinkRepository,
  {
    readonly find: (deliveryId: string) => Effect.Effect<LinkedDelivery | undefined>
    /** Returns whether the link had not been used before. */
    readonly use: (deliveryId: string, at: EpochMillis) => Effect.Effect<boolean>
  }
>()("@kanmon/monitoring/alerts/LinkRepository") {
  static readonly layer = Layer.effect(
    LinkRepository,
    Effect.map(SqlClient.SqlClient, (sql) =>
      LinkRepository.of({
        find: (id) =>
          first(sql`SELECT d.entry_id AS "entryId", d.channel_id AS "channelId", d.project_id AS "projectId",
              c.name AS "channelName", d.link_used_at IS NOT NULL AS "isUsed",
              (SELECT json_agg(json_build_object('id', a.id, 'monitorName', COALESCE(m.name, a.notice->'monitor'->>'name'),
                  'reason', COALESCE(a.notice->>'reason', ''), 'isOver', a.resolved_at IS NOT NULL) ORDER BY a.id)
                FROM alerts a LEFT JOIN monitors m ON m.id = a.monitor_id WHERE a.id IN (
                  SELECT h.alert_id FROM deliveries o JOIN alert_history h ON h.id = o.entry_id
                  WHERE o.id = d.id OR COALESCE(o.grouped_with, o.shared_with) = d.id)) AS alerts
            FROM deliveries d JOIN channels c ON c.id = d.channel_id WHERE d.id = ${id}`),
        use: (id, at) =>
          Rows.any(
            sql`UPDATE deliveries SET link_used_at = ${new Date(at)} WHERE id = ${id} AND link_used_at IS NULL RETURNING id`
          )
      })
    )
  )
}

const first = Rows.first(LinkRow)
