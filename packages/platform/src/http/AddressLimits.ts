/** Limits by network address, as the endpoint declares that its requests are counted. */
import * as JsonText from "@kanmon/core/JsonText"
import { upTo } from "@kanmon/domain/BoundedText"
import { normalizeEmail } from "@kanmon/domain/EmailAddress"
import type { Problem } from "@kanmon/protocol/Problem"
import { type Counting, usual } from "@kanmon/protocol/Serving"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import * as BodyBounds from "./BodyBounds.ts"
import type { LimitHeaders, RateLimits, Refused } from "./RateLimits.ts"

const formType = "application/x-www-form-urlencoded"

/** Whether the body is a form. */
export const isForm = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  (headers["content-type"] ?? "").startsWith(formType)

/** The body as JSON text: that of a form if it is one. */
export const jsonOf = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, takesForms: boolean) {
  const sent = yield* Effect.orDie(request.text)
  if (!(takesForms && isForm(request))) return yield* Effect.as(BodyBounds.check(sent), sent)
  yield* BodyBounds.checkForm(sent)
  return JSON.stringify(Object.fromEntries(new URLSearchParams(upTo(sent, usual.bodyLimit))))
})

/** The account that a body names, normalized and bounded; empty if it names none. */
export const emailIn = (text: string): string => {
  const { email } = (JsonText.parse(text) ?? {}) as { readonly email?: unknown }
  return typeof email === "string" ? normalizeEmail(email).slice(0, 320) : ""
}

/** Uses one request of the network and of the other counted units. */
export const use = (
  limits: RateLimits["Service"],
  { apart, as }: Counting,
  network: string,
  request: HttpServerRequest.HttpServerRequest,
  takesForms: boolean
): Effect.Effect<LimitHeaders, Refused | Problem<"validation_failed">> => {
  if (as === "reads" || as === "writes") return limits.use(as, apart === undefined ? network : `${apart}:${network}`)
  const ofNetwork = limits.use("signInsOfAddress", network)
  if (as === "codes") return Effect.andThen(ofNetwork, limits.use("signIns", `${network}:${apart ?? as}`))
  return Effect.flatMap(jsonOf(request, takesForms), (text) => {
    const email = emailIn(text)
    return email === "" && as === "attempts"
      ? ofNetwork
      : Effect.andThen(ofNetwork, limits.use("signIns", `${network}:${email}`))
  })
}
