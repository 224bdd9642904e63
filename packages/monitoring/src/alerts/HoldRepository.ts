/** The state of outages with held alerts, and of the monitors that others depend on. */
import { MonitorId } from "@kanmon/domain/Ids"
import { type EpochMillis, toIso } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"
import type { Question } from "@kanmon/platform/DueWork"
import type { AlertChanges } from "./AlertRecords.ts"

/** Whether an alert is held. */
export const isDue: Question = (sql) => sql`EXISTS (SELECT FROM alert_holds WHERE waits_until IS NOT NULL)`

export class HoldRepository extends Context.Service<HoldRepository>()("@kanmon/monitoring/alerts/HoldRepository", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const save = Effect.fnUntraced(function* (holds: AlertChanges["holds"]) {
      const ended = holds.flatMap(({ hold, monitorId }) => (hold === undefined ? [monitorId] : []))
      const rows = holds.flatMap(({ hold, monitorId }) =>
        hold === undefined
          ? []
          : [
              {
                id: monitorId,
                streak: hold.streak,
                unwell: hold.unwell,
                from: hold.wait === null ? null : toIso(hold.wait.from),
                until: hold.wait === null ? null : toIso(hold.wait.until)
              }
            ]
      )
      if (ended.length > 0) yield* sql`DELETE FROM alert_holds WHERE monitor_id = ANY(${ended}::text[])`
      if (rows.length === 0) return
      yield* sql`INSERT INTO alert_holds (monitor_id, streak, unwell, waits_from, waits_until)
          SELECT id, streak, unwell, "from", until FROM json_to_recordset(${JSON.stringify(rows)}::json)
            AS v(id text, streak integer, unwell integer, "from" timestamptz, until timestamptz)
          ON CONFLICT (monitor_id) DO UPDATE SET streak = excluded.streak, unwell = excluded.unwell,
            waits_from = excluded.waits_from, waits_until = excluded.waits_until`
    }, Effect.orDie)

    /**
     * Monitors with alerts that no longer have to wait for the next checks of their parents; the longest wait first.
     */
    const findDone = (at: EpochMillis, limit: number) => {
      const now = new Date(at)
      return monitors(sql`SELECT h.monitor_id AS id FROM alert_holds h
          WHERE h.waits_until IS NOT NULL AND (h.waits_until <= ${now} OR NOT EXISTS (
            SELECT FROM monitor_dependencies d JOIN monitors pm ON pm.id = d.depends_on
              JOIN monitor_states ps ON ps.monitor_id = d.depends_on
            WHERE d.monitor_id = h.monitor_id AND ${lastLook(sql, now)} < extract(epoch FROM h.waits_from) * 1000))
          ORDER BY h.waits_until, h.monitor_id LIMIT ${limit}`).pipe(Effect.map((rows) => rows.map(({ id }) => id)))
    }

    return { save, findDone }
  })
}) {
  static readonly layer = Layer.effect(HoldRepository, HoldRepository.make)
}

const monitors = Rows.all(Schema.Struct({ id: MonitorId }))

export const ParentJson = Schema.Struct({ isDown: Schema.Boolean, checkedAt: Schema.NullOr(Schema.Finite) })

export const HoldJson = Schema.Struct({
  streak: Schema.Int,
  unwell: Schema.Int,
  wait: Schema.NullOr(Schema.Struct({ from: Schema.Finite, until: Schema.Finite }))
})

/** Whether the state `ps` is known to be down: neither stale nor unknown at present. */
const isDown = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql`(ps.status = 'down' AND NOT ps.stale AND ps.state->>'blindSince' IS NULL)`

/**
 * When that region of the monitor `pm`, with the state `ps`, looked that looked longest ago; regions that gave up do not count.
 * NULL for a monitor that is not worth waiting for: it is not checked, or its status is not good.
 */
const lastLook = (sql: SqlClient.SqlClient, now: Date): Statement.Fragment =>
  sql`(CASE WHEN ps.status IN ('up', 'degraded') AND NOT ps.stale AND NOT pm.passive THEN
    (SELECT min((r.value->>'checkedAt')::double precision) FROM jsonb_each(ps.state->'regions') r
      WHERE (r.value->>'checkedAt')::double precision
        > (extract(epoch FROM ${now}::timestamptz) - 2 * pm.vote_seconds - 60) * 1000) END)`

/** The monitors that the monitor `m` depends on, as {@link ParentJson}. */
export const parentsOf = (sql: SqlClient.SqlClient, now: Date): Statement.Fragment =>
  sql`COALESCE((SELECT json_agg(json_build_object('isDown', ${isDown(sql)}, 'checkedAt', ${lastLook(sql, now)}))
    FROM monitor_dependencies d JOIN monitors pm ON pm.id = d.depends_on
      JOIN monitor_states ps ON ps.monitor_id = d.depends_on
    WHERE d.monitor_id = m.id), '[]')`

/** The row `h` of `alert_holds`, if any, as {@link HoldJson}. */
export const holdOf = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql`CASE WHEN h.monitor_id IS NOT NULL THEN json_build_object('streak', h.streak, 'unwell', h.unwell,
    'wait', CASE WHEN h.waits_from IS NOT NULL THEN json_build_object('from', extract(epoch FROM h.waits_from) * 1000,
      'until', extract(epoch FROM h.waits_until) * 1000) END) END`

/** Whether a monitor that the monitor of the alert `a` depends on is down. */
export const behindDownParent = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql`EXISTS (SELECT FROM monitor_dependencies d JOIN monitor_states ps ON ps.monitor_id = d.depends_on
    WHERE d.monitor_id = a.monitor_id AND ${isDown(sql)})`
