/** What is known of a monitor's past: statistics, daily uptime, response times. */
import type { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import type { MonitorStats } from "@kanmon/domain/Monitor"
import type { MonitorStatus } from "@kanmon/domain/Status"
import { dayMillis, type EpochMillis } from "@kanmon/domain/Timestamp"
import { percent } from "@kanmon/domain/Uptime"
import { Clock, Context, Effect, Layer, type Schema } from "effect"
import { SqlClient } from "effect/sql"
import { MonitorNotFound } from "../monitors/Monitors.ts"
import * as ResponseTimes from "./ResponseTimes.ts"
import * as Timeline from "./Timeline.ts"

export class History extends Context.Service<
  History,
  {
    /** What the newest check that saw a certificate says of it, for those monitors that were shown one. */
    readonly certificates: (ids: ReadonlyArray<MonitorId>) => Effect.Effect<ReadonlyMap<MonitorId, Schema.Json>>
    readonly stats: (projectId: ProjectId, id: MonitorId) => Effect.Effect<MonitorStats, MonitorNotFound>
    /** Days in `[from, to)` about which something is known, oldest first. */
    readonly dailyUptime: (
      projectId: ProjectId,
      id: MonitorId,
      from: EpochMillis,
      to: EpochMillis
    ) => Effect.Effect<ReadonlyArray<{ readonly date: string; readonly uptime: number }>, MonitorNotFound>
    /** Points in `[from, to)`, oldest first; at most `limit` a region: raw when they fit, else means of equal buckets. */
    readonly responseTimes: (
      projectId: ProjectId,
      id: MonitorId,
      from: EpochMillis,
      to: EpochMillis,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ResponseTimes.ResponseTimePoint>, MonitorNotFound>
  }
>()("@kanmon/store/history/History") {
  static readonly layer = Layer.effect(
    History,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const provide = Effect.provideService(SqlClient.SqlClient, sql)

      const find = Effect.fnUntraced(function* (projectId: ProjectId, id: MonitorId) {
        const status = Timeline.shownStatus(sql, yield* Clock.currentTimeMillis)
        const [row] = yield* Effect.orDie(
          sql<Row>`SELECT m.id, m.vote_seconds::double precision AS vote_seconds, m.regions, ${status} AS status, s.last_checked_at, s.state
            FROM monitors m JOIN monitor_states s ON s.monitor_id = m.id
            WHERE m.id = ${id} AND m.project_id = ${projectId}`
        )
        if (row === undefined) return yield* new MonitorNotFound({ id })
        return row
      })

      const certificates: History["Service"]["certificates"] = Effect.fn("History.certificates")(function* (ids) {
        // Only monitors that were shown one are looked into. Its newest check may not have come as far as the certificate.
        const rows = yield* Effect.orDie(
          sql<{ id: MonitorId; facts: Schema.Json }>`SELECT s.monitor_id AS id, o.facts
            FROM monitor_states s CROSS JOIN LATERAL (
              SELECT facts->'certificate' AS facts FROM observations
              WHERE monitor_id = s.monitor_id AND scheduled_at >= s.last_checked_at - interval '1 day'
                AND facts ? 'certificate' ORDER BY scheduled_at DESC LIMIT 1) o
            WHERE s.monitor_id = ANY(${ids}::text[]) AND jsonb_path_exists(s.state, '$.regions.*.certificate')`
        )
        return new Map(rows.map(({ facts, id }) => [id, facts]))
      })

      const stats: History["Service"]["stats"] = Effect.fn("History.stats")(function* (projectId, id) {
        const monitor = yield* find(projectId, id)
        const now = yield* Clock.currentTimeMillis
        const over = (days: number) =>
          Effect.map(Timeline.upDown([monitor], now - days * dayMillis, now), (found) => percent(found.get(id)!))
        const [uptime24h, uptime7d, uptime30d] = yield* Effect.all([over(1), over(7), over(30)]).pipe(
          provide,
          Effect.orDie
        )
        const [mean] = yield* Effect.orDie(
          sql<{ value: number | null }>`SELECT avg(response_time) AS value FROM observations
            WHERE monitor_id = ${id} AND scheduled_at > ${new Date(now - dayMillis)}`
        )
        return {
          status: monitor.status,
          uptime24h,
          uptime7d,
          uptime30d,
          avgResponseTime: mean?.value == null ? null : Math.round(mean.value * 100) / 100,
          lastCheckedAt: monitor.last_checked_at?.getTime() ?? null
        }
      })

      const dailyUptime: History["Service"]["dailyUptime"] = Effect.fn("History.dailyUptime")(
        function* (projectId, id, from, to) {
          const monitor = yield* find(projectId, id)
          const days = yield* Timeline.days([monitor], from, Math.min(to, yield* Clock.currentTimeMillis)).pipe(
            provide,
            Effect.orDie
          )
          return days.get(id)!.flatMap(({ day, upDown }) => {
            const uptime = percent(upDown)
            return uptime === null ? [] : [{ date: day, uptime }]
          })
        }
      )

      const responseTimes: History["Service"]["responseTimes"] = Effect.fn("History.responseTimes")(
        function* (projectId, id, from, to, limit) {
          yield* find(projectId, id)
          return yield* ResponseTimes.read(id, from, to, limit).pipe(provide, Effect.orDie)
        }
      )

      return History.of({ certificates, stats, dailyUptime, responseTimes })
    })
  )
}

interface Row extends Timeline.MonitorRow {
  readonly status: MonitorStatus
  readonly last_checked_at: Date | null
}
