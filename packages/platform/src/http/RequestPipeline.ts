/**
 * The outermost layer of every request: limits of its head, request ID, access log, security headers, timeout, and problem
 * details for every failure.
 */
import * as DependencyUnavailable from "../DependencyUnavailable.ts"
import { ByteSize, Cause, Clock, type Duration, Effect, identity } from "effect"
import { Headers, HttpIncomingMessage, HttpServerRequest, HttpServerResponse } from "effect/http"
import { CurrentActivity } from "@kanmon/core/Activity"
import type { Problem } from "@kanmon/protocol/Problem"
import { SecureRandom } from "effect/crypto"
import { AccessLogLevel } from "./AccessLogLevel.ts"
import * as CookieHeader from "./CookieHeader.ts"
import { upTo } from "@kanmon/domain/BoundedText"
import { mask } from "../LogMask.ts"
import type { ApiSettings } from "./ApiSettings.ts"
import * as HttpMetrics from "./HttpMetrics.ts"
import * as RequestActivity from "./RequestActivity.ts"
import * as RequestBounds from "./RequestBounds.ts"
import * as RequestTimeout from "./RequestTimeout.ts"
import * as ProblemResponse from "./ProblemResponse.ts"
import { pathOf, RequestId } from "./RequestInfo.ts"

const bodyLimit = 1024 * 1024
const idPattern = /^[\w.:-]{1,128}$/

/** Defaults for responses that do not set these headers. Most responses are private JSON. */
const usualHeaders = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy":
    "accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), midi=(), payment=(), usb=()"
}

/** The dashboard opens windows for sign-on; windows that others open do not reach ours. */
const openerPolicy = { "cross-origin-opener-policy": "same-origin-allow-popups" }

/** Whether browsers call the origin trustworthy: elsewhere they ignore some headers, with an error on the console. */
export const isTrustworthy = (baseUrl: string): boolean => {
  const { hostname, protocol } = new URL(baseUrl)
  return protocol === "https:" || hostname === "[::1]" || /^(?:127\.|(?:[^.]+\.)*localhost$)/.test(hostname)
}

type ProblemForm = (typeof ProblemResponse.ProblemForm)["Service"]

/** What the pipeline needs to know about paths. */
export interface Addresses {
  /** The methods of a path, to distinguish 405 from 404. */
  readonly methodsOf: (path: string) => ReadonlyArray<string>
  /** Whether the path is polled every few seconds. Such requests are logged at debug level. */
  readonly isBusy: (request: HttpServerRequest.HttpServerRequest) => boolean
  /** The timeout, if it differs from the default. */
  readonly requestTimeoutFor: (request: HttpServerRequest.HttpServerRequest) => Duration.Input | undefined
  /** The largest body in bytes, if it differs from the default. */
  readonly bodyLimitFor: (request: HttpServerRequest.HttpServerRequest) => number | undefined
  /** Whether the path reads its bodies itself, of any length and encoding. */
  readonly readsBody: (request: HttpServerRequest.HttpServerRequest) => boolean
  /** How problems are shown, if not as problem details. */
  readonly problemFormFor: (request: HttpServerRequest.HttpServerRequest) => ProblemForm | undefined
  /** Whether the host is a custom domain, which gets no HSTS header from us. */
  readonly isForeign: (request: HttpServerRequest.HttpServerRequest) => boolean
}

/** Wraps the whole app. */
export const wrap = <E, R>(
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
  { bodyLimitFor, isBusy, isForeign, methodsOf, problemFormFor, readsBody, requestTimeoutFor }: Addresses,
  { baseUrl, requestTimeout = "30 seconds", trustedProxy }: ApiSettings["Service"]
): Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  R | HttpServerRequest.HttpServerRequest | SecureRandom.SecureRandom
> => {
  const ours = {
    ...usualHeaders,
    ...(isTrustworthy(baseUrl) ? openerPolicy : {}),
    ...(baseUrl.startsWith("https:") ? { "strict-transport-security": "max-age=31536000" } : {})
  }
  return Effect.gen(function* () {
    const received = yield* HttpServerRequest.HttpServerRequest
    const oversized = RequestBounds.refusal(received)
    // The headers of a refused request are not read, and its target is cut.
    const request =
      oversized === undefined
        ? withPlainCookies(received)
        : received.modify({ url: RequestBounds.shortened(received.url), headers: Headers.empty })
    const began = yield* Clock.currentTimeMillis
    const given = request.headers["x-request-id"]
    const requestId =
      given !== undefined && idPattern.test(given)
        ? given
        : (yield* (yield* SecureRandom.SecureRandom).ulid).toLowerCase()

    const limit = bodyLimitFor(request) ?? bodyLimit
    const activity = RequestActivity.make(request, trustedProxy)
    const refused =
      oversized ??
      (readsBody(request) ? undefined : refusedBody(request, limit)) ??
      RequestActivity.refusal(yield* RequestActivity.Held, activity)
    const guarded = refused === undefined ? app : ProblemResponse.toResponse(refused)
    const form = problemFormFor(request)
    const response = yield* RequestTimeout.within(guarded, requestTimeoutFor(request) ?? requestTimeout, request).pipe(
      Effect.catchCause((cause) => onFailure(cause, requestId)),
      Effect.flatMap((answer) => describe(answer, request, methodsOf)),
      form === undefined ? identity : Effect.provideService(ProblemResponse.ProblemForm, form),
      Effect.provideService(RequestId, requestId),
      Effect.provideService(HttpServerRequest.HttpServerRequest, request),
      Effect.provideService(RequestActivity.CurrentRequest, activity),
      Effect.provideService(CurrentActivity, activity.describe),
      // Also limits bodies without a Content-Length.
      Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.fromInputUnsafe(limit))
    )
    const millis = (yield* Clock.currentTimeMillis) - began
    yield* HttpMetrics.answered(request.method, response.status, millis)
    yield* log(request, isBusy(request), { status: response.status, millis, requestId })
    const headed = HttpServerResponse.setHeaders(response, {
      ...(isForeign(request) ? usualHeaders : ours),
      ...response.headers,
      "x-request-id": requestId,
      // The rest of the body would be parsed as the next request.
      ...(response.status === 408 ? { connection: "close" } : {})
    })
    return mayBeFramed(headed) ? HttpServerResponse.removeHeader(headed, "x-frame-options") : headed
  })
}

