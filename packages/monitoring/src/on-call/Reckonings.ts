/** Reckons shifts from what is stored. Long windows are reckoned in parts, between which other work goes on. */
import type { UserId } from "@kanmon/domain/Ids"
import { peopleIn } from "@kanmon/domain/OnCallEdit"
import {
  type Absences,
  joinedParts,
  longestWindow,
  type OnCall,
  onCallIn,
  partsOf,
  type Reckoning,
  type Shift,
  type Shifts,
  shiftsBetween
} from "@kanmon/domain/OnCallShifts"
import { permits, type Role } from "@kanmon/domain/Role"
import type { Span } from "@kanmon/domain/Spans"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Data, Effect, Layer } from "effect"
import { OverrideRepository } from "./OverrideRepository.ts"
import { PeopleRepository } from "./PeopleRepository.ts"
import type { StoredOverride, StoredSchedule } from "./ScheduleRecords.ts"

/** There are more shifts in a window than one answer has. */
export class TooManyShifts extends Data.TaggedError("TooManyShifts")<{ readonly limit: number }> {}

/** The inputs that decide the shifts of a schedule. */
export type Deciding = Pick<StoredSchedule, "id" | "organizationId" | "timezone" | "coverage" | "layers">

/** Whether somebody with this role in the organization can be on call; undefined: no member. */
export const mayRespond = (role: Role | undefined): boolean => role !== undefined && permits(role, "schedules.override")

const always: ReadonlyArray<Span> = [{ from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }]

export class Reckonings extends Context.Service<Reckonings>()("@kanmon/monitoring/on-call/Reckonings", {
  make: Effect.gen(function* () {
    const overrides = yield* OverrideRepository
    const people = yield* PeopleRepository

    /** The inputs that decide the shifts of schedules of one organization from an instant on, in the same order. */
    const of = Effect.fn("Reckonings.of")(function* (schedules: ReadonlyArray<Deciding>, from: EpochMillis) {
      const [first] = schedules
      if (first === undefined) return []
      const open = yield* overrides.open(
        schedules.map(({ id }) => id),
        from
      )
      const named = new Set([
        ...schedules.flatMap(({ layers }) => [...peopleIn(layers)]),
        ...open.flatMap(({ userId }) => userId ?? [])
      ])
      const [roles, away] = yield* Effect.all([
        people.roles(first.organizationId, [...named]),
        people.away([...named], from)
      ])
      const absences: Absences = new Map(
        [...named].flatMap((userId): ReadonlyArray<readonly [UserId, ReadonlyArray<Span>]> => {
          if (!mayRespond(roles.get(userId))) return [[userId, always]]
          const periods = away.get(userId)
          return periods === undefined ? [] : [[userId, periods]]
        })
      )
      const bySchedule = Map.groupBy(open, ({ scheduleId }) => scheduleId)
      return schedules.map(({ coverage, id, layers, timezone }) => ({
        schedule: { timezone, layers, coverage: coverage ?? undefined },
        overrides: (bySchedule.get(id) ?? []).map(asOverride),
        absences
      }))
    })

    return { of }
  })
}) {
  static readonly layer = Layer.effect(Reckonings, Reckonings.make).pipe(
    Layer.provide([OverrideRepository.layer, PeopleRepository.layer])
  )
}

const asOverride = ({ from, id, replaces, to, userId }: StoredOverride) => ({
  id,
  from,
  to,
  userId,
  ...(replaces === null ? {} : { replaces })
})

/** The inputs for a part of a window. */
const inPart = ({ overrides, ...rest }: Reckoning, { from, to }: Span): Reckoning => ({
  ...rest,
  overrides: overrides.filter((override) => override.to > from && override.from < to)
})

/** The shifts of a window; fails when there are too many. */
export const shiftsOf = Effect.fnUntraced(function* (
  reckoning: Reckoning,
  window: Span,
  limit: number = Number.POSITIVE_INFINITY
): Effect.fn.Return<Shifts, TooManyShifts> {
  const parts: Array<Shifts> = []
  let count = 0
  for (const part of partsOf(reckoning, window)) {
    const shifts = shiftsBetween(inPart(reckoning, part), part.from, part.to)
    count += shifts.layers.reduce((sum, layer) => sum + layer.length, shifts.final.length)
    if (count > limit) return yield* new TooManyShifts({ limit })
    parts.push(shifts)
    yield* Effect.yieldNow
  }
  return joinedParts(parts)
})

/** The person on call at an instant, and the next one within 400 days. */
export const onCallAt = Effect.fnUntraced(function* (reckoning: Reckoning, at: EpochMillis): Effect.fn.Return<OnCall> {
  const final: Array<Shift> = []
  for (const part of partsOf(reckoning, { from: at, to: at + longestWindow })) {
    final.push(...shiftsBetween(inPart(reckoning, part), part.from, part.to).final)
    const found = onCallIn(final)
    if (found.next !== null) return found
    yield* Effect.yieldNow
  }
  return onCallIn(final)
})
