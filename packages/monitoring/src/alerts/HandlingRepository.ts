/** Alerts as people see and handle them. */
import { Explanation } from "@kanmon/domain/Explanation"
import { AlertActor, type Alert, type AlertEscalation, AlertSource, type AlertStatus } from "@kanmon/domain/Alert"
import { type Handling, stateOf } from "@kanmon/domain/AlertHandling"
import { DeliveryStatus, Trigger } from "@kanmon/domain/AlertRule"
import {
  AlertId,
  AlertRecordId,
  type AlertReference,
  ChannelId,
  DrillId,
  EscalationPolicyId,
  type IntegrationId,
  MonitorId,
  ProjectId,
  RuleId
} from "@kanmon/domain/Ids"
import { Severity } from "@kanmon/domain/Severity"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as Cursor from "@kanmon/platform/database/Cursor"
import type { PageOptions } from "@kanmon/platform/database/Page"
import * as Rows from "@kanmon/platform/database/Rows"
import { sourceOf } from "./OpenAlertRepository.ts"

/** Which alerts of a project are listed. */
export interface AlertFilter extends PageOptions {
  /** An alert in any of them; empty means all. */
  readonly states: ReadonlyArray<AlertStatus>
  /** An alert of any of them; empty means all. */
  readonly severities: ReadonlyArray<Severity>
  readonly monitorId: MonitorId | undefined
  readonly integrationId?: IntegrationId | undefined
}

/** How the alert `a` is handled, as columns. */
export const handlingColumns = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql`a.resolved_at AS "resolvedAt", a.acknowledged_at AS "acknowledgedAt",
    CASE WHEN a.acknowledged_by IS NOT NULL
      THEN json_build_object('kind', a.acknowledged_by_kind, 'name', a.acknowledged_by) END AS "acknowledgedBy",
    a.note, a.snoozed_until AS "snoozedUntil",
    CASE WHEN a.snoozed_by IS NOT NULL
      THEN json_build_object('kind', a.snoozed_by_kind, 'name', a.snoozed_by) END AS "snoozedBy"`

/** The fields of those columns. */
export const handlingFields = {
  resolvedAt: Schema.NullOr(Rows.Time),
  acknowledgedAt: Schema.NullOr(Rows.Time),
  acknowledgedBy: Schema.NullOr(AlertActor),
  note: Schema.NullOr(Schema.String),
  snoozedUntil: Schema.NullOr(Rows.Time),
  snoozedBy: Schema.NullOr(AlertActor)
}

