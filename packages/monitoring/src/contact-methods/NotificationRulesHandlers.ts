/** Notification rules over HTTP: each handler only translates. */
import { Api } from "@kanmon/protocol/Api"
import { decodeRules } from "@kanmon/protocol/NotificationRulesBody"
import { CallerUser } from "@kanmon/protocol/Middleware"
import { asProblem } from "@kanmon/platform/http/AsProblem"
import * as Payload from "@kanmon/platform/http/Payload"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { NotificationRules, type RulesOfPerson, shownLists } from "./NotificationRules.ts"
import * as Reach from "./Reach.ts"

const rulesIn = Payload.read(decodeRules)

export const layer = HttpApiBuilder.group(
  Api,
  "notificationRules",
  Effect.fnUntraced(function* (handlers) {
    const rules = yield* NotificationRules
    const reach = yield* Reach.make
    const shown = (one: RulesOfPerson) => ({ ...shownLists(one), reachable: reach.of(one) })

    return handlers.handleAll({
      get: () =>
        Effect.flatMap(CallerUser, ({ userId }) =>
          Effect.map(rules.ofUsers([userId]), (found) => shown(found.get(userId)!))
        ),
      set: ({ payload }) =>
        Effect.gen(function* () {
          return shown(yield* rules.set(yield* CallerUser, yield* rulesIn(payload)))
        }).pipe(asProblem({}))
    })
  })
)
