/** Serves the routes on which people sign up, in and out, below the base path of the API. */
import * as JsonText from "@kanmon/core/JsonText"
import * as Activity from "@kanmon/core/Activity"
import { normalizeEmail } from "@kanmon/domain/EmailAddress"
import { basePath } from "@kanmon/protocol/BasePath"
import * as Body from "@kanmon/protocol/Body"
import { invalid, Problem } from "@kanmon/protocol/Problem"
import { SignIn, type SignInRoutes } from "./SignIn.ts"
import { SignInAttempts } from "./SignInAttempts.ts"
import { Clock, Effect, Exit, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import * as BodyBounds from "@kanmon/platform/http/BodyBounds"
import * as Origin from "@kanmon/platform/http/Origin"
import * as ProblemResponse from "@kanmon/platform/http/ProblemResponse"
import { type LimitHeaders, RateLimits } from "@kanmon/platform/http/RateLimits"
import { clientIp, isJson, isRead, networkOf, RequestId } from "@kanmon/platform/http/RequestInfo"

const ipHeader = "x-kanmon-client-ip"

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const { routes } = yield* SignIn
    const context = yield* Effect.context<ApiSettings | RateLimits | SignInAttempts>()
    yield* router.add(
      "*",
      `${basePath}${routes.path}/*`,
      serve(routes).pipe(Effect.catch(ProblemResponse.toResponse), Effect.provideContext(context))
    )
  })
)

const serve = Effect.fnUntraced(function* (routes: SignInRoutes) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const { baseUrl } = yield* ApiSettings
  const ip = yield* clientIp
  // Normalized as the driver reads it, because a path can be written in several ways.
  const path = new URL(`${baseUrl}${request.url}`).pathname.slice(new URL(baseUrl).pathname.replace(/\/$/, "").length)
  const isForm = takesForm(routes, request, path)
  const body = isRead(request.method) ? "" : yield* Effect.orDie(request.text)
  const text = isForm ? JSON.stringify(Object.fromEntries(new URLSearchParams(body))) : body
  yield* BodyBounds.check(text)
  const used = yield* Effect.result(limited(request.method, path, ip, text))
  if (used._tag === "Failure") {
    return HttpServerResponse.setHeaders(yield* ProblemResponse.toResponse(used.failure.problem), used.failure.headers)
  }
  const foreign = isForeignForm(routes, path) ? undefined : Origin.objection(request, baseUrl)
  if (foreign !== undefined) return yield* foreign
  if (!isForm && text !== "" && !isJson(request.headers)) return yield* ProblemResponse.ofStatus(415)!
  yield* checkBody(text)
  const handled = Activity.ambient(routes.handle(forDriver(request, baseUrl, ip, text)))
  const answer = yield* guarded(path, ip, text, handled)
  const isProblem = answer.headers.get("content-type") === "application/problem+json"
  const response = isProblem ? yield* withRequestId(answer) : HttpServerResponse.fromWeb(answer)
  return HttpServerResponse.setHeaders(response, used.success)
})

const formType = "application/x-www-form-urlencoded"

/** Whether the body is a form, on a route that accepts forms. */
const takesForm = (routes: SignInRoutes, request: HttpServerRequest.HttpServerRequest, path: string): boolean =>
  (request.headers["content-type"] ?? "").startsWith(formType) &&
  (isForeignForm(routes, path) || routes.forms.includes(path.slice(basePath.length)))

const isForeignForm = ({ foreignForms }: SignInRoutes, path: string): boolean =>
  foreignForms.test(path.slice(basePath.length))

/** Routes on which the password of the account in the body is tried. */
const takesPassword = /\/(sign-in|sign-up|verify-email)(\/|$)/

/** Names an account without a password: it would reset the count of failures for everyone who asks. */
const onlyNames = /\/sign-in\/sso$/

/** Routes that are limited like sign-ins: they try secrets, hash passwords or send mail. */
const isCostly =
  /\/(sign-in|sign-up|verify-email|confirm-email|change-email|send-verification-email|request-password-reset|reset-password|change-password|prove|two-factor|passkey)(\/|$)/

