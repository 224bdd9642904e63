/** Calendars of shifts: their addresses, and what calendar programs read there. */
import { calendarBegin, calendarEnd, calendarEvent } from "@kanmon/domain/CalendarText"
import type { ScheduleId, UserId } from "@kanmon/domain/Ids"
import type { NamedShift } from "@kanmon/domain/OnCallShifts"
import { dayMillis, type EpochMillis } from "@kanmon/domain/Timestamp"
import { AuditLog, type AuditedChange } from "@kanmon/identity/audit"
import { hashToken, newCalendarToken } from "@kanmon/platform/database/Secrets"
import * as Turns from "@kanmon/platform/Turns"
import { Transaction } from "@kanmon/platform/Transaction"
import { Array, Clock, Context, Data, Effect, Layer } from "effect"
import { type CalendarOwner, CalendarTokenRepository } from "./CalendarTokenRepository.ts"
import * as OwnSchedules from "./OwnSchedules.ts"
import { PeopleRepository } from "./PeopleRepository.ts"
import type { StoredSchedule } from "./ScheduleRecords.ts"
import { ScheduleRepository } from "./ScheduleRepository.ts"
import { Shifts } from "./Shifts.ts"

/** The calendar has no address. */
export class CalendarNotFound extends Data.TaggedError("CalendarNotFound") {}

/** The owner of a calendar with its audit fields. */
export interface CalendarOf {
  readonly owner: CalendarOwner
  readonly about: Pick<AuditedChange, "target" | "organizationId" | "accountId">
}

const [pastMillis, futureMillis] = [30 * dayMillis, 180 * dayMillis]
const perPiece = 200

export class Calendars extends Context.Service<Calendars>()("@kanmon/monitoring/on-call/Calendars", {
  make: Effect.gen(function* () {
    const tokens = yield* CalendarTokenRepository
    const schedules = yield* ScheduleRepository
    const people = yield* PeopleRepository
    const schedulesOf = yield* OwnSchedules.make
    const shifts = yield* Shifts
    const audit = yield* AuditLog
    const transaction = yield* Transaction

    const get = Effect.fn("Calendars.get")(function* (owner: CalendarOwner) {
      return (yield* tokens.find(owner)) ?? (yield* new CalendarNotFound())
    })

    const kindOf = (owner: CalendarOwner) => ("userId" in owner ? "account" : "schedule")

    /** Makes a token, which replaces an earlier one. */
    const rotate = Effect.fn("Calendars.rotate")(function* ({ about, owner }: CalendarOf) {
      const token = newCalendarToken()
      const createdAt = yield* Clock.currentTimeMillis
      yield* tokens.replace(owner, hashToken(token), createdAt)
      yield* audit.record([{ action: `${kindOf(owner)}.calendar_rotated`, ...about, before: {}, after: {} }])
      return { token, createdAt }
    }, transaction.run)

    const end = Effect.fn("Calendars.end")(function* ({ about, owner }: CalendarOf) {
      if (!(yield* tokens.remove(owner))) return yield* new CalendarNotFound()
      yield* audit.record([{ action: `${kindOf(owner)}.calendar_ended`, ...about, before: {}, after: {} }])
    }, transaction.run)

    /** `own`: the name of the only person with shifts in the calendar. */
    const written = Effect.fnUntraced(function* (
      all: ReadonlyArray<StoredSchedule>,
      own: ReadonlyMap<UserId, string> | undefined,
      name: string,
      now: EpochMillis
    ) {
      const pieces = [calendarBegin(name)]
      for (const schedule of all) {
        const window = { from: now - pastMillis, to: now + futureMillis }
        const { shifts: final } = yield* Effect.orDie(shifts.of(schedule, window))
        const shown = final.filter(({ userId }) => userId !== null && (own?.has(userId) ?? true))
        const names = own ?? (yield* people.names([...new Set(shown.flatMap(({ userId }) => userId ?? []))]))
        const texts = yield* Turns.map(Array.chunksOf(shown, perPiece), 1, (part) =>
          part.map((shift) => eventOf(schedule, shift, names, now)).join("")
        )
        pieces.push(...texts)
      }
      return [...pieces, calendarEnd]
    })

    const ofSchedule = Effect.fnUntraced(function* (scheduleId: ScheduleId, now: EpochMillis) {
      const schedule = yield* schedules.byId(scheduleId)
      return schedule === undefined
        ? yield* new CalendarNotFound()
        : yield* written([schedule], undefined, schedule.name, now)
    })

    const ofPerson = Effect.fnUntraced(function* (userId: UserId, now: EpochMillis) {
      const names = yield* people.names([userId])
      return yield* written(yield* schedulesOf(userId, now - pastMillis), names, names.get(userId) ?? "", now)
    })

    /** The calendar of a token as text, in pieces. */
    const read = Effect.fn("Calendars.read")(function* (token: string) {
      const now = yield* Clock.currentTimeMillis
      const of = yield* tokens.use(hashToken(token), now)
      if (of?.scheduleId != null) return yield* ofSchedule(of.scheduleId, now)
      return of?.userId == null ? yield* new CalendarNotFound() : yield* ofPerson(of.userId, now)
    })

    return { get, rotate, end, read }
  })
}) {
  static readonly layer = Layer.effect(Calendars, Calendars.make).pipe(
    Layer.provide([CalendarTokenRepository.layer, ScheduleRepository.layer, PeopleRepository.layer, Shifts.layer])
  )
}

const eventOf = (
  { id, name }: StoredSchedule,
  { from, to, userId }: NamedShift,
  names: ReadonlyMap<UserId, string>,
  now: EpochMillis
): string => {
  const person = (userId === null ? undefined : names.get(userId)) ?? "A former member"
  return calendarEvent({ uid: `${id}-${from}@kanmon`, from, to, summary: `${person}: ${name}` }, now)
}
