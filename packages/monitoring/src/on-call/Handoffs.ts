/**
 * Records handoffs when they happen, so that later changes of schedules, people and time zones leave the past as it was. Every
 * change is made between `advance`, which records what came before it, and `settle`, which records what it does at once.
 */
import { onCallEvents } from "@kanmon/domain/OnCallEvents"
import { handoffsIn, named } from "@kanmon/domain/OnCallShifts"
import { dayMillis, type EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer } from "effect"
import { Outbox } from "@kanmon/platform/outbox/Outbox"
import { Transaction } from "@kanmon/platform/Transaction"
import { Reckonings, shiftsOf } from "./Reckonings.ts"
import type { StoredSchedule } from "./ScheduleRecords.ts"
import { ScheduleRepository } from "./ScheduleRepository.ts"

/** Each schedule is looked at this often at least: another version of the time zone database may move a handoff. */
const lookAhead = 3_600_000
/** The longest time that one transaction records. */
const longestStep = 31 * dayMillis

export class Handoffs extends Context.Service<Handoffs>()("@kanmon/monitoring/on-call/Handoffs", {
  make: Effect.gen(function* () {
    const repository = yield* ScheduleRepository
    const reckonings = yield* Reckonings
    const outbox = yield* Outbox
    const transaction = yield* Transaction

    const recordUntil = Effect.fnUntraced(function* (
      schedule: StoredSchedule,
      until: EpochMillis,
      shiftsUntil: EpochMillis
    ) {
      const { id, layers, recordedUntil } = schedule
      const [reckoning] = yield* reckonings.of([schedule], recordedUntil)
      const { final } = yield* Effect.orDie(shiftsOf(reckoning!, { from: recordedUntil, to: shiftsUntil }))
      const happened = named(
        final.filter(({ from }) => from <= until),
        layers
      )
      const next = final.find(({ from }) => from > until)?.from ?? shiftsUntil
      const last = yield* repository.last(id)
      const recorded = handoffsIn(happened, last)
      yield* repository.record(id, recorded, until, next)
      yield* outbox.append(onCallEvents(schedule, recorded, last))
    })

    /** Records the handoffs before an instant. The schedule is locked. Must run in a transaction. */
    const advance = Effect.fn("Handoffs.advance")(function* (schedule: StoredSchedule, until: EpochMillis) {
      let { recordedUntil } = schedule
      while (recordedUntil < until) {
        const step = Math.min(until, recordedUntil + longestStep)
        // The change itself decides the person on call at its end.
        yield* recordUntil({ ...schedule, recordedUntil }, step - 1, step)
        recordedUntil = step
      }
      return { ...schedule, recordedUntil }
    })

    /** Records who is on call at an instant until which handoffs are recorded, and when the next handoff is. */
    const settle = Effect.fn("Handoffs.settle")(function* (schedule: StoredSchedule, at: EpochMillis) {
      const from = Math.max(schedule.recordedUntil, at)
      yield* recordUntil({ ...schedule, recordedUntil: from }, from, from + lookAhead)
    })

    const recordOne = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const due = yield* repository.lockDue(now)
      if (due === undefined) return false
      const until = Math.max(due.recordedUntil, Math.min(now, due.recordedUntil + longestStep))
      // Nothing changes between what comes before and what is at once: one reckoning has both.
      yield* recordUntil(due, until, until + lookAhead)
      return true
    }).pipe(transaction.run)

    /** Records all handoffs that are due; returns how many schedules had one. */
    const recordDue = Effect.gen(function* () {
      let count = 0
      while (yield* recordOne) count++
      return count
    }).pipe(Effect.withSpan("Handoffs.recordDue"))

    return { advance, settle, recordDue }
  })
}) {
  static readonly layer = Layer.effect(Handoffs, Handoffs.make).pipe(
    Layer.provide([ScheduleRepository.layer, Reckonings.layer])
  )
}
