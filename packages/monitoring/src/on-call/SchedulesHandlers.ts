/** On-call schedules over HTTP: each handler only translates. */
import type { OrganizationId, ScheduleId } from "@kanmon/domain/Ids"
import { Api } from "@kanmon/protocol/Api"
import { Caller, CallerOrganization, CallerRole } from "@kanmon/protocol/Middleware"
import * as ScheduleBody from "@kanmon/protocol/ScheduleBody"
import * as Pieces from "@kanmon/platform/http/Pieces"
import * as Turns from "@kanmon/platform/Turns"
import * as Payload from "@kanmon/platform/http/Payload"
import { peopleIn } from "@kanmon/domain/OnCallEdit"
import { dayMillis } from "@kanmon/domain/Timestamp"
import type { Span } from "@kanmon/domain/Spans"
import * as Window from "@kanmon/platform/http/Window"
import type { Problem } from "@kanmon/protocol/Problem"
import { Clock, Effect, Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Reach } from "../contact-methods/index.ts"
import { addressed } from "./CalendarHandlers.ts"
import { type CalendarOf, Calendars } from "./Calendars.ts"
import { Overrides } from "./Overrides.ts"
import { Participants, withReach } from "./Participants.ts"
import { refusing } from "./ScheduleProblems.ts"
import { about, type StoredOverride, type StoredSchedule } from "./ScheduleRecords.ts"
import { draftOf, Schedules } from "./Schedules.ts"
import * as ScheduleWrites from "./ScheduleWrites.ts"
import * as ShiftDocument from "./ShiftDocument.ts"
import { type PreviewedShifts, Shifts, type WindowShifts } from "./Shifts.ts"

const overrideIn = Payload.read(ScheduleBody.decodeOverride)

const encode = Schema.encodeSync(ScheduleBody.Schedule)

const json = (pieces: ReadonlyArray<Uint8Array>) => Pieces.respond(pieces, { contentType: "application/json" })

const shiftsJson = (shown: WindowShifts | PreviewedShifts) => Effect.map(ShiftDocument.make(shown), json)

const defaultMillis = 14 * dayMillis

/** The shifts of a query are those in `[from, to)`; a day as `to` is included as a whole. */
const windowOf = Effect.fnUntraced(function* (query: {
  readonly from?: string
  readonly to?: string
}): Effect.fn.Return<Span, Problem<"malformed_request">> {
  const now = yield* Clock.currentTimeMillis
  const from = query.from === undefined ? now : (yield* Window.parse("from", query.from)).first
  const end = query.to === undefined ? undefined : yield* Window.parse("to", query.to)
  const to = end === undefined ? from + defaultMillis : end.isDay ? end.last + 1 : end.first
  if (from >= to) return yield* Window.malformed("to", "Expected a time after `from`")
  return yield* Window.inLimits({ from, to })
})

const shownOverride = ({ scheduleId: _, ...override }: StoredOverride) => override

