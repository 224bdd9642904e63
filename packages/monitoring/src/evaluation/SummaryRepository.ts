/**
 * The tables of summaries: the uptime and the mean and median response time of each monitor over the last 24 hours; the last
 * 30 days of each project, and its last outage.
 */
import { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import { growth, packing, smallest } from "@kanmon/domain/Sketch"
import { dayMillis, type EpochMillis, utcDay } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

/** Uptime in percent; null without data. */
interface MeasuredUptime {
  readonly id: MonitorId
  readonly uptime: number | null
}

/** A stretch in which a monitor was down, outside of maintenance. */
export interface LastOutage {
  readonly monitorId: MonitorId
  readonly startedAt: EpochMillis
  /** Null while it goes on. */
  readonly endedAt: EpochMillis | null
}

/** The last 30 days of the monitors of a project together. */
export interface ProjectMonth {
  readonly projectId: ProjectId
  /** From when on something can be known. */
  readonly since: EpochMillis
  readonly up: number
  readonly down: number
  readonly outage: LastOutage | undefined
}

export class SummaryRepository extends Context.Service<SummaryRepository>()(
  "@kanmon/monitoring/evaluation/SummaryRepository",
  {
    make: Effect.map(SqlClient.SqlClient, (sql) => {
      const one = sql.literal(String(packing))
      // As `valueOf` of domain/Sketch.
      const valueOfBucket = sql.literal(
        `CASE WHEN min(bucket) <= 0 THEN ${smallest} ELSE ${(smallest * 2) / (growth + 1)} * power(${growth}, min(bucket)) END`
      )
      return {
        /**
         * Saves the uptime of monitors with their response times: the mean of the hours that are rolled up, and of the newest results
         * before there is one; the median of the hours that are rolled up. Writes only what has changed.
         */
        save: (measured: ReadonlyArray<MeasuredUptime>, now: EpochMillis) =>
          sql`INSERT INTO monitor_summaries (monitor_id, uptime_24h, response_time_24h, median_24h, measured_at)
            SELECT s.monitor_id, v.uptime, COALESCE(
                (SELECT sum(response_time_sum) / NULLIF(sum(response_time_count), 0) FROM rollup_hour h
                  WHERE h.monitor_id = s.monitor_id AND h.hour >= ${new Date(now - dayMillis)}),
                (SELECT avg((region.value->>'responseTime')::double precision) FROM jsonb_each(s.state->'regions') region)
              ), (SELECT ${valueOfBucket} FROM (
                  SELECT entry / ${one} AS bucket, sum(sum(entry % ${one})) OVER (ORDER BY entry / ${one}) AS reached,
                    sum(sum(entry % ${one})) OVER () AS total
                  FROM timing_hour t CROSS JOIN LATERAL unnest(t.response_time) AS entry
                  WHERE t.monitor_id = s.monitor_id AND t.hour >= ${new Date(now - dayMillis)} GROUP BY entry / ${one}
                ) AS counted WHERE reached * 2 >= total), ${new Date(now)}
            FROM json_to_recordset(${JSON.stringify(measured)}::json) AS v(id text, uptime double precision)
            JOIN monitor_states s ON s.monitor_id = v.id
            ON CONFLICT (monitor_id) DO UPDATE SET uptime_24h = EXCLUDED.uptime_24h,
              response_time_24h = EXCLUDED.response_time_24h, median_24h = EXCLUDED.median_24h,
              measured_at = EXCLUDED.measured_at
            WHERE (monitor_summaries.uptime_24h, monitor_summaries.response_time_24h, monitor_summaries.median_24h)
              IS DISTINCT FROM (EXCLUDED.uptime_24h, EXCLUDED.response_time_24h, EXCLUDED.median_24h)`.pipe(
            Effect.asVoid,
            Effect.orDie
          ),
        /** The sums of the days from `from` that are rolled up, of each of these monitors, and until when they are. */
        closedDays: (ids: ReadonlyArray<MonitorId>, from: EpochMillis) =>
          closedDays(sql`SELECT m.id, m.project_id AS "projectId", m.created_at AS "createdAt",
              GREATEST(${new Date(from)}, (SELECT closed_until FROM rollup_progress WHERE name = 'day')) AS "closedUntil",
              COALESCE(d.up, 0)::double precision AS up, COALESCE(d.down, 0)::double precision AS down
            FROM monitors m CROSS JOIN LATERAL (SELECT sum(up_millis) AS up, sum(down_millis) AS down
              FROM rollup_day WHERE monitor_id = m.id AND day >= ${utcDay(from)}::text::date) d
            WHERE m.id = ANY(${ids}::text[])`),
        /** The last outage in each project that these monitors are of. */
        lastOutages: (ids: ReadonlyArray<MonitorId>) =>
          projectOutages(sql`SELECT DISTINCT ON (o."projectId") o.* FROM (${outagesOf(sql, sql`m.id = ANY(${ids}::text[])`)}) o
            ORDER BY o."projectId", COALESCE(o."endedAt", 'infinity') DESC, o."startedAt" DESC`),
        /** Replaces what is kept of projects. */
        saveProjects: (months: Iterable<ProjectMonth>, now: EpochMillis) => {
          const rows = Array.from(months, ({ down, outage, projectId, since, up }) => ({
            id: projectId,
            since: new Date(since),
            up: Math.round(up),
            down: Math.round(down),
            monitor: outage?.monitorId ?? null
          }))
          return sql`WITH saved AS (
              INSERT INTO project_summaries (project_id, known_since, up_millis, down_millis, outage_monitor, measured_at)
              SELECT p.id, v.since, v.up, v.down, m.id, ${new Date(now)}
              FROM json_to_recordset(${JSON.stringify(rows)}::json)
                AS v(id text, since timestamptz, up bigint, down bigint, monitor text)
              JOIN projects p ON p.id = v.id LEFT JOIN monitors m ON m.id = v.monitor
              ON CONFLICT (project_id) DO UPDATE SET known_since = EXCLUDED.known_since, up_millis = EXCLUDED.up_millis,
                down_millis = EXCLUDED.down_millis, outage_monitor = EXCLUDED.outage_monitor,
                measured_at = EXCLUDED.measured_at)
            -- Of projects that have no monitor any more.
            DELETE FROM project_summaries WHERE project_id <> ALL(${rows.map(({ id }) => id)}::text[])`.pipe(
            Effect.asVoid,
            Effect.orDie
          )
        },
        /** What is kept of a project. */
        findMonth: (projectId: ProjectId) =>
          months(sql`SELECT known_since AS since, up_millis::double precision AS up, down_millis::double precision AS down,
              outage_monitor AS "outageOf", measured_at AS "measuredAt"
            FROM project_summaries WHERE project_id = ${projectId}`),
        /** The last outage of a monitor, and of those whose status changed since an instant: few, unless it is long ago. */
        outageSince: (projectId: ProjectId, id: MonitorId | null, since: EpochMillis) =>
          outage(
            sql`SELECT o.* FROM (${outagesOf(
              sql,
              sql`m.project_id = ${projectId} AND (m.id = ${id} OR (s.state->'since')::double precision >= ${since})`
            )}) o ORDER BY COALESCE(o."endedAt", 'infinity') DESC, o."startedAt" DESC LIMIT 1`
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(SummaryRepository, SummaryRepository.make)
}

/** The last stretch of each of the monitors `m`, with states `s`, in which it was down outside of maintenance. Unknown time ends none. */
const outagesOf = (sql: SqlClient.SqlClient, which: Statement.Fragment) =>
  sql`SELECT m.id AS "monitorId", m.project_id AS "projectId", f.at AS "startedAt", e.at AS "endedAt"
    FROM monitors m JOIN monitor_states s ON s.monitor_id = m.id
    CROSS JOIN LATERAL (SELECT d.at, d.sequence FROM status_changes d WHERE d.monitor_id = m.id AND d.status = 'down'
      AND NOT EXISTS (SELECT FROM maintenance_windows w
        WHERE w.monitor_id = m.id AND w.starts_at <= d.at AND w.ends_at > d.at)
      ORDER BY d.at DESC, d.sequence DESC LIMIT 1) c
    LEFT JOIN LATERAL (SELECT at, sequence FROM status_changes
      WHERE monitor_id = m.id AND status NOT IN ('unknown', 'down') AND (at, sequence) < (c.at, c.sequence)
      ORDER BY at DESC, sequence DESC LIMIT 1) other ON true
    CROSS JOIN LATERAL (SELECT at FROM status_changes
      WHERE monitor_id = m.id AND status = 'down' AND (at, sequence) <= (c.at, c.sequence)
        AND (other.at IS NULL OR (at, sequence) > (other.at, other.sequence))
      ORDER BY at, sequence LIMIT 1) f
    LEFT JOIN LATERAL (SELECT at FROM status_changes
      WHERE monitor_id = m.id AND status NOT IN ('unknown', 'down') AND (at, sequence) > (c.at, c.sequence)
      ORDER BY at, sequence LIMIT 1) e ON true
    WHERE ${which}`

const closedDays = Rows.all(
  Schema.Struct({
    id: MonitorId,
    projectId: ProjectId,
    createdAt: Rows.Time,
    closedUntil: Rows.Time,
    up: Schema.Finite,
    down: Schema.Finite
  })
)
const Found = Schema.Struct({
  monitorId: MonitorId,
  projectId: ProjectId,
  startedAt: Rows.Time,
  endedAt: Schema.NullOr(Rows.Time)
})
const projectOutages = Rows.all(Found)
const outage = Rows.first(Found)
const months = Rows.first(
  Schema.Struct({
    since: Rows.Time,
    up: Schema.Finite,
    down: Schema.Finite,
    outageOf: Schema.NullOr(MonitorId),
    measuredAt: Rows.Time
  })
)
