/** Reads the state of all monitors of a project at once: never a query for each of them. */
import { IncidentId, type ProjectId } from "@kanmon/domain/Ids"
import { IncidentStatus } from "@kanmon/domain/Incident"
import { targetNames } from "@kanmon/domain/SearchText"
import { MonitorStatus } from "@kanmon/domain/Status"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { shownStatus } from "../evaluation/index.ts"
import * as Rows from "@kanmon/platform/database/Rows"

export class OverviewRepository extends Context.Service<OverviewRepository>()(
  "@kanmon/monitoring/overview/OverviewRepository",
  {
    make: Effect.map(SqlClient.SqlClient, (sql) => ({
      statuses: (projectId: ProjectId, now: EpochMillis) =>
        statuses(sql`SELECT ${shownStatus(sql, now)} AS status, count(*)::integer AS count,
              (count(*) FILTER (WHERE s.stale))::integer AS stale
            FROM monitors m JOIN monitor_states s ON s.monitor_id = m.id
            WHERE m.project_id = ${projectId} GROUP BY 1`),
      countOpenAlerts: (projectId: ProjectId) =>
        Effect.map(
          count(sql`SELECT count(*)::integer AS count FROM alerts a
              WHERE a.project_id = ${projectId} AND a.resolved_at IS NULL AND ${ofSomething(sql)}`),
          (row) => row.count
        ),
      /** Unresolved incidents, newest first. */
      incidents: (projectId: ProjectId, limit: number) =>
        incidents(sql`SELECT id, title, status, started_at AS "startedAt" FROM incidents
            WHERE project_id = ${projectId} AND NOT maintenance AND resolved_at IS NULL ORDER BY id DESC LIMIT ${limit}`),
      /** Windows that have not ended, in the order in which they begin. */
      windows: (projectId: ProjectId, now: EpochMillis, limit: number) =>
        windows(sql`SELECT id, title, scheduled_start AS "scheduledStart", scheduled_end AS "scheduledEnd"
            FROM incidents WHERE project_id = ${projectId} AND maintenance AND resolved_at IS NULL
              AND scheduled_end > ${new Date(now)} ORDER BY scheduled_start, id LIMIT ${limit}`),
      /**
       * The newest monitors as columns: two JSON objects in pieces. Settings are left out if `known` is their present
       * version.
       */
      columns: (projectId: ProjectId, known: string, now: EpochMillis, limit: number) =>
        pieces(sql`WITH found AS (
              SELECT count(*) AS total,
                count(*) || ' ' || COALESCE(bit_xor(hashtextextended(id, xmin::text::bigint)), 0) AS version
              FROM monitors WHERE project_id = ${projectId}),
            documents AS MATERIALIZED (
              SELECT version, 'settings' AS part, convert_to((${settings(sql, projectId, limit)}), 'UTF8') AS json
              FROM found WHERE version <> ${known}
              UNION ALL
              SELECT version, 'states', convert_to((${states(sql, projectId, now, limit)}), 'UTF8') FROM found)
            SELECT version, part, substring(json FROM place FOR ${pieceBytes}::integer) AS json
            FROM documents, generate_series(1, length(json), ${pieceBytes}::integer) place ORDER BY part, place`)
    }))
  }
) {
  static readonly layer = Layer.effect(OverviewRepository, OverviewRepository.make)
}

/** Whether the alert `a` is of an integration, or of a monitor that exists. */
export const ofSomething = (sql: SqlClient.SqlClient) =>
  sql`a.drill_id IS NULL AND (a.monitor_id IS NULL OR EXISTS (SELECT FROM monitors m WHERE m.id = a.monitor_id))`

/** The settings by people, as a JSON object: the longest part, which seldom changes. Of the monitors that existed at an instant. */
export const settings = (sql: SqlClient.SqlClient, projectId: ProjectId, limit: number, at?: EpochMillis) =>
  sql`WITH listed AS MATERIALIZED (
      SELECT id, name, type, group_path, array_to_string(tags, ',') AS tags, array_to_string(regions, ',') AS regions,
        ${target(sql)} AS target
      FROM monitors m WHERE project_id = ${projectId}
        AND ${at === undefined ? sql`true` : sql`created_at <= ${new Date(at)}`} ORDER BY id DESC LIMIT ${limit}),
    groups AS (SELECT name, row_number() OVER (ORDER BY name) - 1 AS place
      FROM (SELECT DISTINCT group_path AS name FROM listed WHERE group_path IS NOT NULL) g),
    sets AS (SELECT tags, row_number() OVER (ORDER BY tags) - 1 AS place
      FROM (SELECT DISTINCT tags FROM listed) t),
    region_sets AS (SELECT regions, row_number() OVER (ORDER BY regions) - 1 AS place
      FROM (SELECT DISTINCT regions FROM listed) r),
    ordered AS MATERIALIZED (
      SELECT l.*, g.place AS group_place, t.place AS set_place, r.place AS regions_place
      FROM listed l LEFT JOIN groups g ON g.name = l.group_path JOIN sets t ON t.tags = l.tags
        JOIN region_sets r ON r.regions = l.regions
      ORDER BY l.id DESC)
    SELECT json_build_object(
        'total', (SELECT total FROM found),
        'groups', (SELECT COALESCE(json_agg(name ORDER BY place), '[]') FROM groups),
        'tagSets', (SELECT COALESCE(json_agg(string_to_array(tags, ',') ORDER BY place), '[]') FROM sets),
        'regionSets', (SELECT COALESCE(json_agg(string_to_array(regions, ',') ORDER BY place), '[]') FROM region_sets),
        'id', COALESCE(json_agg(id), '[]'),
        'name', COALESCE(json_agg(name), '[]'),
        'type', COALESCE(json_agg(type), '[]'),
        'target', COALESCE(json_agg(target), '[]'),
        'group', COALESCE(json_agg(group_place), '[]'),
        'tags', COALESCE(json_agg(set_place), '[]'),
        'regions', COALESCE(json_agg(regions_place), '[]')
      )::text FROM ordered`

