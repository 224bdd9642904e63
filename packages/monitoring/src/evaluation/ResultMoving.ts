/**
 * Moves the results of closed days from rows into blocks, one monitor and day in each transaction, oldest first. A kill loses at
 * most the transaction under way, whose rows are still there. Results that arrive later are rows beside the block until the
 * rollups have counted them; then the block is written again with them.
 */
import type { MonitorId } from "@kanmon/domain/Ids"
import { dayMillis, type EpochMillis, floorDay } from "@kanmon/domain/Timestamp"
import { Transaction } from "@kanmon/platform/Transaction"
import { Clock, Context, Effect, Layer } from "effect"
import { closedAfterMillis, Partitions } from "./Partitions.ts"
import { ResultMovingRepository } from "./ResultMovingRepository.ts"

/** For each moment of work, so many of rest. */
const restShare = 4

export class ResultMoving extends Context.Service<ResultMoving>()("@kanmon/monitoring/evaluation/ResultMoving", {
  make: Effect.gen(function* () {
    const repository = yield* ResultMovingRepository
    const partitions = yield* Partitions
    const transaction = yield* Transaction

    /** Moves what a monitor has of a day; returns how many results. */
    const moveMonitor = Effect.fnUntraced(
      function* (id: MonitorId, day: EpochMillis) {
        const lock = yield* repository.tryLock(id)
        if (lock === "busy") return 0
        // Results that were reopened under the lock's last holder are counted first.
        const filledUntil = yield* repository.filledUntil
        if (filledUntil === undefined || filledUntil < day + dayMillis) return 0
        let moved = 0
        // One region at a time, so that other work goes on between their results.
        for (const region of yield* repository.regions(id, day)) {
          const rows = yield* repository.takeRows(id, region, day)
          // Nothing is left of a monitor that was deleted.
          if (lock === "missing") continue
          const before = yield* repository.stored(id, day, region)
          if (before.length > 0) yield* repository.remove(id, region, day)
          yield* repository.insert(id, region, [...before, ...rows])
          moved += rows.length
        }
        return moved
      },
      (effect) => transaction.run(effect)
    )

    const moveDay = Effect.fnUntraced(function* (day: EpochMillis) {
      let moved = 0
      let after = ""
      for (;;) {
        const begun = yield* Clock.currentTimeMillis
        const id = yield* repository.nextMonitor(day, after)
        if (id === undefined) return moved
        moved += yield* moveMonitor(id, day)
        after = id
        yield* Effect.sleep(restShare * ((yield* Clock.currentTimeMillis) - begun))
      }
    })

    return {
      /** Moves everything that is closed, with rests, and drops partitions that are empty then; returns how many results. */
      move: Effect.gen(function* () {
        const closed = floorDay((yield* Clock.currentTimeMillis) - closedAfterMillis)
        const filledUntil = (yield* repository.filledUntil) ?? 0
        const own = yield* partitions.closed(closed)
        const late = yield* repository.lateDays(closed)
        const days = [...new Set([...own, ...late])].filter((day) => day + dayMillis <= filledUntil)
        let moved = 0
        for (const day of days.toSorted((one, other) => one - other)) {
          moved += yield* moveDay(day)
          if (own.includes(day)) yield* partitions.dropEmpty(day)
        }
        return moved
      }).pipe(Effect.withSpan("ResultMoving.move"))
    }
  })
}) {
  static readonly layer = Layer.effect(ResultMoving, ResultMoving.make).pipe(
    Layer.provide(ResultMovingRepository.layer)
  )
}