export class HandlingRepository extends Context.Service<HandlingRepository>()(
  "@kanmon/monitoring/alerts/HandlingRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const columns = sql`a.id, a.project_id AS "projectId", a.rule_id AS "ruleId", a.monitor_id AS "monitorId", a.trigger, a.severity,
        ${sourceOf(sql)} AS source, a.drill_id AS "drillId",
        CASE WHEN a.resolved_by IS NOT NULL
          THEN json_build_object('kind', a.resolved_by_kind, 'name', a.resolved_by) END AS "resolvedBy",
        COALESCE(a.notice->>'reason', '') AS reason, a.notice->'explanation' AS explanation, a.started_at AS "startedAt", a.opened_at AS "openedAt",
        ${handlingColumns(sql)},
        a.silenced AND a.resolved_at IS NULL AS silenced,
        (SELECT json_build_object('policyId', e.policy_id, 'status', e.status, 'held', e.is_held, 'nextStep', e.next_step,
            'steps', jsonb_array_length(e.plan->'steps'), 'nextAt', (extract(epoch FROM e.due_at) * 1000)::bigint)
          FROM escalations e WHERE e.alert_id = a.id) AS escalation,
        COALESCE((SELECT json_agg(json_build_object('id', h.id, 'channelId', h.channel_id, 'status', h.status,
          'error', h.error) ORDER BY h.id) FROM alert_history h WHERE h.alert_id = a.id), '[]') AS entries`

      const named = (projectId: ProjectId, id: AlertReference) =>
        sql`a.project_id = ${projectId}
          AND a.id = COALESCE((SELECT alert_id FROM alert_history WHERE id = ${id}), ${id})`

      const read = (statement: Statement.Statement<unknown>, at: EpochMillis) =>
        Effect.map(alerts(statement), (rows) =>
          rows.map((row): Alert => ({
            ...row,
            state: stateOf(row, at),
            escalation: row.escalation && shown(row.escalation)
          }))
        )

      const inState = (state: AlertStatus, now: Date): Statement.Fragment => {
        switch (state) {
          case "resolved":
            return sql`a.resolved_at IS NOT NULL`
          case "acknowledged":
            return sql`a.resolved_at IS NULL AND a.acknowledged_at IS NOT NULL`
          case "snoozed":
            return sql`a.resolved_at IS NULL AND a.acknowledged_at IS NULL AND a.snoozed_until > ${now}`
          case "open":
            return sql`a.resolved_at IS NULL AND a.acknowledged_at IS NULL
              AND (a.snoozed_until IS NULL OR a.snoozed_until <= ${now})`
        }
      }

      /** The alerts of a project, newest first. Alerts of drills are in their reports alone. */
      const list = (
        projectId: ProjectId,
        { cursor, integrationId, limit, monitorId, severities, states }: AlertFilter,
        at: EpochMillis
      ) => {
        const before = Cursor.decode(cursor)
        const conditions = [
          sql`a.project_id = ${projectId}`,
          sql`a.drill_id IS NULL`,
          ...(before === undefined ? [] : [sql`a.id < ${before}`]),
          ...(monitorId === undefined ? [] : [sql`a.monitor_id = ${monitorId}`]),
          ...(integrationId === undefined ? [] : [sql`a.integration_id = ${integrationId}`]),
          ...(severities.length === 0 ? [] : [sql`a.severity = ANY(${severities}::text[])`]),
          ...(states.length === 0 ? [] : [sql.or(states.map((state) => inState(state, new Date(at))))])
        ]
        return read(
          sql`SELECT ${columns} FROM alerts a WHERE ${sql.and(conditions)} ORDER BY a.id DESC LIMIT ${limit + 1}`,
          at
        ).pipe(Effect.map((rows) => Cursor.page(rows, limit)))
      }

      const first = (rows: Effect.Effect<ReadonlyArray<Alert>>) => Effect.map(rows, ([found]) => found)

      /** Stores how locked alerts are handled. */
      const save = Effect.fnUntraced(function* (id: AlertRecordId, handling: Handling) {
        const { acknowledgedAt, acknowledgedBy, note, snoozedBy, snoozedUntil } = handling
        yield* sql`UPDATE alerts SET acknowledged_at = ${acknowledgedAt === null ? null : new Date(acknowledgedAt)},
          acknowledged_by = ${acknowledgedBy?.name ?? null}, acknowledged_by_kind = ${acknowledgedBy?.kind ?? null},
          note = ${note}, snoozed_until = ${snoozedUntil === null ? null : new Date(snoozedUntil)},
          snoozed_by = ${snoozedBy?.name ?? null}, snoozed_by_kind = ${snoozedBy?.kind ?? null}
          WHERE id = ${id}`
      }, Effect.orDie)

      return {
        list,
        find: (projectId: ProjectId, id: AlertReference, at: EpochMillis) =>
          first(read(sql`SELECT ${columns} FROM alerts a WHERE ${named(projectId, id)}`, at)),
        /** The same, with the alert locked. */
        lock: (projectId: ProjectId, id: AlertReference, at: EpochMillis) =>
          first(read(sql`SELECT ${columns} FROM alerts a WHERE ${named(projectId, id)} FOR NO KEY UPDATE`, at)),
        /** Locks the open alerts of a monitor, oldest first. */
        lockOpen: (projectId: ProjectId, monitorId: MonitorId, at: EpochMillis) =>
          read(
            sql`SELECT ${columns} FROM alerts a WHERE a.project_id = ${projectId} AND a.monitor_id = ${monitorId}
              AND a.resolved_at IS NULL ORDER BY a.id FOR NO KEY UPDATE`,
            at
          ),
        /** Locks alerts by their ids, oldest first. */
        lockAll: (ids: ReadonlyArray<AlertRecordId>, at: EpochMillis) =>
          read(
            sql`SELECT ${columns} FROM alerts a WHERE a.id = ANY(${ids}::text[]) ORDER BY a.id FOR NO KEY UPDATE`,
            at
          ),
        save
      }
    })
  }
) {
  static readonly layer = Layer.effect(HandlingRepository, HandlingRepository.make)
}

const EscalationRow = Schema.Struct({
  policyId: Schema.NullOr(EscalationPolicyId),
  status: Schema.Literals(["open", "acknowledged", "exhausted", "ended"]),
  held: Schema.Boolean,
  nextStep: Schema.Int,
  /** The number of steps of the policy. */
  steps: Schema.Int,
  nextAt: Schema.NullOr(Schema.Number)
})

/** The number of a step counts one more for each round: its end. */
const shown = ({ steps, ...row }: typeof EscalationRow.Type): AlertEscalation => {
  const step = row.nextStep % (steps + 1)
  return { ...row, step: step === steps ? null : step }
}

const alerts = Rows.all(
  Schema.Struct({
    id: AlertRecordId,
    projectId: ProjectId,
    ruleId: Schema.NullOr(RuleId),
    monitorId: Schema.NullOr(MonitorId),
    source: Schema.NullOr(AlertSource),
    drillId: Schema.NullOr(DrillId),
    resolvedBy: Schema.NullOr(AlertActor),
    trigger: Trigger,
    severity: Severity,
    reason: Schema.String,
    explanation: Schema.NullOr(Explanation),
    startedAt: Rows.Time,
    openedAt: Rows.Time,
    ...handlingFields,
    silenced: Schema.Boolean,
    escalation: Schema.NullOr(EscalationRow),
    entries: Schema.Array(
      Schema.Struct({
        id: AlertId,
        channelId: Schema.NullOr(ChannelId),
        status: DeliveryStatus,
        error: Schema.NullOr(Schema.String)
      })
    )
  })
)
