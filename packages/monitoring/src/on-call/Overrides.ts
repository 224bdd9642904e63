/** The rules of overrides. Everybody may give away their own shifts and take those of others; editors move all. */
import { InvalidFields } from "@kanmon/domain/FieldErrors"
import { nextOverrideId, type OrganizationId, type OverrideId, type ScheduleId, type UserId } from "@kanmon/domain/Ids"
import { OverrideNotFound, ScheduleNotFound } from "@kanmon/domain/NotFound"
import { maxOverrides } from "@kanmon/domain/OnCallSchedule"
import { permits, type Role } from "@kanmon/domain/Role"
import { toIso } from "@kanmon/domain/Timestamp"
import { AuditLog } from "@kanmon/identity/audit"
import { Transaction } from "@kanmon/platform/Transaction"
import type { OverrideDraft } from "@kanmon/protocol/ScheduleBody"
import { Clock, Context, Data, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { Handoffs } from "./Handoffs.ts"
import { OverrideRepository } from "./OverrideRepository.ts"
import { Participants } from "./Participants.ts"
import { about, type StoredOverride } from "./ScheduleRecords.ts"
import { ScheduleRepository } from "./ScheduleRepository.ts"
import { Schedules } from "./Schedules.ts"

/** The schedule has as many overrides as it may. */
export class TooManyOverrides extends Data.TaggedError("TooManyOverrides")<{ readonly limit: number }> {}

/** Somebody without the role for it moves shifts of others. */
export class ShiftsOfOthers extends Data.TaggedError("ShiftsOfOthers") {}

/** The author of a change, with their role in the organization. */
interface Responder {
  /** Null for an API key, which no shifts belong to. */
  readonly userId: UserId | null
  readonly role: Role
}

export class Overrides extends Context.Service<Overrides>()("@kanmon/monitoring/on-call/Overrides", {
  make: Effect.gen(function* () {
    const repository = yield* OverrideRepository
    const stored = yield* ScheduleRepository
    const schedules = yield* Schedules
    const participants = yield* Participants
    const handoffs = yield* Handoffs
    const audit = yield* AuditLog
    const transaction = yield* Transaction
    const random = yield* SecureRandom.SecureRandom
    const nextId = Effect.provideService(nextOverrideId, SecureRandom.SecureRandom, random)

    const locked = Effect.fnUntraced(function* (id: OrganizationId, scheduleId: ScheduleId) {
      return (yield* stored.lock(id, scheduleId)) ?? (yield* new ScheduleNotFound({ id: scheduleId }))
    })

    /** The overrides that are not over, in the order of their creation. */
    const list = Effect.fn("Overrides.list")(function* (id: OrganizationId, scheduleId: ScheduleId) {
      yield* schedules.get(id, scheduleId)
      return yield* repository.open([scheduleId], yield* Clock.currentTimeMillis)
    })

    const create = Effect.fn("Overrides.create")(function* (
      id: OrganizationId,
      scheduleId: ScheduleId,
      draft: OverrideDraft,
      by: Responder
    ) {
      const schedule = yield* locked(id, scheduleId)
      yield* admit(draft, by)
      if (draft.userId !== null) yield* participants.admitOne(id, "userId", draft.userId)
      const now = yield* Clock.currentTimeMillis
      if (draft.to <= now)
        return yield* new InvalidFields({ errors: [{ path: "to", message: "Expected a time in the future" }] })
      if ((yield* repository.open([scheduleId], now)).length >= maxOverrides)
        return yield* new TooManyOverrides({ limit: maxOverrides })
      const override: StoredOverride = {
        ...draft,
        id: yield* nextId,
        scheduleId,
        from: Math.max(draft.from, now),
        createdBy: by.userId,
        createdAt: now
      }
      const advanced = yield* handoffs.advance(schedule, now)
      yield* repository.insert(override)
      yield* handoffs.settle(advanced, now)
      yield* audit.record([
        { action: "schedule.override_added", ...about(schedule), before: {}, after: audited(override) }
      ])
      return override
    }, transaction.run)

    /** Deletes an override; one that has begun ends now. */
    const remove = Effect.fn("Overrides.remove")(function* (
      id: OrganizationId,
      scheduleId: ScheduleId,
      overrideId: OverrideId,
      by: Responder
    ) {
      const schedule = yield* locked(id, scheduleId)
      const now = yield* Clock.currentTimeMillis
      const override = (yield* repository.open([scheduleId], now)).find((one) => one.id === overrideId)
      if (override === undefined) return yield* new OverrideNotFound({ id: overrideId })
      yield* admit(override, by)
      const advanced = yield* handoffs.advance(schedule, now)
      yield* repository.end(overrideId, now)
      yield* handoffs.settle(advanced, now)
      yield* audit.record([
        { action: "schedule.override_ended", ...about(schedule), before: audited(override), after: {} }
      ])
    }, transaction.run)

    return { list, create, remove }
  })
}) {
  static readonly layer = Layer.effect(Overrides, Overrides.make).pipe(
    Layer.provide([
      OverrideRepository.layer,
      ScheduleRepository.layer,
      Schedules.layer,
      Participants.layer,
      Handoffs.layer
    ])
  )
}

/** Refuses to move shifts between others. */
const admit = ({ replaces, userId }: Pick<OverrideDraft, "replaces" | "userId">, by: Responder) =>
  permits(by.role, "schedules.write") || (by.userId !== null && (by.userId === userId || by.userId === replaces))
    ? Effect.void
    : Effect.fail(new ShiftsOfOthers())

const audited = ({ from, id, replaces, to, userId }: StoredOverride) => ({
  overrideId: id,
  from: toIso(from),
  to: toIso(to),
  userId,
  replaces
})
