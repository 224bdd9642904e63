/** Outcomes of deliveries for the entries of the alert history. */
import { AlertSource } from "@kanmon/domain/Alert"
import { Trigger } from "@kanmon/domain/AlertRule"
import { AlertId, MonitorId, ProjectId, RuleId } from "@kanmon/domain/Ids"
import { Severity } from "@kanmon/domain/Severity"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"
import { sourceOf } from "./OpenAlertRepository.ts"
import type { EndedMessage } from "../delivery/index.ts"

const Entry = Schema.Struct({
  entryId: AlertId,
  projectId: ProjectId,
  ruleId: RuleId,
  monitorId: Schema.NullOr(MonitorId),
  source: Schema.NullOr(AlertSource),
  trigger: Trigger,
  severity: Severity,
  isDrill: Schema.Boolean
})

export class OutcomeRepository extends Context.Service<OutcomeRepository>()(
  "@kanmon/monitoring/alerts/OutcomeRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      return {
        /** Sets the status of those entries of which nothing waits any more; returns all of them, but for those of drills. */
        end: (ended: ReadonlyArray<EndedMessage>) => {
          const rows = ended.map(({ detail, entryId, isLast, status }) => ({
            id: entryId,
            status: isLast ? status : null,
            error: status === "delivered" ? null : detail
          }))
          return Effect.map(
            entries(sql`UPDATE alert_history h SET status = COALESCE(v.status, h.status),
              error = CASE WHEN v.status IS NULL THEN h.error ELSE v.error END
            FROM json_to_recordset(${JSON.stringify(rows)}::json) AS v(id text, status text, error text),
              alerts a WHERE h.id = v.id AND a.id = h.alert_id
            RETURNING h.id AS "entryId", h.project_id AS "projectId", h.rule_id AS "ruleId", h.monitor_id AS "monitorId", ${sourceOf(sql)} AS source,
              h.type AS trigger, a.severity, a.drill_id IS NOT NULL AS "isDrill"`),
            (all) => all.filter(({ isDrill }) => !isDrill)
          )
        },
        /** Sets the error of entries that wait. */
        delay: Effect.fnUntraced(function* (entryIds: ReadonlyArray<string>, error: string) {
          yield* sql`UPDATE alert_history SET error = ${error}
            WHERE id = ANY(${entryIds}::text[]) AND status = 'pending'`
        }, Effect.orDie),
        /** Ends the wait of entries with withdrawn reminders. */
        settle: Effect.fnUntraced(function* (
          idle: ReadonlyArray<{ readonly entryId: string; readonly isDelivered: boolean }>
        ) {
          if (idle.length === 0) return
          yield* sql`UPDATE alert_history h SET error = NULL,
              status = CASE WHEN v."isDelivered" THEN 'delivered' ELSE 'failed' END
            FROM json_to_recordset(${JSON.stringify(idle)}::json) AS v("entryId" text, "isDelivered" boolean)
            WHERE h.id = v."entryId"`
        }, Effect.orDie)
      }
    })
  }
) {
  static readonly layer = Layer.effect(OutcomeRepository, OutcomeRepository.make)
}

const entries = Rows.all(Entry)
