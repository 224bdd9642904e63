/** The people who are on call in schedules at an instant, for features that tell them of something. */
import type { OrganizationId, ScheduleId, UserId } from "@kanmon/domain/Ids"
import { peopleIn } from "@kanmon/domain/OnCallEdit"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer } from "effect"
import { PeopleRepository } from "./PeopleRepository.ts"
import { mayRespond, onCallAt, Reckonings } from "./Reckonings.ts"
import { ScheduleRepository } from "./ScheduleRepository.ts"

/** Why somebody cannot be told of something; undefined: nothing stands against it. */
type Absence = "left" | "may_not_respond" | "away"

export class OnDuty extends Context.Service<OnDuty>()("@kanmon/monitoring/on-call/OnDuty", {
  make: Effect.gen(function* () {
    const schedules = yield* ScheduleRepository
    const reckonings = yield* Reckonings
    const people = yield* PeopleRepository

    return {
      /** The people who are on call in these schedules of an organization, who come next, and the names of the schedules that exist. */
      in: Effect.fn("OnDuty.in")(function* (
        id: OrganizationId,
        scheduleIds: ReadonlyArray<ScheduleId>,
        at: EpochMillis
      ) {
        const found = yield* schedules.findAll(id, scheduleIds)
        const reckoned = yield* reckonings.of(found, at)
        const onCall = yield* Effect.forEach(reckoned, (reckoning) => onCallAt(reckoning, at))
        return new Map(found.map(({ id: scheduleId, name }, index) => [scheduleId, { ...onCall[index]!, name }]))
      }),
      /** The people who are not there at an instant, and why. */
      absent: Effect.fn("OnDuty.absent")(function* (
        id: OrganizationId,
        userIds: ReadonlyArray<UserId>,
        at: EpochMillis
      ) {
        const [roles, away] = yield* Effect.all([people.roles(id, userIds), people.away(userIds, at)])
        return new Map(
          userIds.flatMap((userId) => {
            const role = roles.get(userId)
            const isAway = away.get(userId)?.some(({ from, to }) => from <= at && at < to) ?? false
            const why: Absence | undefined =
              role === undefined ? "left" : !mayRespond(role) ? "may_not_respond" : isAway ? "away" : undefined
            return why === undefined ? [] : [[userId, { why, role }] as const]
          })
        )
      }),
      /** Everybody whom these schedules name, by schedule. Schedules that do not exist are left out. */
      named: Effect.fn("OnDuty.named")(function* (id: OrganizationId, scheduleIds: ReadonlyArray<ScheduleId>) {
        const found = yield* schedules.findAll(id, scheduleIds)
        return new Map(found.map(({ id: scheduleId, layers }) => [scheduleId, peopleIn(layers)]))
      })
    }
  })
}) {
  static readonly layer = Layer.effect(OnDuty, OnDuty.make).pipe(
    Layer.provide([ScheduleRepository.layer, Reckonings.layer, PeopleRepository.layer])
  )
}
