/**
 * Rollups of closed hours (response times) and days (uptime). Filling is idempotent. Late results mark a closed period,
 * and marked periods are filled again.
 */
import type { MonitorId } from "@kanmon/domain/Ids"
import { dayMillis, type EpochMillis, floorDay } from "@kanmon/domain/Timestamp"
import { measure } from "@kanmon/domain/Uptime"
import { Clock, Context, Effect, Layer } from "effect"
import { Transaction } from "@kanmon/platform/Transaction"
import { hourMillis } from "./Buckets.ts"
import { type ChangedDay, RollupRepository } from "./RollupRepository.ts"
import { knownUntilOf, StatusHistory } from "./StatusHistory.ts"

/** A period is closed this long after its end: late observations have arrived by then. */
const graceMillis = 300_000
const pageSize = 500
/** How far back a day may wait for observations that never arrive. */
const unsureDays = 2

export class Rollups extends Context.Service<Rollups>()("@kanmon/monitoring/evaluation/Rollups", {
  make: Effect.gen(function* () {
    const repository = yield* RollupRepository
    const transaction = yield* Transaction
    const statusHistory = yield* StatusHistory

    const fillHours = Effect.fnUntraced(function* (now: EpochMillis) {
      const closed = closedUntil(now, hourMillis)
      const begun = (yield* repository.lockProgress("hour")) ?? (yield* repository.findFirstObservation)
      if (begun === undefined) return 0
      const from = Math.floor(begun / hourMillis) * hourMillis
      if (from >= closed) return 0
      yield* repository.fillHours(from, closed)
      yield* repository.saveProgress("hour", closed)
      return (closed - from) / hourMillis
    })

    const fillDays = Effect.fnUntraced(function* (now: EpochMillis) {
      const closed = closedUntil(now, dayMillis)
      const begun = (yield* repository.lockProgress("day")) ?? (yield* repository.findFirstEntry)
      if (begun === undefined) return 0
      const from = floorDay(begun)

      // Marked monitors first: their days from the mark on, as far as days were closed before.
      for (const { id, since } of yield* repository.takeMarks) yield* fillMonitors([id], since, Math.max(from, closed))
      if (from >= closed) return 0

      let after = ""
      for (;;) {
        const page = yield* repository.findMonitorIds(after, pageSize)
        if (page.length === 0) break
        yield* fillMonitors(page, from, closed)
        after = page.at(-1)!
      }
      yield* repository.saveProgress("day", closed)
      return (closed - from) / dayMillis
    })

    const fillMonitors = Effect.fnUntraced(function* (
      ids: ReadonlyArray<MonitorId>,
      from: EpochMillis,
      to: EpochMillis
    ) {
      const monitors = yield* repository.findMonitors(ids)
      for (let day = from; day < to; day += dayMillis) {
        const end = day + dayMillis
        const histories = yield* statusHistory.counted(monitors, day, end)
        const measured = monitors.map(({ id }) => ({ id, ...measure(histories.get(id) ?? [], day, end) }))
        yield* repository.saveDays(day, measured)
        // Observations of the day may still arrive: such a day is filled again until it is known to its end.
        const unsure = monitors.filter((monitor) => {
          const known = knownUntilOf(monitor)
          return monitor.state.status !== "paused" && day >= to - unsureDays * dayMillis && known > day && known < end
        })
        yield* repository.markDays(unsure.map(({ id }) => ({ monitorId: id, at: day })))
      }
    })

    const fill = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      if (!(yield* repository.tryLock)) return { hours: 0, days: 0 }
      return { hours: yield* fillHours(now), days: yield* fillDays(now) }
    })

    return {
      /** Fills the periods that are closed and not filled yet; returns their numbers. One process at a time. */
      fill: transaction.run(fill).pipe(Effect.withSpan("Rollups.fill")),
      /** Marks the closed days among these: their uptime changed. Run it in the transaction of the change. */
      reopenDays: (days: ReadonlyArray<ChangedDay>, now: EpochMillis) =>
        repository.markDays(days.filter(({ at }) => at < floorDay(now))),
      /** Reopens the closed hours of late observations. Run it in the transaction that inserts them. */
      reopenHours: (fresh: ReadonlyArray<{ readonly scheduledAt: EpochMillis }>, now: EpochMillis) => {
        let oldest = now
        for (const { scheduledAt } of fresh) if (scheduledAt < oldest) oldest = scheduledAt
        return oldest < closedUntil(now, hourMillis) ? repository.reopenHours(oldest) : Effect.void
      }
    }
  })
}) {
  static readonly layer = Layer.effect(Rollups, Rollups.make)
}

const closedUntil = (now: EpochMillis, period: number): EpochMillis => Math.floor((now - graceMillis) / period) * period
