/**
 * Reads a project as it was known at an instant of the past: from status histories, alerts and incidents, of which only that
 * counts which was recorded by then. Settings by people are the present ones, and monitors that were deleted since are missing.
 */
import { Explanation } from "@kanmon/domain/Explanation"
import { IncidentId, MonitorId, type ProjectId } from "@kanmon/domain/Ids"
import { IncidentStatus } from "@kanmon/domain/Incident"
import { recentResults, resultLetters } from "@kanmon/domain/MonitorState"
import { MonitorStatus } from "@kanmon/domain/Status"
import { dayMillis, type EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { type MovedResult, newestFirst, ResultBlockRepository } from "../evaluation/index.ts"
import * as Rows from "@kanmon/platform/database/Rows"
import { ofSomething, settings } from "./OverviewRepository.ts"

/** A day without a result has none to show. */
const resultsMillis = dayMillis

export class PastRepository extends Context.Service<PastRepository>()("@kanmon/monitoring/overview/PastRepository", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const blocks = yield* ResultBlockRepository
    return {
      /** The monitors, newest first, as the settings of the document have them. */
      states: (projectId: ProjectId, at: EpochMillis, limit: number) =>
        states(sql`SELECT m.id, c.status AS known, f.at AS since, f.failure->>'message' AS message, f.failure->'explanation' AS explanation,
          EXISTS (SELECT FROM maintenance_windows w LEFT JOIN incidents i ON i.id = w.incident_id
            WHERE w.monitor_id = m.id AND w.starts_at <= ${new Date(at)} AND w.ends_at > ${new Date(at)}
              AND COALESCE(i.created_at, '-infinity') <= ${new Date(at)}) AS covered,
          COALESCE((SELECT k.status = 'unknown' FROM status_changes k WHERE k.monitor_id = m.id
            AND COALESCE(k.recorded_at, k.at) <= ${new Date(at)}
            ORDER BY k.at DESC, k.sequence DESC LIMIT 1), false) AS stale
        FROM monitors m
        CROSS JOIN LATERAL (SELECT status, at, sequence FROM status_changes
          WHERE monitor_id = m.id AND status <> 'unknown' AND COALESCE(recorded_at, at) <= ${new Date(at)}
          ORDER BY at DESC, sequence DESC LIMIT 1) c
        LEFT JOIN LATERAL (SELECT at, sequence FROM status_changes
          WHERE monitor_id = m.id AND status NOT IN ('unknown', c.status) AND (at, sequence) < (c.at, c.sequence)
          ORDER BY at DESC, sequence DESC LIMIT 1) other ON true
        -- Where its status began; each pause and each wait for the first results begins by itself.
        CROSS JOIN LATERAL (SELECT at, failure FROM status_changes
          WHERE monitor_id = m.id AND status = c.status AND (at, sequence) <= (c.at, c.sequence)
            AND (c.status NOT IN ('pending', 'paused') OR sequence = c.sequence)
            AND (other.at IS NULL OR (at, sequence) > (other.at, other.sequence))
          ORDER BY at, sequence LIMIT 1) f
        WHERE m.project_id = ${projectId} AND m.created_at <= ${new Date(at)} ORDER BY m.id DESC LIMIT ${limit}`),
      /** The newest results before the instant, and the mean response time of the hours in the day before it. */
      results: (ids: ReadonlyArray<MonitorId>, at: EpochMillis) =>
        blocks.within(
          {
            ids,
            spans: [{ from: at - resultsMillis + 1, to: at + 1 }],
            detail: "status",
            begunBy: at,
            newest: recentResults,
            only: newestOf
          },
          (stored) =>
            results(sql`SELECT m.id,
          (SELECT string_agg(letter, '' ORDER BY scheduled_at, region) FROM (
            SELECT scheduled_at, region, ${letter(sql)} AS letter FROM ${stored} r
            WHERE monitor_id = m.id AND checked_at <= ${new Date(at)}
              AND scheduled_at <= ${new Date(at)} AND scheduled_at > ${new Date(at - resultsMillis)}
            ORDER BY scheduled_at DESC, region DESC LIMIT ${recentResults}) newest) AS results,
          (SELECT sum(response_time_sum) / NULLIF(sum(response_time_count), 0) FROM rollup_hour
            WHERE monitor_id = m.id AND hour >= ${new Date(at - dayMillis)} AND hour < ${new Date(at)}) AS "responseTime"
        FROM unnest(${ids}::text[]) AS m(id)`)
        ),
      /** The settings of the monitors that existed then, as a JSON object. */
      settings: (projectId: ProjectId, at: EpochMillis, limit: number) =>
        Effect.map(
          document(sql`WITH found AS (SELECT count(*) AS total FROM monitors
            WHERE project_id = ${projectId} AND created_at <= ${new Date(at)})
          SELECT (${settings(sql, projectId, limit, at)}) AS json`),
          ({ json }) => json
        ),
      countOpenAlerts: (projectId: ProjectId, at: EpochMillis) =>
        Effect.map(
          count(sql`SELECT count(*)::integer AS count FROM alerts a
          WHERE a.project_id = ${projectId} AND ${ofSomething(sql)} AND COALESCE(a.recorded_at, a.opened_at) <= ${new Date(at)}
            AND (a.resolved_at IS NULL OR COALESCE(a.closed_at, a.resolved_at) > ${new Date(at)})`),
          (row) => row.count
        ),
      /** Incidents that were not resolved, newest first. */
      incidents: (projectId: ProjectId, at: EpochMillis, limit: number) =>
        incidents(sql`SELECT i.id, i.title, i.started_at AS "startedAt",
          COALESCE((SELECT u.status FROM incident_updates u WHERE u.incident_id = i.id AND u.created_at <= ${new Date(at)}
            ORDER BY u.id DESC LIMIT 1), i.status) AS status
        FROM incidents i WHERE i.project_id = ${projectId} AND NOT i.maintenance AND i.created_at <= ${new Date(at)}
          AND (i.resolved_at IS NULL OR i.resolved_at > ${new Date(at)}) ORDER BY i.id DESC LIMIT ${limit}`),
      /** Windows that were announced and had not ended, in the order in which they begin. */
      windows: (projectId: ProjectId, at: EpochMillis, limit: number) =>
        windows(sql`SELECT id, title, scheduled_start AS "scheduledStart", scheduled_end AS "scheduledEnd"
        FROM incidents WHERE project_id = ${projectId} AND maintenance AND created_at <= ${new Date(at)}
          AND (resolved_at IS NULL OR resolved_at > ${new Date(at)}) AND scheduled_end > ${new Date(at)}
        ORDER BY scheduled_start, id LIMIT ${limit}`)
    }
  })
}) {
  static readonly layer = Layer.effect(PastRepository, PastRepository.make).pipe(
    Layer.provide(ResultBlockRepository.layer)
  )
}

