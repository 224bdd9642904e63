/** Figures about on-call duty over HTTP: each handler only translates. */
import { UserId } from "@kanmon/domain/Ids"
import { dayMillis } from "@kanmon/domain/Timestamp"
import * as Csv from "@kanmon/platform/Csv"
import * as Window from "@kanmon/platform/http/Window"
import type { OnCallAnalytics } from "@kanmon/protocol/AnalyticsBody"
import { Api } from "@kanmon/protocol/Api"
import { CallerOrganization, CallerRole, CallerUser } from "@kanmon/protocol/Middleware"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { refusing } from "../on-call/index.ts"
import { OnCallFigures } from "./OnCallFigures.ts"

const usualDays = 28

const table = ({ people }: OnCallAnalytics): string =>
  [
    ["userId", "name", "onCallHours", "pages", "interruptedNights"],
    ...people.map(({ interruptedNights, name, onCallSeconds, pages, userId }) => [
      userId,
      name,
      (onCallSeconds / 3600).toFixed(2),
      String(pages),
      String(interruptedNights)
    ])
  ]
    .map(Csv.record)
    .join("")

export const layer = HttpApiBuilder.group(
  Api,
  "analytics",
  Effect.fnUntraced(function* (handlers) {
    const figures = yield* OnCallFigures

    return handlers.handleAll({
      onCall: ({ query }) =>
        Effect.gen(function* () {
          const window = yield* Window.read(query, usualDays * dayMillis)
          const reader = { userId: UserId.make((yield* CallerUser).userId), role: yield* CallerRole }
          const found = yield* figures.of(yield* CallerOrganization, window, reader)
          const { headers } = yield* HttpServerRequest.HttpServerRequest
          return Csv.isAsked(headers) ? HttpServerResponse.text(table(found), { contentType: Csv.contentType }) : found
        }).pipe(refusing)
    })
  })
)
