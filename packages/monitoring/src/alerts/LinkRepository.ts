/** The alerts that a message told of, as the page behind its link names them. */
import { AlertRecordId } from "@kanmon/domain/Ids"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

const LinkedAlert = Schema.Struct({
  id: AlertRecordId,
  monitorName: Schema.String,
  reason: Schema.String,
  isOver: Schema.Boolean
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
              COALESCE(a.notice->>'reason', '') AS reason, a.resolved_at IS NOT NULL AS "isOver"
            FROM alerts a LEFT JOIN monitors m ON m.id = a.monitor_id WHERE a.id = ANY(${ids}::text[]) ORDER BY a.id`)
      })
    )
  )
}

const alerts = Rows.all(LinkedAlert)
