/** Calendars of shifts, and when people are away, over HTTP: each handler only translates. */
import { upTo } from "@kanmon/domain/BoundedText"
import { Api } from "@kanmon/protocol/Api"
import { basePath } from "@kanmon/protocol/BasePath"
import { decodeAway } from "@kanmon/protocol/CalendarBody"
import { CallerUser } from "@kanmon/protocol/Middleware"
import * as Pieces from "@kanmon/platform/http/Pieces"
import * as Payload from "@kanmon/platform/http/Payload"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Away } from "./Away.ts"
import { type CalendarOf, CalendarNotFound, Calendars } from "./Calendars.ts"
import { OwnShifts } from "./OwnShifts.ts"
import { refusing } from "./ScheduleProblems.ts"

/** The address of a new calendar, which is shown once. */
export const addressed = Effect.map(
  Effect.all([Calendars, ApiSettings]),
  ([{ rotate }, { baseUrl }]) =>
    (of: CalendarOf) =>
      Effect.map(rotate(of), ({ createdAt, token }) => ({
        url: `${baseUrl}${basePath}/calendars/${token}.ics`,
        createdAt,
        lastUsedAt: null
      }))
)

const own = Effect.map(CallerUser, ({ email, userId }): CalendarOf => ({
  owner: { userId },
  about: { target: { id: userId, name: email }, accountId: userId }
}))

const awayIn = Payload.read(decodeAway)

const account = HttpApiBuilder.group(
  Api,
  "onCallAccount",
  Effect.fnUntraced(function* (handlers) {
    const away = yield* Away
    const calendars = yield* Calendars
    const rotate = yield* addressed
    const shifts = yield* OwnShifts

    return handlers.handleAll({
      shifts: () => Effect.flatMap(CallerUser, ({ userId }) => shifts.next(userId)),
      away: () => Effect.flatMap(CallerUser, ({ userId }) => away.get(userId)),
      setAway: ({ payload }) =>
        Effect.gen(function* () {
          return yield* away.set(yield* CallerUser, yield* awayIn(payload))
        }).pipe(refusing),
      calendar: () => Effect.flatMap(own, ({ owner }) => calendars.get(owner)).pipe(refusing),
      rotateCalendar: () => Effect.flatMap(own, rotate),
      endCalendar: () =>
        Effect.gen(function* () {
          const of = yield* own
          yield* calendars.end(of)
          return { id: of.about.target.id, deleted: true as const }
        }).pipe(refusing)
    })
  })
)

/** A token has 43 characters; others are not looked up. */
const tokenOf = (name: string): string | undefined => /^([0-9A-Za-z]{43})\.ics$/.exec(upTo(name, 100))?.[1]

const feeds = HttpApiBuilder.group(
  Api,
  "calendars",
  Effect.fnUntraced(function* (handlers) {
    const calendars = yield* Calendars

    return handlers.handleAll({
      get: ({ params }) =>
        Effect.gen(function* () {
          const token = tokenOf(params.token)
          const pieces = token === undefined ? yield* new CalendarNotFound() : yield* calendars.read(token)
          return Pieces.respond(
            pieces.map((piece) => Buffer.from(piece)),
            {
              contentType: "text/calendar; charset=utf-8",
              headers: { "cache-control": "private, no-cache", "content-disposition": `inline; filename="on-call.ics"` }
            }
          )
        }).pipe(refusing)
    })
  })
)

export const layer = Layer.merge(account, feeds)
