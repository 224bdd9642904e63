/** The alerts that a message told of, with what an acknowledgement stops, as the page behind its link shows them. */
import { AlertRecordId } from "@kanmon/domain/Ids"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"
import { handlingColumns, handlingFields } from "./HandlingRepository.ts"

const LinkedAlert = Schema.Struct({
  id: AlertRecordId,
  monitorName: Schema.String,
  reason: Schema.String,
  openedAt: Rows.Time,
  /** The time zone of its project. */
  timezone: Schema.String,
  ...handlingFields,
  /** Null: the alert has no policy. */
  escalation: Schema.NullOr(
    Schema.Struct({
      isRunning: Schema.Boolean,
      /** An acknowledgement has stopped it. */
      isStopped: Schema.Boolean,
      /** Minutes after which an acknowledgement ends. */
      timeoutMinutes: Schema.NullOr(Schema.Int),
      /** People who were asked for are paged until they answer themselves. */
      asksPeople: Schema.Boolean
    })
  )
})
export type LinkedAlert = typeof LinkedAlert.Type

export class LinkRepository extends Context.Service<LinkRepository>()("@kanmon/monitoring/alerts/LinkRepository", {
  make: Effect.map(SqlClient.SqlClient, (sql) => ({
    find: (ids: ReadonlyArray<string>) =>
      alerts(sql`SELECT a.id, COALESCE(m.name, a.notice->'monitor'->>'name') AS "monitorName",
              COALESCE(a.notice->>'reason', '') AS reason, a.opened_at AS "openedAt",
              COALESCE((SELECT p.timezone FROM projects p WHERE p.id = a.project_id), 'UTC') AS timezone, ${handlingColumns(sql)},
              (SELECT json_build_object('isRunning', e.status = 'open' OR e.state->'lists' @> '[{"isAsked": false}]',
                  'isStopped', e.status = 'acknowledged', 'timeoutMinutes', (e.plan->>'acknowledgeTimeoutMinutes')::int,
                  'asksPeople', e.state->'lists' @> '[{"isAsked": true}]')
                FROM escalations e WHERE e.alert_id = a.id AND jsonb_array_length(e.plan->'steps') > 0) AS escalation
            FROM alerts a LEFT JOIN monitors m ON m.id = a.monitor_id WHERE a.id = ANY(${ids}::text[]) ORDER BY a.id`)
  }))
}) {
  static readonly layer = Layer.effect(LinkRepository, LinkRepository.make)
}

const alerts = Rows.all(LinkedAlert)
