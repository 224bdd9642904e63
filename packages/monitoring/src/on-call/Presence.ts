/**
 * Changes of people: leaving an organization, getting another role, or being away. The people on call until then are
 * recorded first, and their replacements right after it.
 */
import type { OrganizationId } from "@kanmon/domain/Ids"
import { MemberPresence } from "@kanmon/identity/organizations"
import { Transaction } from "@kanmon/platform/Transaction"
import { Clock, Effect, Layer } from "effect"
import { CalendarTokenRepository } from "./CalendarTokenRepository.ts"
import { Handoffs } from "./Handoffs.ts"
import { PeopleRepository } from "./PeopleRepository.ts"
import { ScheduleRepository } from "./ScheduleRepository.ts"

export const layer = Layer.effect(
  MemberPresence,
  Effect.gen(function* () {
    const repository = yield* ScheduleRepository
    const people = yield* PeopleRepository
    const handoffs = yield* Handoffs
    const calendars = yield* CalendarTokenRepository
    const transaction = yield* Transaction

    const changing: MemberPresence["Service"]["changing"] = (userId, change) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const named = yield* repository.lockOf(userId, now)
        const before = yield* people.memberships(userId)
        const advanced = yield* Effect.forEach(named, (schedule) => handoffs.advance(schedule, now))
        const result = yield* change
        yield* Effect.forEach(advanced, (schedule) => handoffs.settle(schedule, now))
        const after = yield* people.memberships(userId)
        const left = [...before.keys()].filter((id: OrganizationId) => !after.has(id))
        // A former member knows the addresses of shared calendars.
        yield* Effect.forEach(left, (id) => calendars.endShared(id))
        return result
      }).pipe(transaction.run)

    return MemberPresence.of({ changing })
  })
).pipe(Layer.provide([ScheduleRepository.layer, PeopleRepository.layer, Handoffs.layer, CalendarTokenRepository.layer]))
