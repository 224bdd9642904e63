/** The alerts of drills. */
import { AlertActor } from "@kanmon/domain/Alert"
import { ChannelId, type DrillId, type ProjectId } from "@kanmon/domain/Ids"
import { Severity } from "@kanmon/domain/Severity"
import * as Rows from "@kanmon/platform/database/Rows"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { noticeOf } from "./OpenAlertRepository.ts"

const DrilledRow = Schema.Struct({
  id: Schema.String,
  notice: Schema.Unknown,
  severity: Severity,
  isAcknowledged: Schema.Boolean,
  acknowledgedAt: Schema.NullOr(Rows.Time),
  acknowledgedBy: Schema.NullOr(AlertActor),
  isOver: Schema.Boolean,
  /** Whether a policy pages people about it. */
  isEscalated: Schema.Boolean,
  isExhausted: Schema.Boolean,
  entries: Schema.Array(
    Schema.Struct({ id: Schema.String, channelId: Schema.NullOr(ChannelId), isTold: Schema.Boolean })
  )
})

export class DrillAlertRepository extends Context.Service<DrillAlertRepository>()(
  "@kanmon/monitoring/alerts/DrillAlertRepository",
  {
    make: Effect.map(SqlClient.SqlClient, (sql) => ({
      /** Locks the alerts of a drill, oldest first. */
      lock: (id: DrillId) =>
        Effect.map(
          rows(sql`SELECT a.id, a.notice, a.severity, a.acknowledged_at IS NOT NULL AS "isAcknowledged",
              a.acknowledged_at AS "acknowledgedAt", CASE WHEN a.acknowledged_by IS NOT NULL
                THEN json_build_object('kind', a.acknowledged_by_kind, 'name', a.acknowledged_by) END AS "acknowledgedBy",
              a.resolved_at IS NOT NULL AS "isOver",
              EXISTS (SELECT FROM escalations e WHERE e.alert_id = a.id AND jsonb_array_length(e.plan->'steps') > 0) AS "isEscalated",
              EXISTS (SELECT FROM escalations e WHERE e.alert_id = a.id AND e.status = 'exhausted')
                AND NOT EXISTS (SELECT FROM escalation_pages p WHERE p.alert_id = a.id AND p.outcome = 'pending') AS "isExhausted",
              COALESCE((SELECT json_agg(json_build_object('id', h.id, 'channelId', c.id, 'isTold', true) ORDER BY h.id)
                FROM alert_history h JOIN channels c ON c.id = h.channel_id WHERE h.alert_id = a.id), '[]') AS entries
            FROM alerts a WHERE a.drill_id = ${id} ORDER BY a.id FOR NO KEY UPDATE OF a`),
          (all) => all.map((row) => ({ ...row, notice: noticeOf(row) }))
        ),
      projectName: (id: ProjectId) =>
        Effect.map(named(sql`SELECT name FROM projects WHERE id = ${id}`), (row) => row?.name ?? ""),
      /** Deletes the alerts of drills that are deleted; returns their ids. */
      remove: (ids: ReadonlyArray<DrillId>) =>
        Effect.map(deleted(sql`DELETE FROM alerts WHERE drill_id = ANY(${ids}::text[]) RETURNING id`), (gone) =>
          gone.map(({ id }) => id)
        )
    }))
  }
) {
  static readonly layer = Layer.effect(DrillAlertRepository, DrillAlertRepository.make)
}

const rows = Rows.all(DrilledRow)
const named = Rows.first(Schema.Struct({ name: Schema.String }))
const deleted = Rows.all(Schema.Struct({ id: Schema.String }))
