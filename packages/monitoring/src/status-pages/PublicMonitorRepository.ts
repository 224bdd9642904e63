/** Reads what status pages show of monitors: one query for all monitors of a page, however many. */
import { MonitorId, type ProjectId, type StatusPageId } from "@kanmon/domain/Ids"
import type { MonitorState } from "@kanmon/domain/MonitorState"
import { MonitorStatus, TimelineStatus } from "@kanmon/domain/Status"
import type { StatusPage } from "@kanmon/domain/StatusPage"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { type MeasuredMonitor, shownStatus, storedState } from "../evaluation/index.ts"
import * as Rows from "@kanmon/platform/database/Rows"

const MonitorRow = Schema.Struct({
  id: MonitorId,
  name: Schema.String,
  voteSeconds: Schema.Number,
  regions: Schema.Array(Schema.String),
  state: Schema.Unknown,
  displayGroup: Schema.NullOr(Schema.String),
  status: MonitorStatus,
  windowStart: Schema.NullOr(Rows.Time)
})

/** The most monitors that a page shows for its tags: as many as it can name. */
const maxTagged = 1000

/** The fields that decide which monitors a page shows. */
export type PageContent = Pick<StatusPage, "monitors" | "tags">

/** A monitor as its page shows it, with its stored state. */
export interface PageMonitorRecord extends MeasuredMonitor {
  readonly id: MonitorId
  readonly name: string
  readonly displayGroup: string | null
  readonly status: MonitorStatus
  /** The start of the maintenance window that is open. */
  readonly windowStart: EpochMillis | null
  readonly state: MonitorState
}

const ChangesRow = Schema.Struct({
  id: Schema.String,
  changes: Schema.NullOr(Schema.Array(Schema.Tuple([Schema.Number, TimelineStatus])))
})
const MeansRow = Schema.Struct({
  id: Schema.String,
  means: Schema.NullOr(Schema.Array(Schema.Tuple([Schema.Number, Schema.Number])))
})

export class PublicMonitorRepository extends Context.Service<PublicMonitorRepository>()(
  "@kanmon/monitoring/status-pages/PublicMonitorRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      /** The monitors that a page names, and those that carry its tags, which have no position. */
      const shownOn = (id: StatusPageId) => sql`SELECT monitor_id, display_group, position
          FROM status_page_monitors WHERE page_id = ${id}
        UNION ALL (SELECT m.id, NULL, NULL FROM status_pages page JOIN monitors m ON m.project_id = page.project_id
          WHERE page.id = ${id} AND page.tags <> '{}' AND m.tags && page.tags
            AND NOT EXISTS (SELECT FROM status_page_monitors n WHERE n.page_id = page.id AND n.monitor_id = m.id)
          ORDER BY m.name_folded, m.id LIMIT ${maxTagged})`

      /** The same of a page that is not saved. */
      const shownBy = (projectId: ProjectId, { monitors, tags }: PageContent) => sql`SELECT
          entry->>'monitorId' AS monitor_id, entry->>'displayGroup' AS display_group, place AS position
          FROM jsonb_array_elements(${JSON.stringify(monitors)}::jsonb) WITH ORDINALITY AS shown (entry, place)
        UNION ALL (SELECT m.id, NULL, NULL FROM monitors m
          WHERE m.project_id = ${projectId} AND m.tags && ${tags}::text[]
            AND NOT m.id = ANY(${monitors.map(({ monitorId }) => monitorId)}::text[])
          ORDER BY m.name_folded, m.id LIMIT ${maxTagged})`

      const read = (shown: Statement.Fragment, now: EpochMillis) =>
        sql`SELECT m.id, m.name, m.vote_seconds::double precision AS "voteSeconds", m.regions, s.state,
              p.display_group AS "displayGroup",
              ${shownStatus(sql, now)} AS status,
              (SELECT min(starts_at) FROM maintenance_windows w
                WHERE w.monitor_id = m.id AND w.starts_at <= ${new Date(now)} AND w.ends_at > ${new Date(now)}) AS "windowStart"
            FROM (${shown}) p JOIN monitors m ON m.id = p.monitor_id
              JOIN monitor_states s ON s.monitor_id = m.id
            ORDER BY p.position NULLS LAST, m.name_folded, m.id`.pipe(
          Rows.all(MonitorRow),
          Effect.map((rows) => rows.map((row) => ({ ...row, state: storedState.decode(row.state) })))
        )

      return {
        /** The monitors of a page, in the page's order. */
        list: (id: StatusPageId, now: EpochMillis) => read(shownOn(id), now),
        /** The monitors of the project that a page with this content would show, in its order. */
        listDraft: (projectId: ProjectId, content: PageContent, now: EpochMillis) =>
          read(shownBy(projectId, content), now),
        /** The last status changes in `[from, now)` of monitors that have ever been down, oldest first, at most `limit` each. */
        changes: (ids: ReadonlyArray<string>, from: EpochMillis, now: EpochMillis, limit: number) =>
          sql`SELECT m.id, (SELECT json_agg(json_build_array((extract(epoch FROM at) * 1000)::bigint, status)
                ORDER BY at, sequence)
              FROM (SELECT at, sequence, status FROM status_changes WHERE monitor_id = m.id AND at < ${new Date(now)}
                AND at >= COALESCE(
                  (SELECT max(at) FROM status_changes WHERE monitor_id = m.id AND at <= ${new Date(from)}), '-infinity')
                ORDER BY at DESC, sequence DESC LIMIT ${limit}) newest) AS changes
            FROM unnest(${ids}::text[]) AS m(id)
            WHERE EXISTS (SELECT FROM status_changes
              WHERE monitor_id = m.id AND status = 'down' AND at < ${new Date(now)})`.pipe(
            Rows.all(ChangesRow),
            Effect.map(
              (rows) =>
                new Map(rows.map(({ changes, id }) => [id, (changes ?? []).map(([at, status]) => ({ at, status }))]))
            )
          ),
        /** The mean response times of hours in `[from, to)`, by monitor and by the hour's place in that span. */
        meanResponseTimes: (ids: ReadonlyArray<string>, from: EpochMillis, to: EpochMillis) =>
          sql`SELECT m.id, (SELECT json_agg(json_build_array(hour, mean)) FROM (
              SELECT ((extract(epoch FROM hour) * 1000 - ${from}) / 3600000)::int AS hour,
                sum(response_time_sum) / sum(response_time_count) AS mean
              FROM rollup_hour WHERE monitor_id = m.id AND hour >= ${new Date(from)} AND hour < ${new Date(to)}
                AND response_time_count > 0 GROUP BY 1) h) AS means
            FROM unnest(${ids}::text[]) AS m(id)`.pipe(
            Rows.all(MeansRow),
            Effect.map((rows) => new Map(rows.map(({ id, means }) => [id, new Map(means)])))
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(PublicMonitorRepository, PublicMonitorRepository.make)
}
