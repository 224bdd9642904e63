/** Reads the alert history. */
import { AlertSource } from "@kanmon/domain/Alert"
import { DeliveryStatus, Trigger } from "@kanmon/domain/AlertRule"
import { AlertId, ChannelId, MonitorId, type ProjectId, RuleId } from "@kanmon/domain/Ids"
import { Severity } from "@kanmon/domain/Severity"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Cursor from "@kanmon/platform/database/Cursor"
import type { PageOptions } from "@kanmon/platform/database/Page"
import * as Rows from "@kanmon/platform/database/Rows"
import { sourceOf } from "./OpenAlertRepository.ts"

export class HistoryRepository extends Context.Service<HistoryRepository>()(
  "@kanmon/monitoring/alerts/HistoryRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      /** Entries that were triggered in `[from, to)`, newest first. */
      const list = (projectId: ProjectId, from: EpochMillis, to: EpochMillis, { cursor, limit }: PageOptions) => {
        const before = Cursor.decode(cursor)
        const conditions = [
          sql`project_id = ${projectId}`,
          sql`NOT EXISTS (SELECT FROM alerts a WHERE a.id = alert_id AND a.drill_id IS NOT NULL)`,
          sql`triggered_at >= ${new Date(from)}`,
          sql`triggered_at < ${new Date(to)}`,
          ...(before === undefined ? [] : [sql`id < ${before}`])
        ]
        return entries(sql`SELECT id, rule_id AS "ruleId", monitor_id AS "monitorId", channel_id AS "channelId", type,
            (SELECT ${sourceOf(sql)} FROM alerts a WHERE a.id = alert_id) AS source,
            (SELECT a.severity FROM alerts a WHERE a.id = alert_id) AS severity, triggered_at AS "triggeredAt", resolved_at AS "resolvedAt", status, error
          FROM alert_history WHERE ${sql.and(conditions)} ORDER BY id DESC LIMIT ${limit + 1}`).pipe(
          Effect.map((rows) => Cursor.page(rows, limit))
        )
      }

      return {
        list,
        exists: (projectId: ProjectId, id: AlertId) =>
          Rows.any(sql`SELECT 1 FROM alert_history WHERE id = ${id} AND project_id = ${projectId}`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(HistoryRepository, HistoryRepository.make)
}

const entries = Rows.all(
  Schema.Struct({
    id: AlertId,
    ruleId: RuleId,
    monitorId: Schema.NullOr(MonitorId),
    source: Schema.NullOr(AlertSource),
    channelId: Schema.NullOr(ChannelId),
    type: Trigger,
    severity: Severity,
    triggeredAt: Rows.Time,
    resolvedAt: Schema.NullOr(Rows.Time),
    status: DeliveryStatus,
    error: Schema.NullOr(Schema.String)
  })
)
