/**
 * A request as an activity, told apart by its route and by who asks: one tenant's requests may be held back without the route
 * being closed to the others. Until the caller is identified, the network counts.
 */
import type * as Activity from "@kanmon/core/Activity"
import type * as Quarantine from "@kanmon/core/Quarantine"
import { type Principal, credentialOf } from "@kanmon/domain/Principal"
import { Problem } from "@kanmon/protocol/Problem"
import { routeOf } from "@kanmon/protocol/Routes"
import { Context, Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { addressOf, networkOf, pathOf } from "./RequestInfo.ts"

export interface RequestActivity {
  readonly describe: Activity.Describe
  /** The caller, once it is known. */
  caller: string | undefined
}

export const CurrentRequest = Context.Reference<RequestActivity | undefined>("@kanmon/platform/http/CurrentRequest", {
  defaultValue: () => undefined
})

/** Decides whether requests are held back. */
export const Held = Context.Reference<Quarantine.Decisions["holds"]>("@kanmon/platform/http/RequestActivity/Held", {
  defaultValue: () => () => false
})

export const make = (request: HttpServerRequest.HttpServerRequest, trustedProxy: boolean): RequestActivity => {
  const activity: RequestActivity = {
    caller: undefined,
    describe: () => {
      const path = pathOf(request)
      const end = path.indexOf("/", 1)
      const route = `${request.method} ${routeOf(path) ?? (end < 0 ? path : path.slice(0, end))}`
      const caller = activity.caller ?? `network ${networkOf(addressOf(request, trustedProxy))}`
      const size = Number(request.headers["content-length"] ?? Number.NaN)
      return {
        kind: "request",
        key: `${route} ${caller}`,
        version: "",
        label: route,
        size: Number.isSafeInteger(size) ? size : null
      }
    }
  }
  return activity
}

const held = new Problem({
  code: "unavailable",
  detail:
    "A request like this blocked the server for seconds, twice, so yours to this route are refused for an hour. Change what you send, or tell the operator the request ID",
  retryAfter: 3600
})

/** The problem that answers a request that is held back. */
export const refusal = (holds: Quarantine.Decisions["holds"], { describe }: RequestActivity): Problem | undefined =>
  holds("request", describe) ? held : undefined

/** Counts the caller from now on instead of the network. Refuses a caller with blocked requests. */
export const identified = (principal: Principal): Effect.Effect<void> =>
  Effect.gen(function* () {
    const activity = yield* CurrentRequest
    if (activity === undefined) return
    activity.caller = credentialOf(principal)
    const refused = refusal(yield* Held, activity)
    // Every endpoint may answer that it is unavailable, so it need not be among the failures of each.
    if (refused !== undefined) return yield* Effect.die(refused)
  })
