/**
 * Moves results from rows into blocks in small steps, each one transaction: those of closed hours as soon as they are worth a
 * block, and all of a day when it is closed, whose blocks of hours are then written as fewer and longer ones. A kill loses at
 * most the transaction under way, whose rows are still there. Results that arrive later are rows beside the blocks until the
 * rollups have counted them; then the blocks are written again with them.
 */
import { dayMillis, type EpochMillis, floorDay } from "@kanmon/domain/Timestamp"
import { Transaction } from "@kanmon/platform/Transaction"
import { Clock, Context, Effect, Layer } from "effect"
import { type ResultWindow, stepsOf, windowsOf, withAtLeast } from "./BlockPlan.ts"
import { floorHour } from "./Buckets.ts"
import { closedAfterMillis, Partitions } from "./Partitions.ts"
import { ResultMovingRepository } from "./ResultMovingRepository.ts"

/** For each moment of work, so many of rest. */
const restShare = 4
/** An hour is closed this long after its end. */
const hourClosedAfterMillis = 1_800_000
/** Fewer results of closed hours wait for more, or for the end of their day. */
const leastOfHours = 60

/** A day, or that part of it whose hours are closed. */
interface Part {
  readonly day: EpochMillis
  readonly until: EpochMillis
  /** Whether more results of the day are expected. */
  readonly open: boolean
}

export class ResultMoving extends Context.Service<ResultMoving>()("@kanmon/monitoring/evaluation/ResultMoving", {
  make: Effect.gen(function* () {
    const repository = yield* ResultMovingRepository
    const partitions = yield* Partitions
    const transaction = yield* Transaction
    /** Until when all that was worth a block was moved. */
    let hoursMoved = 0

    /** Moves what windows have; returns how many rows, and whether all of them. */
    const moveStep = Effect.fnUntraced(
      function* (step: ReadonlyArray<ResultWindow>, { day, open }: Part) {
        const locks = new Map(
          (yield* repository.tryLock([...new Set(step.map(({ monitorId }) => monitorId))])).map((one) => [
            one.id,
            one.locked
          ])
        )
        // Results that were reopened under the lock's last holder are counted first.
        const filledUntil = (yield* repository.filledUntil) ?? 0
        const windows = step.filter(({ monitorId, to }) => locks.get(monitorId) !== false && to <= filledUntil)
        if (windows.length === 0) return { moved: 0, whole: false }
        const rows = yield* repository.takeRows(windows, day)
        const before = yield* repository.takeBlocks(windows, day)
        // Nothing is left of a monitor that was deleted.
        const kept = [...before, ...rows].filter(({ monitorId }) => locks.has(monitorId))
        yield* repository.insert(kept, open)
        return { moved: rows.length, whole: windows.length === step.length }
      },
      (effect) => transaction.run(effect)
    )

    const movePart = Effect.fnUntraced(function* (part: Part) {
      const { day, open, until } = part
      let moved = 0
      let whole = true
      let after = ""
      for (;;) {
        let begun = yield* Clock.currentTimeMillis
        const rest = Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          yield* Effect.sleep(restShare * (now - begun))
          begun = yield* Clock.currentTimeMillis
        })
        const ids = yield* repository.nextMonitors(day, until, after, !open)
        if (ids.length === 0) return { moved, whole }
        const held = yield* repository.held(ids, day, until, !open)
        for (const step of stepsOf(windowsOf(withAtLeast(held, open ? leastOfHours : 1)))) {
          const found = yield* moveStep(step, part)
          moved += found.moved
          whole &&= found.whole
          yield* rest
        }
        after = ids.at(-1)!
        yield* rest
      }
    })

    /** Moves days that are closed, and drops their partitions when they are empty. */
    const moveDays = Effect.fnUntraced(function* (before: EpochMillis, filledUntil: EpochMillis) {
      const own = yield* partitions.closed(before)
      const late = yield* repository.lateDays(before)
      const days = [...new Set([...own, ...late])].filter((day) => day + dayMillis <= filledUntil)
      let moved = 0
      for (const day of days.toSorted((one, other) => one - other)) {
        moved += (yield* movePart({ day, until: day + dayMillis, open: false })).moved
        if (own.includes(day)) yield* partitions.dropEmpty(day)
      }
      return moved
    })

    /** Moves closed hours of days that are not closed, once. */
    const moveHours = Effect.fnUntraced(function* (from: EpochMillis, until: EpochMillis) {
      if (until === hoursMoved) return 0
      let moved = 0
      let whole = true
      for (let day = from; day < until; day += dayMillis) {
        const found = yield* movePart({ day, until: Math.min(until, day + dayMillis), open: true })
        moved += found.moved
        whole &&= found.whole
      }
      if (whole) hoursMoved = until
      return moved
    })

    return {
      /** Moves everything that is closed, with rests, and drops partitions that are empty then; returns how many results. */
      move: Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const filledUntil = (yield* repository.filledUntil) ?? 0
        const open = floorDay(now - closedAfterMillis)
        const hours = floorHour(Math.min(now - hourClosedAfterMillis, filledUntil))
        return (yield* moveDays(open, filledUntil)) + (yield* moveHours(open, hours))
      }).pipe(Effect.withSpan("ResultMoving.move"))
    }
  })
}) {
  static readonly layer = Layer.effect(ResultMoving, ResultMoving.make).pipe(
    Layer.provide(ResultMovingRepository.layer)
  )
}
