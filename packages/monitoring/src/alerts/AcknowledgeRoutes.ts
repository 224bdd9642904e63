/**
 * The page behind the link that acknowledges. `GET` only shows it, because mail scanners follow links and browsers load pages ahead;
 * its button posts to the same address.
 */
import * as FormPage from "@kanmon/platform/http/FormPage"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { CurrentActor } from "@kanmon/platform/CurrentActor"
import type { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import { CredentialLookups } from "@kanmon/platform/http/CredentialLookups"
import { RateLimits } from "@kanmon/platform/http/RateLimits"
import { clientIp, networkOf, pathOf } from "@kanmon/platform/http/RequestInfo"
import { AcknowledgeLinks, type LinkedDelivery, linkPath } from "./AcknowledgeLinks.ts"

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const links = yield* AcknowledgeLinks
    const lookups = yield* CredentialLookups
    const context = yield* Effect.context<ApiSettings | RateLimits>()

    const show = Effect.gen(function* () {
      const presented = yield* token
      const looked = lookups.look(networkOf(yield* clientIp), presented, links.look(presented))
      const found = yield* Effect.result(looked)
      if (found._tag === "Success") return question(found.success)
      return found.failure._tag === "LinkInvalid" ? invalid : tooMany(found.failure.detail)
    })

    const act = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const limits = yield* RateLimits
      const admitted = yield* Effect.result(limits.use("writes", `acknowledge:${networkOf(yield* clientIp)}`))
      if (admitted._tag === "Failure") return tooMany(admitted.failure.problem.detail)
      // Nobody asked for what a browser loads ahead.
      if (/prefetch|prerender/i.test(`${request.headers["sec-purpose"] ?? ""} ${request.headers["purpose"] ?? ""}`))
        return yield* show
      const from = { ...(yield* CurrentActor), address: yield* clientIp }
      const used = yield* Effect.result(Effect.provideService(links.use(yield* token), CurrentActor, from))
      if (used._tag === "Success") {
        return page(200, {
          title: "Acknowledged",
          paragraphs: [...about(used.success), "No more reminders are sent. You can close this page."]
        })
      }
      return used.failure._tag === "LinkInvalid"
        ? invalid
        : page(409, { title: "Nothing was changed", paragraphs: [used.failure.detail] })
    })

    yield* router.add("GET", `${linkPath}/:token`, Effect.provideContext(show, context))
    yield* router.add("POST", `${linkPath}/:token`, Effect.provideContext(act, context))
  })
)

const token = Effect.map(
  HttpServerRequest.HttpServerRequest,
  (request) => pathOf(request).replace(/\/$/, "").split("/").at(-1) ?? ""
)

const page = (status: number, content: FormPage.FormPage) =>
  HttpServerResponse.text(FormPage.html(content), { status, headers: FormPage.headers })

/** Alerts that a page names; the others are counted. */
const named = 20

const about = ({ alerts }: LinkedDelivery): ReadonlyArray<string> => [
  ...alerts
    .slice(0, named)
    .map(({ monitorName, reason }) => (reason === "" ? monitorName : `${monitorName}: ${reason}`)),
  ...(alerts.length > named ? [`… and ${alerts.length - named} more`] : [])
]

const question = (found: LinkedDelivery) => {
  if (found.isLinkUsed || found.alerts.every(({ isOver }) => isOver)) {
    return page(200, {
      title: found.isLinkUsed ? "This link was already used" : "The alert is over",
      paragraphs: [...about(found), "You can close this page."]
    })
  }
  return page(200, {
    title: found.alerts.length === 1 ? "Acknowledge this alert?" : `Acknowledge these ${found.alerts.length} alerts?`,
    paragraphs: [
      ...about(found),
      "Reminders end, and everybody sees that somebody takes care of it. Nothing else changes."
    ],
    form: { fields: [], button: "Acknowledge" }
  })
}

const tooMany = (detail: string) => page(429, { title: "Too many requests", paragraphs: [detail] })

const invalid = page(404, {
  title: "This link is not valid",
  paragraphs: ["It is older than seven days, or incomplete. The next reminder has a new one."]
})
