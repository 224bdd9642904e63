/** The open alerts of integrations. */
import type { AlertActor, AlertSource } from "@kanmon/domain/Alert"
import type { IntegrationId, ProjectId } from "@kanmon/domain/Ids"
import type { Notice } from "@kanmon/core/Notice"
import type { Severity } from "@kanmon/domain/Severity"
import { type EpochMillis, toIso } from "@kanmon/domain/Timestamp"
import * as Rows from "@kanmon/platform/database/Rows"
import type { Question } from "@kanmon/platform/DueWork"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { storedNotice } from "../delivery/index.ts"
import { openColumns, readOpen, sourceParts } from "./OpenAlertRepository.ts"

/** Whether an alert resolves because its sender no longer sends it. */
export const isDue: Question = (sql, now) =>
  sql`EXISTS (SELECT FROM alerts WHERE resolved_at IS NULL AND resolve_at <= ${now})`

/** An open alert that its sender sent again. */
export interface Heard {
  readonly id: string
  readonly notice: Notice
  readonly source: AlertSource
  readonly severity: Severity
  readonly resolveAt: EpochMillis | null
}

export class ExternalAlertRepository extends Context.Service<ExternalAlertRepository>()(
  "@kanmon/monitoring/alerts/ExternalAlertRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.asVoid(Effect.orDie(statement))

      return {
        /** Locks the open alerts with these keys, oldest first. */
        lockOpen: (id: IntegrationId, keys: ReadonlyArray<string>) =>
          readOpen(sql`SELECT ${openColumns(sql)} FROM alerts a WHERE a.resolved_at IS NULL AND a.integration_id = ${id}
            AND a.source_key = ANY(${keys}::text[]) ORDER BY a.id FOR NO KEY UPDATE`),
        /** Locks an open alert. */
        lock: (id: string) =>
          Effect.map(
            readOpen(sql`SELECT ${openColumns(sql)} FROM alerts a WHERE a.resolved_at IS NULL AND a.id = ${id}
              FOR NO KEY UPDATE`),
            ([found]) => found
          ),
        /** Locks alerts that are past their end, unless another process has them. */
        lockDue: (at: EpochMillis, limit: number) =>
          readOpen(sql`SELECT ${openColumns(sql)} FROM alerts a WHERE a.resolved_at IS NULL
            AND a.resolve_at <= ${new Date(at)} ORDER BY a.id LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED`),
        countOpen: (id: IntegrationId) =>
          Effect.map(
            counted(sql`SELECT count(*) AS count FROM alerts WHERE integration_id = ${id} AND resolved_at IS NULL`),
            ({ count }) => count
          ),
        projectName: (id: ProjectId) =>
          Effect.map(named(sql`SELECT name FROM projects WHERE id = ${id}`), (row) => row?.name ?? ""),
        /** Stores what senders said of alerts again. */
        refresh: (heard: ReadonlyArray<Heard>) => {
          if (heard.length === 0) return Effect.void
          const rows = heard.map(({ id, notice, resolveAt, severity, source }) => ({
            id,
            severity,
            notice: storedNotice.encode(notice),
            source: sourceParts(source),
            resolve_at: resolveAt === null ? null : toIso(resolveAt)
          }))
          return run(sql`UPDATE alerts a SET severity = v.severity, notice = v.notice, source = v.source, resolve_at = v.resolve_at
            FROM json_to_recordset(${JSON.stringify(rows)}::json)
              AS v(id text, severity text, notice jsonb, source jsonb, resolve_at timestamptz) WHERE a.id = v.id`)
        },
        resolvedBy: (id: string, { kind, name }: AlertActor) =>
          run(sql`UPDATE alerts SET resolved_by = ${name}, resolved_by_kind = ${kind} WHERE id = ${id}`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(ExternalAlertRepository, ExternalAlertRepository.make)
}

const counted = Rows.one(Schema.Struct({ count: Rows.Count }))
const named = Rows.first(Schema.Struct({ name: Schema.String }))