export const layer = HttpApiBuilder.group(
  Api,
  "schedules",
  Effect.fnUntraced(function* (handlers) {
    const schedules = yield* Schedules
    const writes = yield* ScheduleWrites.make
    const shifts = yield* Shifts
    const overrides = yield* Overrides
    const participants = yield* Participants
    const reach = yield* Reach.make
    const calendars = yield* Calendars
    const rotate = yield* addressed

    const all = Effect.fnUntraced(function* (stored: ReadonlyArray<StoredSchedule>) {
      const warnings = yield* participants.warnings(stored)
      const reached = yield* reach.ofUsers(stored.flatMap(({ layers }) => [...peopleIn(layers)]))
      return stored.map((schedule, index): ScheduleBody.Schedule => {
        const { createdAt, id, organizationId, updatedAt } = schedule
        return {
          ...draftOf(schedule),
          id,
          organizationId,
          createdAt,
          updatedAt,
          warnings: withReach(schedule, warnings[index]!, reached)
        }
      })
    })
    const shown = (stored: StoredSchedule) => Effect.map(all([stored]), ([schedule]) => schedule!)

    /** A list in pieces: a hundred large schedules would hold up other requests if they were encoded at once. */
    const list = Effect.fnUntraced(function* (id: OrganizationId, key: string | undefined) {
      const pieces = yield* Turns.map(yield* all(yield* schedules.list(id, key)), 1, (schedule, index) =>
        Buffer.from(`${index === 0 ? "" : ","}${JSON.stringify(encode(schedule))}`)
      )
      return json([Buffer.from("["), ...pieces, Buffer.from("]")])
    })

    const calendarOf = Effect.fnUntraced(function* (scheduleId: ScheduleId) {
      const schedule = yield* schedules.get(yield* CallerOrganization, scheduleId)
      return { owner: { scheduleId }, about: about(schedule) } satisfies CalendarOf
    })

    const by = Effect.map(Effect.all([Caller, CallerRole]), ([caller, role]) => ({
      userId: caller._tag === "User" ? caller.userId : null,
      role
    }))

    return handlers.handleAll({
      list: ({ query }) => Effect.flatMap(CallerOrganization, (id) => list(id, query.key)),
      get: ({ params }) =>
        Effect.flatMap(CallerOrganization, (id) => schedules.get(id, params.scheduleId)).pipe(
          Effect.flatMap(shown),
          refusing
        ),
      create: ({ payload }) =>
        Effect.gen(function* () {
          return yield* shown(yield* writes.create(yield* CallerOrganization, payload))
        }),
      update: ({ params, payload }) =>
        Effect.gen(function* () {
          const id = yield* CallerOrganization
          const { movedUserIds, schedule } = yield* writes.update(id, params.scheduleId, payload)
          return { ...(yield* shown(schedule)), movedUserIds }
        }),
      remove: ({ params }) =>
        Effect.flatMap(CallerOrganization, (id) => writes.remove(id, params.scheduleId)).pipe(
          Effect.as({ id: params.scheduleId, deleted: true as const })
        ),
      shifts: ({ params, query }) =>
        Effect.gen(function* () {
          const window = yield* windowOf(query)
          const schedule = yield* schedules.get(yield* CallerOrganization, params.scheduleId)
          return yield* shiftsJson(yield* shifts.of(schedule, window))
        }).pipe(refusing),
      preview: ({ payload, query }) =>
        Effect.gen(function* () {
          const window = yield* windowOf(query)
          const draft = yield* ScheduleWrites.scheduleIn(payload)
          return yield* shiftsJson(yield* shifts.preview(yield* CallerOrganization, draft, window))
        }).pipe(refusing),
      previewChange: ({ params, payload, query }) =>
        Effect.gen(function* () {
          const window = yield* windowOf(query)
          const id = yield* CallerOrganization
          return yield* shiftsJson(
            yield* shifts.previewChange(id, params.scheduleId, ScheduleWrites.revising(payload), window)
          )
        }).pipe(refusing),
      listOverrides: ({ params }) =>
        Effect.flatMap(CallerOrganization, (id) => overrides.list(id, params.scheduleId)).pipe(
          Effect.map((found) => found.map(shownOverride)),
          refusing
        ),
      createOverride: ({ params, payload }) =>
        Effect.gen(function* () {
          const draft = yield* overrideIn(payload)
          const id = yield* CallerOrganization
          return shownOverride(yield* overrides.create(id, params.scheduleId, draft, yield* by))
        }).pipe(refusing),
      removeOverride: ({ params }) =>
        Effect.gen(function* () {
          const id = yield* CallerOrganization
          yield* overrides.remove(id, params.scheduleId, params.overrideId, yield* by)
          return { id: params.overrideId, deleted: true as const }
        }).pipe(refusing),
      calendar: ({ params }) =>
        Effect.flatMap(calendarOf(params.scheduleId), ({ owner }) => calendars.get(owner)).pipe(refusing),
      rotateCalendar: ({ params }) => Effect.flatMap(calendarOf(params.scheduleId), rotate).pipe(refusing),
      endCalendar: ({ params }) =>
        Effect.flatMap(calendarOf(params.scheduleId), calendars.end).pipe(
          Effect.as({ id: params.scheduleId, deleted: true as const }),
          refusing
        ),
      now: () => Effect.flatMap(CallerOrganization, shifts.now)
    })
  })
)
