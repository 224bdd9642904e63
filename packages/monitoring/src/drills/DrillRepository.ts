/** The table of drills. */
import { AlertActor } from "@kanmon/domain/Alert"
import { Drill, type DrillStatus } from "@kanmon/domain/Drill"
import {
  AlertRecordId,
  type DrillId,
  type EscalationPolicyId,
  type MonitorId,
  type ProjectId,
  type RuleId
} from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import * as Cursor from "@kanmon/platform/database/Cursor"
import type { PageOptions } from "@kanmon/platform/database/Page"
import * as Rows from "@kanmon/platform/database/Rows"
import type { Question } from "@kanmon/platform/DueWork"
import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlClient, type Statement } from "effect/sql"

/** A drill that begins or is scheduled. */
export interface NewDrill extends Pick<
  Drill,
  "id" | "projectId" | "policyId" | "ruleId" | "monitorId" | "name" | "startsAt" | "every" | "timezone" | "createdBy"
> {
  readonly firstAt: EpochMillis
}

const DrillRow = Schema.Struct({
  ...Struct.omit(Drill.fields, ["startsAt", "startedAt", "endedAt", "acknowledgedAt", "acknowledgedBy", "createdBy"]),
  startsAt: Rows.Time,
  firstAt: Rows.Time,
  startedAt: Schema.NullOr(Rows.Time),
  endedAt: Schema.NullOr(Rows.Time),
  acknowledgedAt: Schema.NullOr(Rows.Time),
  acknowledgedBy: Schema.NullOr(AlertActor),
  createdBy: AlertActor
})
export type StoredDrill = typeof DrillRow.Type

/** How a drill ended. */
interface Ended {
  readonly status: Exclude<DrillStatus, "scheduled" | "running">
  readonly detail: string | null
  readonly acknowledgedAt: EpochMillis | null
  readonly acknowledgedBy: AlertActor | null
}

/** Whether the drill `d` runs and has an alert that is neither answered nor at the end of its policy. */
const goesOn = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql`EXISTS (SELECT FROM alerts a JOIN escalations e ON e.alert_id = a.id
    WHERE a.drill_id = d.id AND a.resolved_at IS NULL AND a.acknowledged_at IS NULL AND jsonb_array_length(e.plan->'steps') > 0
      AND (e.status <> 'exhausted'
        OR EXISTS (SELECT FROM escalation_pages p WHERE p.alert_id = a.id AND p.outcome = 'pending')))`

const isDue = (sql: SqlClient.SqlClient, now: Date): Statement.Fragment =>
  sql`(d.status = 'scheduled' AND d.starts_at <= ${now} OR d.status = 'running' AND NOT ${goesOn(sql)})`

/** Whether a drill begins or ends now. */
export const isDrillDue: Question = (sql, now) => sql`EXISTS (SELECT FROM drills d WHERE ${isDue(sql, now)})`

