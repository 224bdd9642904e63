/** The past of a monitor: statistics, daily uptime, response times. */
import { MonitorNotFound } from "@kanmon/domain/NotFound"
import type { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import { dayMillis, type EpochMillis } from "@kanmon/domain/Timestamp"
import { percent } from "@kanmon/domain/Uptime"
import { Clock, Context, Effect, Layer } from "effect"
import { HistoryRepository } from "./HistoryRepository.ts"
import { ResponseTimes } from "./ResponseTimes.ts"
import { StatusHistory } from "./StatusHistory.ts"

export class History extends Context.Service<History>()("@kanmon/monitoring/evaluation/History", {
  make: Effect.gen(function* () {
    const repository = yield* HistoryRepository
    const statusHistory = yield* StatusHistory
    const times = yield* ResponseTimes

    const find = Effect.fnUntraced(function* (projectId: ProjectId, id: MonitorId) {
      const monitor = yield* repository.find(projectId, id, yield* Clock.currentTimeMillis)
      if (monitor === undefined) return yield* new MonitorNotFound({ id })
      return monitor
    })

    /** The certificate in the newest check that saw one, for monitors that have one. */
    const certificates = Effect.fn("History.certificates")(repository.certificates)

    const stats = Effect.fn("History.stats")(function* (projectId: ProjectId, id: MonitorId) {
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

    /** Days in `[from, to)` about which something is known, oldest first. */
    const dailyUptime = Effect.fn("History.dailyUptime")(function* (
      projectId: ProjectId,
      id: MonitorId,
      from: EpochMillis,
      to: EpochMillis
    ) {
      const monitor = yield* find(projectId, id)
      const days = yield* statusHistory.days([monitor], from, Math.min(to, yield* Clock.currentTimeMillis))
      return days.get(id)!.flatMap(({ day, upDown }) => {
        const uptime = percent(upDown)
        return uptime === null ? [] : [{ date: day, uptime, downtime: upDown.down / 1000 }]
      })
    })

    /** Points in `[from, to)`, oldest first; at most `limit` a region: raw when they fit, else means of equal buckets. */
    const responseTimes = Effect.fn("History.responseTimes")(function* (
      projectId: ProjectId,
      id: MonitorId,
      from: EpochMillis,
      to: EpochMillis,
      limit: number
    ) {
      yield* find(projectId, id)
      return yield* times.read(id, from, to, limit)
    })

    return { certificates, stats, dailyUptime, responseTimes }
  })
}) {
  static readonly layer = Layer.effect(History, History.make)
}
