/** Reads status histories: their entries, and the uptime of closed days. One query for all monitors, however many. */
import { TimelineStatus } from "@kanmon/domain/Status"
import { type EpochMillis, utcDay } from "@kanmon/domain/Timestamp"
import type { TimelineEntry, UpDown } from "@kanmon/domain/Uptime"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

/** The fields of a monitor that rollups need. */
export interface RolledDays {
  /** Days before this instant are filled, and correct. */
  readonly closedUntil: EpochMillis
  /** By day, as `YYYY-MM-DD`; days about which nothing is known are missing. */
  readonly days: Readonly<Record<string, UpDown>>
}

export class StatusHistoryRepository extends Context.Service<
  StatusHistoryRepository,
  {
    /** The entries in force during `[from, to)`, oldest first. Monitors without an entry are missing. */
    readonly entries: (
      ids: ReadonlyArray<string>,
      from: EpochMillis,
      to: EpochMillis
    ) => Effect.Effect<ReadonlyMap<string, ReadonlyArray<TimelineEntry>>>
    /** The rolled up days that touch `[from, to]`. Empty as long as no day was ever filled. */
    readonly rolledDays: (
      ids: ReadonlyArray<string>,
      from: EpochMillis,
      to: EpochMillis
    ) => Effect.Effect<ReadonlyMap<string, RolledDays>>
  }
>()("@kanmon/monitoring/evaluation/StatusHistoryRepository") {
  static readonly layer = Layer.effect(
    StatusHistoryRepository,
    Effect.map(SqlClient.SqlClient, (sql) =>
      StatusHistoryRepository.of({
        entries: (ids, from, to) =>
          Effect.map(
            entries(sql`SELECT m.id, c.at, c.status FROM unnest(${ids}::text[]) AS m(id)
              CROSS JOIN LATERAL (
                SELECT at, sequence, status FROM status_changes
                WHERE monitor_id = m.id AND at < ${new Date(to)}
                  AND at >= COALESCE(
                    (SELECT max(at) FROM status_changes WHERE monitor_id = m.id AND at <= ${new Date(from)}), '-infinity')
              ) c ORDER BY m.id, c.at, c.sequence`),
            (rows) => Map.groupBy(rows, ({ id }) => id)
          ),
        rolledDays: (ids, from, to) =>
          Effect.map(
            rolled(sql`SELECT m.id, LEAST(p.closed_until, d.since::timestamp AT TIME ZONE 'UTC') AS "closedUntil",
                (SELECT json_object_agg(to_char(day, 'YYYY-MM-DD'), json_build_object('up', up_millis, 'down', down_millis))
                  FROM rollup_day WHERE monitor_id = m.id
                    AND day >= ${utcDay(from)}::text::date AND day <= ${utcDay(to)}::text::date) AS days
              FROM unnest(${ids}::text[]) AS m(id)
              JOIN rollup_progress p ON p.name = 'day'
              LEFT JOIN rollup_dirty d ON d.monitor_id = m.id`),
            (rows) => new Map(rows.map(({ closedUntil, days, id }) => [id, { closedUntil, days: days ?? {} }]))
          )
      })
    )
  )
}

/** SQL for how monitor `m` with its state `s` stands at an instant: one that works during a window is in maintenance. */
export const shownStatus = (sql: SqlClient.SqlClient, now: EpochMillis) =>
  sql`CASE WHEN s.status <> 'paused' AND EXISTS (SELECT FROM maintenance_windows w
    WHERE w.monitor_id = m.id AND w.starts_at <= ${new Date(now)} AND w.ends_at > ${new Date(now)})
    THEN 'maintenance' ELSE s.status END`

const entries = Rows.all(Schema.Struct({ id: Schema.String, at: Rows.Time, status: TimelineStatus }))
const rolled = Rows.all(
  Schema.Struct({
    id: Schema.String,
    closedUntil: Rows.Time,
    days: Schema.NullOr(Schema.Record(Schema.String, Schema.Struct({ up: Schema.Number, down: Schema.Number })))
  })
)
