/** The alerts that a message told of, as the page behind its link shows them. */
import { AlertActor } from "@kanmon/domain/Alert"
import { AlertRecordId } from "@kanmon/domain/Ids"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

const LinkedAlert = Schema.Struct({
  id: AlertRecordId,
  monitorName: Schema.String,
  reason: Schema.String,
  openedAt: Rows.Time,
  resolvedAt: Schema.NullOr(Rows.Time),
  acknowledgedAt: Schema.NullOr(Rows.Time),
  acknowledgedBy: Schema.NullOr(AlertActor),
  note: Schema.NullOr(Schema.String),
  snoozedUntil: Schema.NullOr(Rows.Time),
  snoozedBy: Schema.NullOr(AlertActor)
})
export type LinkedAlert = typeof LinkedAlert.Type

export class LinkRepository extends Context.Service<
  LinkRepository,
  { readonly find: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<LinkedAlert>> }
>()("@kanmon/monitoring/alerts/LinkRepository") {
  static readonly layer = Layer.effect(
    LinkRepository,
    Effect.map(SqlClient.SqlClient, (sql) =>
      LinkRepository.of({
        find: (ids) =>
          alerts(sql`SELECT a.id, COALESCE(m.name, a.notice->'monitor'->>'name') AS "monitorName",
              COALESCE(a.notice->>'reason', '') AS reason, a.opened_at AS "openedAt", a.resolved_at AS "resolvedAt",
              a.acknowledged_at AS "acknowledgedAt", CASE WHEN a.acknowledged_by IS NOT NULL
                THEN json_build_object('kind', a.acknowledged_by_kind, 'name', a.acknowledged_by) END AS "acknowledgedBy",
              a.note, a.snoozed_until AS "snoozedUntil", CASE WHEN a.snoozed_by IS NOT NULL
                THEN json_build_object('kind', a.snoozed_by_kind, 'name', a.snoozed_by) END AS "snoozedBy"
            FROM alerts a LEFT JOIN monitors m ON m.id = a.monitor_id WHERE a.id = ANY(${ids}::text[]) ORDER BY a.id`)
      })
    )
  )
}

const alerts = Rows.all(LinkedAlert)
