/**
 * The one way that every request takes: limits of its head, its place, limits of its body, timeout, problem details for every
 * failure, access log, security headers.
 */
import * as DependencyUnavailable from "../DependencyUnavailable.ts"
import { ByteSize, Cause, Clock, Effect, identity } from "effect"
import { Headers, HttpIncomingMessage, HttpServerRequest, HttpServerResponse } from "effect/http"
import { CurrentActivity } from "@kanmon/core/Activity"
import type { Problem } from "@kanmon/protocol/Problem"
import type { Serving } from "@kanmon/protocol/Serving"
import { SecureRandom } from "effect/crypto"
import { AccessLogLevel } from "./AccessLogLevel.ts"
import * as CookieHeader from "./CookieHeader.ts"
import { upTo } from "@kanmon/domain/BoundedText"
import { mask } from "../LogMask.ts"
import type { ApiSettings } from "./ApiSettings.ts"
import * as HttpMetrics from "./HttpMetrics.ts"
import * as LastingAnswers from "./LastingAnswers.ts"
import * as RequestActivity from "./RequestActivity.ts"
import * as RequestBounds from "./RequestBounds.ts"
import * as RequestTimeout from "./RequestTimeout.ts"
import * as ProblemResponse from "./ProblemResponse.ts"
import { pathOf, RequestId } from "./RequestInfo.ts"

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

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** Where a request belongs, decided once. */
export interface Located<E, R> {
  /** The request as its part sees it: without the path of the installation. */
  readonly request: Request
  readonly answer: Effect.Effect<Response, E, R>
  /** How it is served: as the endpoint declares that it is for. */
  readonly serving: Serving
  /** The methods of a path, to distinguish 405 from 404. */
  readonly methodsOf: (path: string) => ReadonlyArray<string>
  /** Whether the host is a custom domain, which gets no HSTS header from us. */
  readonly isForeign: boolean
}

export interface Options<E, R> {
  readonly settings: Pick<ApiSettings["Service"], "baseUrl" | "requestTimeout" | "trustedProxy">
  readonly locate: (request: Request) => Located<E, R>
  /** The forms of problems besides problem details. */
  readonly forms: Readonly<
    Record<Exclude<Serving["problems"], "details">, (typeof ProblemResponse.ProblemForm)["Service"]>
  >
}

/**
 * The way of every request, in order. Inside of `answer`, the endpoint's middleware goes on: who asks, how often, in which project
 * or organization, whether it was answered before, and what is in the body (`ApiMiddleware.ts`). The server compresses the answer.
 */
export const make = <E, R>({
  forms,
  locate,
  settings
}: Options<E, R>): Effect.Effect<Response, never, R | Request | SecureRandom.SecureRandom> => {
  const { requestTimeout = "30 seconds", trustedProxy } = settings
  const headersFor = defaultHeaders(settings.baseUrl)
  return Effect.gen(function* () {
    const began = yield* Clock.currentTimeMillis
    const received = yield* HttpServerRequest.HttpServerRequest
    // 1. Its head is within the limits; otherwise nothing reads more of it than the path.
    const oversized = RequestBounds.refusal(received)
    // 2. Where it belongs, and how that is served.
    const located = locate(oversized === undefined ? withPlainCookies(received) : headless(received))
    const { request, serving } = located
    const requestId = yield* idOf(request)
    // 3. Its kind is not held back for having blocked the process.
    const activity = RequestActivity.make(request, trustedProxy)
    const held = RequestActivity.refusal(yield* RequestActivity.Held, activity)
    // 4. Its body, of which nothing was read yet, is within the limits.
    const refused = oversized ?? refusedBody(request, serving) ?? held
    const answer = refused === undefined ? located.answer : ProblemResponse.toResponse(refused)
    // 5. The answer begins in time. 6. A failure becomes a problem.
    const response = yield* RequestTimeout.within(answer, serving.timeout ?? requestTimeout, request).pipe(
      Effect.catchCause((cause) => onFailure(cause, requestId)),
      Effect.flatMap((response) => describe(response, request, located.methodsOf)),
      serving.problems === "details"
        ? identity
        : Effect.provideService(ProblemResponse.ProblemForm, forms[serving.problems]),
      Effect.provideService(RequestId, requestId),
      Effect.provideService(HttpServerRequest.HttpServerRequest, request),
      Effect.provideService(RequestActivity.CurrentRequest, activity),
      Effect.provideService(CurrentActivity, activity.describe),
      // Also limits bodies without a Content-Length.
      Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.fromInputUnsafe(serving.bodyLimit))
    )
    // 7. It is counted and logged.
    const millis = (yield* Clock.currentTimeMillis) - began
    yield* HttpMetrics.answered(request.method, response.status, millis)
    yield* log(request, serving.isPolled, { status: response.status, millis, requestId })
    // 8. It is taken in a bounded time, unless it is an event stream.
    LastingAnswers.note(request, response)
    return headed(response, headersFor(located.isForeign), requestId)
  })
}