/** As many of each monitor's results as are shown, the newest. */
const newestOf = (moved: ReadonlyArray<MovedResult>): ReadonlyArray<MovedResult> =>
  [...Map.groupBy(moved, ({ monitorId }) => monitorId).values()].flatMap((own) =>
    own.toSorted(newestFirst).slice(0, recentResults)
  )

const letter = (sql: SqlClient.SqlClient) =>
  sql.literal(
    `CASE status ${Object.entries(resultLetters)
      .map(([status, letter]) => `WHEN '${status}' THEN '${letter}'`)
      .join(" ")} END`
  )

const states = Rows.all(
  Schema.Struct({
    id: MonitorId,
    known: MonitorStatus,
    since: Rows.Time,
    message: Schema.NullOr(Schema.String),
    explanation: Schema.NullOr(Explanation),
    covered: Schema.Boolean,
    stale: Schema.Boolean
  })
)
const results = Rows.all(
  Schema.Struct({
    id: MonitorId,
    results: Schema.NullOr(Schema.String),
    responseTime: Schema.NullOr(Schema.Finite)
  })
)
const document = Rows.one(Schema.Struct({ json: Schema.String }))
const count = Rows.one(Schema.Struct({ count: Rows.Count }))
const incidents = Rows.all(
  Schema.Struct({ id: IncidentId, title: Schema.String, status: IncidentStatus, startedAt: Rows.Time })
)
const windows = Rows.all(
  Schema.Struct({ id: IncidentId, title: Schema.String, scheduledStart: Rows.Time, scheduledEnd: Rows.Time })
)
