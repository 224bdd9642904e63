/** The rules of on-call schedules. */
import { nextScheduleId, type OrganizationId, type ScheduleId, type UserId } from "@kanmon/domain/Ids"
import type { InvalidFields } from "@kanmon/domain/FieldErrors"
import { ScheduleNotFound } from "@kanmon/domain/NotFound"
import { continued, movedPeople } from "@kanmon/domain/OnCallEdit"
import { maxSchedules, type ScheduleDraft } from "@kanmon/domain/OnCallSchedule"
import { dayMillis, type EpochMillis } from "@kanmon/domain/Timestamp"
import { AuditLog } from "@kanmon/identity/audit"
import { OrganizationLock } from "@kanmon/identity/organizations"
import type { KeyTaken } from "@kanmon/platform/database/KeyTaken"
import { Transaction } from "@kanmon/platform/Transaction"
import { Clock, Context, Data, Effect, Layer, type Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { Handoffs } from "./Handoffs.ts"
import { ScheduleUse } from "./OnCallHooks.ts"
import { Participants } from "./Participants.ts"
import { Reckonings, shiftsOf } from "./Reckonings.ts"
import { about, type StoredSchedule } from "./ScheduleRecords.ts"
import { ScheduleRepository } from "./ScheduleRepository.ts"

/** The organization has as many schedules as it may. */
export class TooManySchedules extends Data.TaggedError("TooManySchedules")<{ readonly limit: number }> {}

/** Escalation policies name the schedule. */
export class ScheduleInUse extends Data.TaggedError("ScheduleInUse")<{ readonly users: ReadonlyArray<string> }> {}

/** How far people are told that their shifts move. */
const movedMillis = 90 * dayMillis

/** A schedule after a change, and the people with moved shifts. */
interface ScheduleChange {
  readonly schedule: StoredSchedule
  readonly movedUserIds: ReadonlyArray<UserId>
}

/** Reads a change of a schedule as a whole draft. */
export type Revision = (current: ScheduleDraft) => Result.Result<ScheduleDraft, InvalidFields>

export class Schedules extends Context.Service<Schedules>()("@kanmon/monitoring/on-call/Schedules", {
  make: Effect.gen(function* () {
    const repository = yield* ScheduleRepository
    const participants = yield* Participants
    const handoffs = yield* Handoffs
    const reckonings = yield* Reckonings
    const use = yield* ScheduleUse
    const lock = yield* OrganizationLock
    const audit = yield* AuditLog
    const transaction = yield* Transaction
    const random = yield* SecureRandom.SecureRandom
    const nextId = Effect.provideService(nextScheduleId, SecureRandom.SecureRandom, random)

    const get = Effect.fn("Schedules.get")(function* (id: OrganizationId, scheduleId: ScheduleId) {
      return (yield* repository.find(id, scheduleId)) ?? (yield* new ScheduleNotFound({ id: scheduleId }))
    })

    const locked = Effect.fnUntraced(function* (id: OrganizationId, scheduleId: ScheduleId) {
      yield* lock.hold(id)
      return (yield* repository.lock(id, scheduleId)) ?? (yield* new ScheduleNotFound({ id: scheduleId }))
    })

    const create = Effect.fn("Schedules.create")(function* (id: OrganizationId, draft: ScheduleDraft) {
      yield* lock.hold(id)
      if ((yield* repository.count(id)) >= maxSchedules) return yield* new TooManySchedules({ limit: maxSchedules })
      yield* participants.admit(id, draft.layers)
      const at = yield* Clock.currentTimeMillis
      const stamps = { recordedUntil: at, createdAt: at, updatedAt: at }
      const schedule: StoredSchedule = { ...draft, ...stamps, id: yield* nextId, organizationId: id }
      yield* repository.insert(schedule)
      yield* handoffs.settle(schedule, at)
      yield* audit.record([{ action: "schedule.created", ...about(schedule), after: draftOf(schedule) }])
      return schedule
    }, transaction.run)

    /** The people with different shifts in two versions of a schedule. */
    const movedBetween = Effect.fnUntraced(function* (
      versions: readonly [StoredSchedule, StoredSchedule],
      from: EpochMillis
    ) {
      const [before, after] = yield* Effect.forEach(yield* reckonings.of(versions, from), (reckoning) =>
        Effect.orDie(shiftsOf(reckoning, { from, to: from + movedMillis }))
      )
      return movedPeople(before!.final, after!.final)
    })

    const update: (
      id: OrganizationId,
      scheduleId: ScheduleId,
      revise: Revision
    ) => Effect.Effect<ScheduleChange, InvalidFields | KeyTaken | ScheduleNotFound> = Effect.fn("Schedules.update")(
      function* (id, scheduleId, revise) {
        const before = yield* locked(id, scheduleId)
        const draft = yield* Effect.fromResult(revise(draftOf(before)))
        yield* participants.admit(id, draft.layers, before.layers)
        const now = yield* Clock.currentTimeMillis
        const recorded = yield* handoffs.advance(before, now)
        const layers = continued(before, draft, now)
        const schedule: StoredSchedule = { ...recorded, ...draft, layers, updatedAt: now }
        yield* repository.update(schedule)
        const movedUserIds = yield* movedBetween([before, schedule], now)
        yield* handoffs.settle(schedule, now)
        const change = { before: draftOf(before), after: draftOf(schedule) }
        yield* audit.record([{ action: "schedule.updated", ...about(schedule), ...change }])
        return { schedule, movedUserIds }
      },
      transaction.run
    )

    const remove = Effect.fn("Schedules.remove")(function* (id: OrganizationId, scheduleId: ScheduleId) {
      const schedule = yield* locked(id, scheduleId)
      const users = yield* use.users(id, scheduleId)
      if (users.length > 0) return yield* new ScheduleInUse({ users })
      yield* repository.remove(scheduleId)
      yield* audit.record([{ action: "schedule.deleted", ...about(schedule), before: draftOf(schedule) }])
    }, transaction.run)

    return {
      /** By name. */
      list: repository.list,
      get,
      create,
      update,
      remove
    }
  })
}) {
  static readonly layer = Layer.effect(Schedules, Schedules.make).pipe(
    Layer.provide([
      ScheduleRepository.layer,
      Participants.layer,
      Handoffs.layer,
      Reckonings.layer,
      OrganizationLock.layer
    ])
  )
}

/** The fields that people set. */
export const draftOf = ({ coverage, key, layers, name, timezone }: StoredSchedule): ScheduleDraft => ({
  key,
  name,
  timezone,
  coverage,
  layers: layers.map(({ anchor: _, ...layer }) => layer)
})