/** The results of checks, in the same order, as a JSON object. */
const states = (sql: SqlClient.SqlClient, projectId: ProjectId, now: EpochMillis, limit: number) =>
  sql`SELECT json_build_object(
      'status', COALESCE(json_agg(status), '[]'),
      'since', COALESCE(json_agg(since), '[]'),
      'uptime24h', COALESCE(json_agg(uptime), '[]'),
      'p50', COALESCE(json_agg(median), '[]'),
      'responseTime24h', COALESCE(json_agg(response_time), '[]'),
      'results', COALESCE(json_agg(recent), '[]'),
      'stale', COALESCE(json_agg(row_index) FILTER (WHERE stale), '[]'),
      'failures', COALESCE(json_agg(json_strip_nulls(json_build_object('monitor', row_index,
          'message', failure->>'message', 'explanation', failure->'explanation')))
        FILTER (WHERE status IN ('down', 'degraded') AND failure->>'message' IS NOT NULL), '[]')
    )::text FROM (
      SELECT CASE WHEN s.status <> 'paused' AND m.id IN (SELECT w.monitor_id FROM maintenance_windows w
            WHERE w.starts_at <= ${new Date(now)} AND w.ends_at > ${new Date(now)})
          THEN 'maintenance' ELSE s.status END AS status, s.stale, row_number() OVER (ORDER BY m.id DESC) - 1 AS row_index,
        -- A degraded check passed: it is not the last failure.
        CASE s.status WHEN 'down' THEN s.state->'lastFailure' WHEN 'degraded' THEN (
          SELECT r.value->'failure' FROM jsonb_each(s.state->'regions') r
          WHERE r.value->>'status' = 'degraded' LIMIT 1) END AS failure,
        (s.state->'since')::bigint / 1000 AS since, u.uptime_24h AS uptime,
        round(u.median_24h * 100) / 100 AS median, round(u.response_time_24h * 100) / 100 AS response_time,
        COALESCE(s.state->>'recent', '') AS recent
      FROM monitors m JOIN monitor_states s ON s.monitor_id = m.id LEFT JOIN monitor_summaries u ON u.monitor_id = m.id
      WHERE m.project_id = ${projectId} ORDER BY m.id DESC LIMIT ${limit}) listed`

/** The checked target, as `targetOf` of domain/SearchText: the first of its fields, without credentials and query. */
const target = (sql: SqlClient.SqlClient) => {
  const address = sql.literal(`COALESCE(${targetNames.map((name) => `m.config->>'${name}'`).join(", ")})`)
  return sql`split_part(split_part(CASE WHEN ${address} LIKE '%://%@%' THEN regexp_replace(${address}, '://[^/?#]*@', '://')
    WHEN ${address} LIKE '%://%' THEN ${address}
    WHEN ${address} NOT LIKE '%@%' THEN ${address} END, '?', 1), '#', 1) || COALESCE(':' || (m.config->>'port'), '')`
}

const statuses = Rows.all(Schema.Struct({ status: MonitorStatus, count: Rows.Count, stale: Rows.Count }))
const count = Rows.one(Schema.Struct({ count: Rows.Count }))
const incidents = Rows.all(
  Schema.Struct({ id: IncidentId, title: Schema.String, status: IncidentStatus, startedAt: Rows.Time })
)
const windows = Rows.all(
  Schema.Struct({ id: IncidentId, title: Schema.String, scheduledStart: Rows.Time, scheduledEnd: Rows.Time })
)
/**
 * A piece of JSON: the database makes it, because ten thousand rows would take a while to decode. The version changes with
 * every change of a monitor's settings.
 */
const Piece = Schema.Struct({
  version: Schema.String,
  part: Schema.Literals(["settings", "states"]),
  json: Schema.instanceOf(Uint8Array)
})
const pieces = Rows.all(Piece)
/** Larger rows would make the driver copy its buffer again and again. */
const pieceBytes = 16_000
