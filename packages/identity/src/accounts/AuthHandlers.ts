/** Serves the routes on which people sign up, in and out, below the base path of the API. */
import * as JsonText from "@kanmon/core/JsonText"
import * as Activity from "@kanmon/core/Activity"
import * as Access from "@kanmon/protocol/Access"
import { DirectRoutes } from "@kanmon/protocol/DirectApi"
import * as Body from "@kanmon/protocol/Body"
import { invalid, Problem } from "@kanmon/protocol/Problem"
import { SignIn } from "./SignIn.ts"
import { SignInAttempts } from "./SignInAttempts.ts"
import { Clock, Effect, Exit, Layer } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { emailIn, isForm, jsonOf } from "@kanmon/platform/http/AddressLimits"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import { type Asked, handleEach } from "@kanmon/platform/http/DirectHandlers"
import * as Origin from "@kanmon/platform/http/Origin"
import * as ProblemResponse from "@kanmon/platform/http/ProblemResponse"
import { clientIp, isJson, isRead, networkOf, RequestId } from "@kanmon/platform/http/RequestInfo"

const ipHeader = "x-kanmon-client-ip"

export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const { handle } = yield* SignIn
    const context = yield* Effect.context<ApiSettings | SignInAttempts>()
    const answer = (asked: Asked) => Effect.provideContext(serve(handle, asked), context)
    const { accountSecurity, accounts, device, passkeys, signIn } = DirectRoutes.groups
    return Layer.mergeAll(
      HttpApiBuilder.group(DirectRoutes, "accounts", (all) => handleEach(all, accounts.endpoints, answer)),
      HttpApiBuilder.group(DirectRoutes, "accountSecurity", (all) =>
        handleEach(all, accountSecurity.endpoints, answer)
      ),
      HttpApiBuilder.group(DirectRoutes, "passkeys", (all) => handleEach(all, passkeys.endpoints, answer)),
      HttpApiBuilder.group(DirectRoutes, "device", (all) => handleEach(all, device.endpoints, answer)),
      HttpApiBuilder.group(DirectRoutes, "signIn", (all) => handleEach(all, signIn.endpoints, answer))
    )
  })
)

/** How often a network may ask was decided before (`AddressLimits`). */
const serve = Effect.fnUntraced(function* (handle: SignIn["Service"]["handle"], { endpoint, request }: Asked) {
  const { baseUrl } = yield* ApiSettings
  const ip = yield* clientIp
  const takesForms = Access.takesForms(endpoint)
  const text = isRead(request.method) ? "" : yield* jsonOf(request, takesForms)
  const foreign = Access.takesForeignForms(endpoint) ? undefined : Origin.objection(request, baseUrl)
  if (foreign !== undefined) return yield* foreign
  if (!(takesForms && isForm(request)) && text !== "" && !isJson(request.headers))
    return yield* ProblemResponse.ofStatus(415)!
  yield* checkBody(text)
  const handled = Activity.ambient(handle(forDriver(request, baseUrl, ip, text)))
  const answer = yield* Access.countingOf(endpoint).delays === true ? guarded(ip, text, handled) : handled
  const isProblem = answer.headers.get("content-type") === "application/problem+json"
  return isProblem ? yield* withRequestId(answer) : HttpServerResponse.fromWeb(answer)
})

/** Delays attempts with a password for each account, from any network. */
const guarded = Effect.fnUntraced(function* (ip: string, text: string, attempt: Effect.Effect<Response>) {
  const email = emailIn(text)
  if (email === "") return yield* attempt
  const attempts = yield* SignInAttempts
  const begun = yield* attempts.begin(email, networkOf(ip), networkOf)
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
