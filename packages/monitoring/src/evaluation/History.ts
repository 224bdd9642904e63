/** The past of a monitor: statistics, daily uptime, response times. */
import { MonitorNotFound } from "@kanmon/domain/NotFound"
import type { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import type { MonitorStats } from "@kanmon/domain/Monitor"
import { dayMillis, type EpochMillis } from "@kanmon/domain/Timestamp"
import { percent } from "@kanmon/domain/Uptime"
import { Clock, Context, Effect, Layer, type Schema } from "effect"
import { HistoryRepository } from "./HistoryRepository.ts"
import type { ResponseTimePoint } from "./ResponseTimeRepository.ts"
import { ResponseTimes } from "./ResponseTimes.ts"
import { StatusHistory } from "./StatusHistory.ts"

export class History extends Context.Service<
  History,
  {
    /** The certificate in the newest check that saw one, for monitors that have one. */
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
    ) => Effect.Effect<ReadonlyArray<ResponseTimePoint>, MonitorNotFound>
  }
>()("@kanmon/monitoring/evaluation/History") {
  static readonly layer = Layer.effect(
    History,
    Effect.gen(function* () {
      const repository = yield* HistoryRepository
      const statusHistory = yield* StatusHistory
      const times = yield* ResponseTimes

      const find = Effect.fnUntraced(function* (projectId: ProjectId, id: MonitorId) {
        const monitor = yield* repository.find(projectId, id, yield* Clock.currentTimeMillis)
        if (monitor === undefined) return yield* new MonitorNotFound({ id })
        return monitor
      })

      const certificates = Effect.fn("History.certificates")(repository.certificates)

      const stats: History["Service"]["stats"] = Effect.fn("History.stats")(function* (projectId, id) {
        const monitor = yield* find(projectId, id)
        const now = yield* Clock.currentTimeMillis
        const over = (days: number) =>
          Effect.map(statusHistory.upDown([monitor], now - days * dayMillis, now), (found) => percent(found.get(id)!))
        const [uptime24h, uptime7d, uptime30d] = yield* Effect.all([over(1), over(7), over(30)])
        const mean = yield* repository.meanResponseTime(id, now - dayMillis)
        return {
          status: monitor.status,
          uptime24h,
          uptime7d,
          uptime30d,
          avgResponseTime: mean === null ? null : Math.round(mean * 100) / 100,
          lastCheckedAt: monitor.lastCheckedAt
        }
      })

      const dailyUptime: History["Service"]["dailyUptime"] = Effect.fn("History.dailyUptime")(
        function* (projectId, id, from, to) {
          const monitor = yield* find(projectId, id)
          const days = yield* statusHistory.days([monitor], from, Math.min(to, yield* Clock.currentTimeMillis))
          return days.get(id)!.flatMap(({ day, upDown }) => {
            const uptime = percent(upDown)
            return uptime === null ? [] : [{ date: day, uptime }]
          })
        }
      )

      const responseTimes: History["Service"]["responseTimes"] = Effect.fn("History.responseTimes")(
        function* (projectId, id, from, to, limit) {
          yield* find(projectId, id)
          return yield* times.read(id, from, to, limit)
        }
      )

      return History.of({ certificates, stats, dailyUptime, responseTimes })
    })
  )
}