/** Routes that take the code of a device, which could be guessed, or make one, which is kept. */
const takesCode = /\/auth\/device(\/(code|approve|deny))?\/?$/

/** Attempts are counted by network and e-mail address, and by network alone against callers that try many accounts. */
const limited = (
  method: string,
  path: string,
  ip: string,
  text: string
): Effect.Effect<LimitHeaders, { readonly problem: Problem; readonly headers: LimitHeaders }, RateLimits> =>
  Effect.flatMap(RateLimits, (limits) => {
    const network = networkOf(ip)
    const ofNetwork = limits.use("signInsOfAddress", network)
    const code = takesCode.exec(path)
    if (code !== null) return Effect.andThen(ofNetwork, limits.use("signIns", `${network}:device${code[1] ?? ""}`))
    if (isRead(method) || !isCostly.test(path)) return limits.use("reads", network)
    const email = emailIn(text)
    if (email === "" && !takesPassword.test(path)) return ofNetwork
    return Effect.andThen(ofNetwork, limits.use("signIns", `${network}:${email.slice(0, 320)}`))
  })

/** Delays attempts with a password for each account, from any network. */
const guarded = Effect.fnUntraced(function* (path: string, ip: string, text: string, attempt: Effect.Effect<Response>) {
  const email = emailIn(text)
  if (email === "" || !takesPassword.test(path) || path.includes("/sign-up/") || onlyNames.test(path))
    return yield* attempt
  const attempts = yield* SignInAttempts
  const begun = yield* attempts.begin(email.slice(0, 320), networkOf(ip), networkOf)
  if ("blockedUntil" in begun) {
    const wait = (begun.blockedUntil - (yield* Clock.currentTimeMillis)) / 1000
    return yield* new Problem({
      code: "rate_limited",
      detail: `Too many attempts to sign in to this account failed; wait ${Math.ceil(wait)} s`,
      retryAfter: wait
    })
  }
  return yield* Effect.onExit(attempt, (exit) =>
    Exit.isSuccess(exit) && exit.value.ok
      ? begun.succeeded
      : Exit.isSuccess(exit) && exit.value.status === 401
        ? begun.failed
        : begun.withdrawn
  )
})

const emailIn = (text: string): string => {
  const { email } = (JsonText.parse(text) ?? {}) as { readonly email?: unknown }
  return typeof email === "string" ? normalizeEmail(email) : ""
}

/** Guarantees to the driver that a body is JSON, and can be stored. */
const checkBody = (text: string): Effect.Effect<void, Problem> => {
  if (text === "") return Effect.void
  const body = JsonText.parse(text)
  if (body === undefined) return Effect.fail(new Problem({ code: "malformed_request", detail: "The body is not JSON" }))
  const unfit = Body.objection(body)
  return unfit === undefined ? Effect.void : Effect.fail(invalid([unfit]))
}

const forDriver = (request: HttpServerRequest.HttpServerRequest, baseUrl: string, ip: string, text: string) => {
  const headers = new Headers(request.headers as Record<string, string>)
  // Overwrites the caller's value, because the driver trusts this header.
  headers.set(ipHeader, ip)
  headers.delete("content-length")
  if (text !== "") headers.set("content-type", "application/json")
  // The origin was checked already, in the same way for all routes.
  headers.set("origin", new URL(baseUrl).origin)
  for (const name of Object.keys(request.headers)) if (name.startsWith("sec-fetch-")) headers.delete(name)
  return new Request(`${baseUrl}${request.url}`, {
    method: request.method,
    headers,
    ...(text === "" ? {} : { body: text })
  })
}

/** A problem of the driver, with the id of the request. */
const withRequestId = (answer: Response) =>
  Effect.gen(function* () {
    const requestId = yield* RequestId
    const retryAfter = answer.headers.get("retry-after")
    const details = (yield* Effect.promise(() => answer.json())) as Record<string, unknown>
    return HttpServerResponse.jsonUnsafe(
      { ...details, requestId },
      {
        status: answer.status,
        headers: {
          "content-type": "application/problem+json",
          ...(retryAfter === null ? {} : { "retry-after": retryAfter })
        }
      }
    )
  })