/** The headers of every response, of our own host and of others. */
const defaultHeaders = (baseUrl: string) => {
  const own = {
    ...usualHeaders,
    ...(isTrustworthy(baseUrl) ? openerPolicy : {}),
    ...(baseUrl.startsWith("https:") ? { "strict-transport-security": "max-age=31536000" } : {})
  }
  return (isForeign: boolean) => (isForeign ? usualHeaders : own)
}

const headed = (response: Response, usual: Readonly<Record<string, string>>, requestId: string): Response => {
  const whole = HttpServerResponse.setHeaders(response, {
    ...usual,
    ...response.headers,
    "x-request-id": requestId,
    // The rest of the body would be parsed as the next request.
    ...(response.status === 408 ? { connection: "close" } : {})
  })
  return mayBeFramed(whole) ? HttpServerResponse.removeHeader(whole, "x-frame-options") : whole
}

/** A request whose head is too large: its target is cut, and its headers are not read. */
const headless = (received: Request): Request =>
  received.modify({ url: RequestBounds.shortened(received.url), headers: Headers.empty })

const idOf = ({ headers }: Request): Effect.Effect<string, never, SecureRandom.SecureRandom> => {
  const given = headers["x-request-id"]
  return given !== undefined && idPattern.test(given)
    ? Effect.succeed(given)
    : Effect.flatMap(SecureRandom.SecureRandom, ({ ulid }) => Effect.map(ulid, (id) => id.toLowerCase()))
}

const withPlainCookies = (request: Request): Request => {
  const { cookie } = request.headers
  const plain = cookie === undefined ? undefined : CookieHeader.plain(cookie)
  return plain === undefined || plain === cookie
    ? request
    : request.modify({ headers: Headers.set(request.headers, "cookie", plain) })
}

/** Whether the policy of a response names sites that may frame it, which the older header cannot. */
const mayBeFramed = ({ headers }: Response): boolean =>
  /frame-ancestors (?!'none')/.test(upTo(headers["content-security-policy"] ?? "", 10_000))

/** Refuses bodies that are too large or compressed, before anything reads them. */
const refusedBody = (request: Request, { bodyLimit, readsAnyBody }: Serving): Problem | undefined => {
  if (readsAnyBody) return undefined
  if (Number(request.headers["content-length"] ?? 0) > bodyLimit) return ProblemResponse.ofStatus(413)
  const isPlain = (request.headers["content-encoding"] ?? "identity") === "identity"
  return isPlain ? undefined : ProblemResponse.ofStatus(415)
}

/** Writes the access log. Query and headers are left out, because they may contain secrets. */
const log = (
  request: Request,
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

/**
 * Statuses of a method that an address lacks, where a pattern beside it has the method: `PATCH /monitors/summaries` is a change of no
 * monitor, and some routes ask who is calling first.
 */
const mayBeOfAnother: ReadonlySet<number> = new Set([401, 403, 404, 405])

/** Adds a problem body to empty error responses, and the `Allow` header to 405. */
const describe = (
  response: Response,
  request: Request,
  methodsOf: (path: string) => ReadonlyArray<string>
): Effect.Effect<Response> => {
  const { status } = response
  if (status < 400 || status === 499) return Effect.succeed(response)
  const methods = mayBeOfAnother.has(status) ? methodsOf(pathOf(request)) : []
  // HEAD is answered as GET is (RFC 9110 §9.3.2).
  const asked = request.method === "HEAD" ? "GET" : request.method
  const wrongMethod = status === 405 || (methods.length > 0 && !methods.includes(asked))
  const said = /json|html/.test(response.headers["content-type"] ?? "")
  const problem =
    said && (status === 405 || !wrongMethod) ? undefined : ProblemResponse.ofStatus(wrongMethod ? 405 : status)
  const answer = problem === undefined ? Effect.succeed(response) : ProblemResponse.toResponse(problem)
  return wrongMethod ? Effect.map(answer, HttpServerResponse.setHeader("allow", methods.join(", "))) : answer
}
