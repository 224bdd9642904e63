/** The schedules that name a person, in the organizations that the person is a member of. */
import type { UserId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Effect } from "effect"
import { PeopleRepository } from "./PeopleRepository.ts"
import { ScheduleRepository } from "./ScheduleRepository.ts"

export const make = Effect.gen(function* () {
  const people = yield* PeopleRepository
  const schedules = yield* ScheduleRepository

  return Effect.fnUntraced(function* (userId: UserId, since: EpochMillis) {
    const memberships = yield* people.memberships(userId)
    return (yield* schedules.naming(userId, since)).filter(({ organizationId }) => memberships.has(organizationId))
  })
})
