/** The next shifts of a person in all of their organizations: those that their calendar has. */
import type { UserId } from "@kanmon/domain/Ids"
import { dayMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer } from "effect"
import * as OwnSchedules from "./OwnSchedules.ts"
import { PeopleRepository } from "./PeopleRepository.ts"
import { ScheduleRepository } from "./ScheduleRepository.ts"
import { Shifts } from "./Shifts.ts"

/** A running shift is shown from its beginning, as far back as in calendars. */
const [pastMillis, futureMillis] = [30 * dayMillis, 90 * dayMillis]

/** Most shifts of an answer. */
const maxShifts = 20

export class OwnShifts extends Context.Service<OwnShifts>()("@kanmon/monitoring/on-call/OwnShifts", {
  make: Effect.gen(function* () {
    const schedulesOf = yield* OwnSchedules.make
    const shifts = yield* Shifts

    /** The shifts that are not over, earliest first. */
    const next = Effect.fn("OwnShifts.next")(function* (userId: UserId) {
      const now = yield* Clock.currentTimeMillis
      const window = { from: now - pastMillis, to: now + futureMillis }
      const found = yield* Effect.forEach(yield* schedulesOf(userId, now), (schedule) =>
        Effect.map(Effect.orDie(shifts.of(schedule, window)), (all) => ({
          schedule,
          own: all.shifts.filter(({ to, userId: whose }) => whose === userId && to > now)
        }))
      )
      return found
        .flatMap(({ own, schedule: { id, name, organizationId } }) =>
          own.map(({ from, to }) => ({
            organizationId,
            scheduleId: id,
            scheduleName: name,
            from,
            to: to < window.to ? to : null
          }))
        )
        .toSorted((one, other) => one.from - other.from)
        .slice(0, maxShifts)
    })

    return { next }
  })
}) {
  static readonly layer = Layer.effect(OwnShifts, OwnShifts.make).pipe(
    Layer.provide([ScheduleRepository.layer, PeopleRepository.layer, Shifts.layer])
  )
}
