/** The quiet hours of a person over HTTP: each handler only translates. */
import { asProblem } from "@kanmon/platform/http/AsProblem"
import * as Payload from "@kanmon/platform/http/Payload"
import { Api } from "@kanmon/protocol/Api"
import { CallerUser } from "@kanmon/protocol/Middleware"
import { decodeQuietHours } from "@kanmon/protocol/QuietHoursBody"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { PersonalQuietHours } from "./PersonalQuietHours.ts"

const hoursIn = Payload.read(decodeQuietHours)

export const layer = HttpApiBuilder.group(
  Api,
  "quietHours",
  Effect.fnUntraced(function* (handlers) {
    const people = yield* PersonalQuietHours

    return handlers.handleAll({
      get: () =>
        Effect.flatMap(CallerUser, ({ userId }) =>
          Effect.map(people.ofUsers([userId]), (found) => ({ quietHours: found.get(userId) ?? null }))
        ),
      set: ({ payload }) =>
        Effect.gen(function* () {
          const body = yield* hoursIn(payload)
          yield* people.set(yield* CallerUser, body.quietHours)
          return body
        }).pipe(asProblem({}))
    })
  })
)
