/** A monitor's past: its outages, and its uptime with the intervals that it is made of. */
import { actorInWords } from "@kanmon/domain/AlertHandling"
import type { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import { MonitorNotFound } from "@kanmon/domain/NotFound"
import { countedAs, intervalsOf, outagesOf, sumOf } from "@kanmon/domain/Outage"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { percent } from "@kanmon/domain/Uptime"
import { Problem } from "@kanmon/protocol/Problem"
import { Clock, Context, Effect, Layer } from "effect"
import { StatusHistory } from "../evaluation/index.ts"
import { CheckLogRepository } from "./CheckLogRepository.ts"
import { OutageRepository } from "./OutageRepository.ts"

/** Intervals of one answer. */
const maxIntervals = 10_000

export class MonitorPast extends Context.Service<MonitorPast>()("@kanmon/monitoring/logs/MonitorPast", {
  make: Effect.gen(function* () {
    const repository = yield* CheckLogRepository
    const outageRepository = yield* OutageRepository
    const statusHistory = yield* StatusHistory

    const read = Effect.fnUntraced(function* (projectId: ProjectId, id: MonitorId, from: EpochMillis, to: EpochMillis) {
      const monitor = yield* repository.findMonitor(projectId, id)
      if (monitor === undefined) return yield* new MonitorNotFound({ id })
      const histories = yield* statusHistory.counted([monitor], from, to)
      return { monitor, timeline: histories.get(id) ?? [] }
    })

    /** The outages that overlap `[from, to)` and began before `before`, newest first, at most `limit`. */
    const outages = Effect.fn("MonitorPast.outages")(function* (
      projectId: ProjectId,
      id: MonitorId,
      {
        before = Number.POSITIVE_INFINITY,
        from,
        limit,
        to
      }: {
        readonly from: EpochMillis
        readonly to: EpochMillis
        readonly before?: EpochMillis | undefined
        readonly limit: number
      }
    ) {
      const now = yield* Clock.currentTimeMillis
      const { monitor, timeline } = yield* read(projectId, id, from, Math.min(to, now + 1))
      // Changes in the future only tell how long the newest results are valid.
      const past = timeline.filter(({ at }) => at <= now)
      const found = outagesOf(past, from, to)
        .filter(({ startedAt }) => startedAt < before)
        .toReversed()
      const shown = found.slice(0, limit)
      const contexts = yield* outageRepository.contexts(projectId, id, shown, monitor.voteSeconds * 1000)
      const items = shown.map((outage, index) => {
        const { acknowledgedBy, ...context } = contexts[index]!
        return {
          ...outage,
          durationSeconds: seconds((outage.endedAt ?? now) - outage.startedAt),
          ...context,
          acknowledgedBy: acknowledgedBy === null ? null : actorInWords(acknowledgedBy)
        }
      })
      return { items, last: found.length > limit ? shown.at(-1)?.startedAt : undefined }
    })

    /** The uptime over `[from, to)`, as far as it has passed. */
    const uptime = Effect.fn("MonitorPast.uptime")(function* (
      projectId: ProjectId,
      id: MonitorId,
      from: EpochMillis,
      to: EpochMillis
    ) {
      const end = Math.max(from, Math.min(to, yield* Clock.currentTimeMillis))
      const { timeline } = yield* read(projectId, id, from, end)
      const intervals = intervalsOf(timeline, from, end)
      if (intervals.length > maxIntervals) return yield* tooMany(intervals.length)
      const { down, up } = sumOf(intervals)
      return {
        from,
        to: end,
        uptime: percent({ down, up }),
        upSeconds: seconds(up),
        downSeconds: seconds(down),
        excludedSeconds: seconds(end - from - up - down),
        intervals: intervals.map((interval) => ({ ...interval, counted: countedAs(interval.status) }))
      }
    })

    return { outages, uptime }
  })
}) {
  static readonly layer = Layer.effect(MonitorPast, MonitorPast.make).pipe(
    Layer.provide([CheckLogRepository.layer, OutageRepository.layer])
  )
}

const seconds = (millis: number): number => millis / 1000

const tooMany = (count: number) => {
  const message = `The window has ${count} intervals, and an answer at most ${maxIntervals}; ask for a shorter one`
  return new Problem({ code: "malformed_request", detail: `from: ${message}`, errors: [{ path: "from", message }] })
}