export class DrillRepository extends Context.Service<DrillRepository>()("@kanmon/monitoring/drills/DrillRepository", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const run = (statement: Effect.Effect<unknown, unknown>) => Effect.asVoid(Effect.orDie(statement))

    const columns = sql`d.id, d.project_id AS "projectId", d.policy_id AS "policyId", d.rule_id AS "ruleId",
      d.monitor_id AS "monitorId", d.name, d.status, d.detail, d.starts_at AS "startsAt", d.every, d.timezone,
      d.first_at AS "firstAt", d.started_at AS "startedAt", d.ended_at AS "endedAt", d.acknowledged_at AS "acknowledgedAt",
      json_build_object('kind', d.created_by_kind, 'name', d.created_by) AS "createdBy",
      CASE WHEN d.acknowledged_by IS NOT NULL
        THEN json_build_object('kind', d.acknowledged_by_kind, 'name', d.acknowledged_by) END AS "acknowledgedBy"`

    return {
      /** The drills of a project, newest first. */
      list: (projectId: ProjectId, { cursor, limit }: PageOptions) => {
        const before = Cursor.decode(cursor)
        const conditions = [sql`d.project_id = ${projectId}`, ...(before === undefined ? [] : [sql`d.id < ${before}`])]
        return all(
          sql`SELECT ${columns} FROM drills d WHERE ${sql.and(conditions)} ORDER BY d.id DESC LIMIT ${limit + 1}`
        ).pipe(Effect.map((rows) => Cursor.page(rows, limit)))
      },
      find: (projectId: ProjectId, id: DrillId) =>
        first(sql`SELECT ${columns} FROM drills d WHERE d.id = ${id} AND d.project_id = ${projectId}`),
      /** The same, locked. */
      lock: (projectId: ProjectId, id: DrillId) =>
        first(sql`SELECT ${columns} FROM drills d WHERE d.id = ${id} AND d.project_id = ${projectId} FOR UPDATE`),
      /** Locks a drill that begins or ends now, unless another process has it. */
      claim: (now: EpochMillis) =>
        first(sql`SELECT ${columns} FROM drills d WHERE ${isDue(sql, new Date(now))} ORDER BY d.starts_at, d.id LIMIT 1
          FOR UPDATE OF d SKIP LOCKED`),
      /** Waits for other creations in the project, and counts its drills that have not ended. */
      countLocked: (projectId: ProjectId) =>
        Effect.map(
          counted(sql`SELECT (SELECT count(*) FROM drills WHERE project_id = p.id AND ended_at IS NULL) AS count
            FROM (SELECT id FROM projects WHERE id = ${projectId} FOR NO KEY UPDATE) p`),
          (row) => row?.count ?? 0
        ),
      /** Whether another drill of the same target runs. */
      isRunning: ({ id, monitorId, policyId, ruleId }: Pick<NewDrill, "id" | "policyId" | "ruleId" | "monitorId">) =>
        Rows.any(sql`SELECT FROM drills WHERE status = 'running' AND id <> ${id}
          AND (policy_id = ${policyId} OR rule_id = ${ruleId} OR monitor_id = ${monitorId})`),
      /** The name of what is tried; undefined where it does not exist. */
      nameOf: (ids: {
        readonly policyId: EscalationPolicyId | null
        readonly ruleId: RuleId | null
        readonly monitorId: MonitorId | null
      }) =>
        Effect.map(
          named(sql`SELECT name FROM escalation_policies WHERE id = ${ids.policyId}
            UNION ALL SELECT name FROM alert_rules WHERE id = ${ids.ruleId}
            UNION ALL SELECT name FROM monitors WHERE id = ${ids.monitorId}`),
          (row) => row?.name
        ),
      insert: (drill: NewDrill) =>
        run(sql`INSERT INTO drills (id, project_id, policy_id, rule_id, monitor_id, name, status, starts_at, every, timezone, first_at,
            created_by, created_by_kind)
          VALUES (${drill.id}, ${drill.projectId}, ${drill.policyId}, ${drill.ruleId}, ${drill.monitorId}, ${drill.name},
            'scheduled', ${new Date(drill.startsAt)}, ${drill.every}, ${drill.timezone}, ${new Date(drill.firstAt)},
            ${drill.createdBy.name}, ${drill.createdBy.kind})`),
      started: (id: DrillId, at: EpochMillis) =>
        run(sql`UPDATE drills SET status = 'running', started_at = ${new Date(at)} WHERE id = ${id}`),
      ended: (id: DrillId, { acknowledgedAt, acknowledgedBy, detail, status }: Ended, at: EpochMillis) =>
        run(sql`UPDATE drills SET status = ${status}, detail = ${detail}, ended_at = ${new Date(at)},
            acknowledged_at = ${acknowledgedAt === null ? null : new Date(acknowledgedAt)},
            acknowledged_by = ${acknowledgedBy?.name ?? null}, acknowledged_by_kind = ${acknowledgedBy?.kind ?? null}
          WHERE id = ${id}`),
      alertIds: (id: DrillId) =>
        Effect.map(ids(sql`SELECT id FROM alerts WHERE drill_id = ${id} ORDER BY id`), (rows) =>
          rows.map((row) => row.id)
        ),
      remove: (id: DrillId) => run(sql`DELETE FROM drills WHERE id = ${id}`),
      /** Deletes all drills of a project that have ended but the newest; returns their ids. */
      prune: (projectId: ProjectId, keep: number) =>
        Effect.map(
          deleted(sql`DELETE FROM drills WHERE id IN (SELECT id FROM drills
            WHERE project_id = ${projectId} AND ended_at IS NOT NULL ORDER BY id DESC OFFSET ${keep}) RETURNING id`),
          (rows) => rows.map(({ id }) => id)
        )
    }
  })
}) {
  static readonly layer = Layer.effect(DrillRepository, DrillRepository.make)
}

const all = Rows.all(DrillRow)
const first = Rows.first(DrillRow)
const counted = Rows.first(Schema.Struct({ count: Rows.Count }))
const named = Rows.first(Schema.Struct({ name: Schema.String }))
const ids = Rows.all(Schema.Struct({ id: AlertRecordId }))
const deleted = Rows.all(Schema.Struct({ id: Drill.fields.id }))