const withPlainCookies = (request: HttpServerRequest.HttpServerRequest): HttpServerRequest.HttpServerRequest => {
  const { cookie } = request.headers
  const plain = cookie === undefined ? undefined : CookieHeader.plain(cookie)
  return plain === undefined || plain === cookie
    ? request
    : request.modify({ headers: Headers.set(request.headers, "cookie", plain) })
}

/** Whether the policy of a response names sites that may frame it, which the older header cannot. */
const mayBeFramed = ({ headers }: HttpServerResponse.HttpServerResponse): boolean =>
  /frame-ancestors (?!'none')/.test(upTo(headers["content-security-policy"] ?? "", 10_000))

/** Refuses bodies that are too large or compressed, before anything reads them. */
const refusedBody = (request: HttpServerRequest.HttpServerRequest, limit: number): Problem | undefined => {
  if (Number(request.headers["content-length"] ?? 0) > limit) return ProblemResponse.ofStatus(413)
  const isPlain = (request.headers["content-encoding"] ?? "identity") === "identity"
  return isPlain ? undefined : ProblemResponse.ofStatus(415)
}

/** Writes the access log. Query and headers are left out, because they may contain secrets. */
const log = (
  request: HttpServerRequest.HttpServerRequest,
  busy: boolean,
  outcome: { readonly status: number; readonly millis: number; readonly requestId: string }
) => {
  const path = mask(pathOf(request))
  const write = Effect.flatMap(AccessLogLevel, (level) =>
    Effect.logWithLevel(busy && outcome.status < 400 ? "Debug" : level)("Request")
  )
  return Effect.annotateLogs(write, { method: request.method, path, ...outcome })
}

const onFailure = (cause: Cause.Cause<unknown>, requestId: string) =>
  Effect.gen(function* () {
    if (Cause.hasInterruptsOnly(cause)) return HttpServerResponse.empty({ status: 499 })
    const problem = ProblemResponse.ofCause(cause)
    if (problem.status === 503) {
      const why = DependencyUnavailable.reason(cause) ?? problem.detail
      yield* Effect.logWarning("Request failed: a dependency is unavailable").pipe(
        Effect.annotateLogs({ why, requestId })
      )
    } else if (problem.status >= 500) {
      yield* Effect.logError("Request failed", cause).pipe(Effect.annotateLogs({ requestId }))
    }
    return yield* ProblemResponse.toResponse(problem)
  })

/** Adds a problem body to empty error responses, and the `Allow` header to 405. */
const describe = (
  response: HttpServerResponse.HttpServerResponse,
  request: HttpServerRequest.HttpServerRequest,
  methodsOf: (path: string) => ReadonlyArray<string>
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  const { status } = response
  if (status < 400 || status === 499) return Effect.succeed(response)
  const methods = status === 404 || status === 405 ? methodsOf(pathOf(request)) : []
  // HEAD is answered as GET is (RFC 9110 §9.3.2).
  const asked = request.method === "HEAD" ? "GET" : request.method
  const wrongMethod = status === 405 || (methods.length > 0 && !methods.includes(asked))
  const said = /json|html/.test(response.headers["content-type"] ?? "")
  const problem =
    said && (status === 405 || !wrongMethod) ? undefined : ProblemResponse.ofStatus(wrongMethod ? 405 : status)
  const answer = problem === undefined ? Effect.succeed(response) : ProblemResponse.toResponse(problem)
  return wrongMethod ? Effect.map(answer, HttpServerResponse.setHeader("allow", methods.join(", "))) : answer
}
