/**
 * The outermost layer of every request: its id, its log line, the headers that browsers want to see, and the promise that
 * whatever happens inside comes out as problem details.
 */
import * as Outage from "@kanmon/store/database/Outage"
import { ByteSize, Cause, Clock, type Duration, Effect } from "effect"
import { HttpIncomingMessage, HttpServerRequest, HttpServerResponse } from "effect/http"
import { SecureRandom } from "effect/crypto"
import { AccessLogLevel, mask } from "../Logging.ts"
import type { ApiSettings } from "./ApiSettings.ts"
import * as HttpMetrics from "./HttpMetrics.ts"
import * as Patience from "./Patience.ts"
import * as ProblemResponse from "./ProblemResponse.ts"
import { pathOf, RequestId } from "./RequestInfo.ts"

const bodyLimit = 1024 * 1024
const idPattern = /^[\w.:-]{1,128}$/

/** For answers that say nothing of the kind themselves: most are JSON about somebody's own things. */
const usualHeaders = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cache-control": "no-store"
}

/** What the edge is told about addresses. */
export interface Addresses {
  /** Which methods an address knows, to tell 405 from 404. */
  readonly methodsOf: (path: string) => ReadonlyArray<string>
  /** Whether machines ask for this every few seconds: such requests would drown the rest of the log. */
  readonly isBusy: (request: HttpServerRequest.HttpServerRequest) => boolean
  /** How long the answer may take, where it may take longer than others. */
  readonly patienceFor: (request: HttpServerRequest.HttpServerRequest) => Duration.Input | undefined
  /** Whether it was sent to a host that is somebody else's: what ours promises is not promised for theirs. */
  readonly isForeign: (request: HttpServerRequest.HttpServerRequest) => boolean
}

/** Wraps the whole app. */
export const wrap = <E, R>(
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
  { isBusy, isForeign, methodsOf, patienceFor }: Addresses,
  { baseUrl, patience = "30 seconds" }: ApiSettings["Service"]
): Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  R | HttpServerRequest.HttpServerRequest | SecureRandom.SecureRandom
> => {
  const ours = {
    ...usualHeaders,
    ...(baseUrl.startsWith("https:") ? { "strict-transport-security": "max-age=31536000" } : {})
  }
  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const began = yield* Clock.currentTimeMillis
    const given = request.headers["x-request-id"]
    const requestId =
      given !== undefined && idPattern.test(given)
        ? given
        : (yield* (yield* SecureRandom.SecureRandom).ulid).toLowerCase()

    const refused = refusedStatus(request)
    const guarded = refused === undefined ? app : ProblemResponse.toResponse(ProblemResponse.ofStatus(refused)!)
    const response = yield* Patience.within(guarded, patienceFor(request) ?? patience, request).pipe(
      Effect.catchCause((cause) => onAccident(cause, requestId)),
      Effect.flatMap((answer) => describe(answer, request, methodsOf)),
      Effect.provideService(RequestId, requestId),
      // What does not announce its length is counted while it comes.
      Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.fromInputUnsafe(bodyLimit))
    )
    const millis = (yield* Clock.currentTimeMillis) - began
    yield* HttpMetrics.answered(request.method, response.status, millis)
    yield* log(request, isBusy(request), { status: response.status, millis, requestId })
    return HttpServerResponse.setHeaders(response, {
      ...(isForeign(request) ? usualHeaders : ours),
      ...response.headers,
      "x-request-id": requestId,
      // What is left of the request would be taken for the next one.
      ...(response.status === 408 ? { connection: "close" } : {})
    })
  })
}

/** What need not be looked at: a body over the limit, or one that is packed. */
const refusedStatus = (request: HttpServerRequest.HttpServerRequest): number | undefined => {
  if (Number(request.headers["content-length"] ?? 0) > bodyLimit) return 413
  return (request.headers["content-encoding"] ?? "identity") === "identity" ? undefined : 415
}

/** One line for a request. Its query and headers are left out: they may carry what should not be logged. */
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

const onAccident = (cause: Cause.Cause<unknown>, requestId: string) =>
  Effect.gen(function* () {
    if (Cause.hasInterruptsOnly(cause)) return HttpServerResponse.empty({ status: 499 })
    const problem = ProblemResponse.ofCause(cause)
    if (problem.status === 503) {
      const why = Outage.reason(cause) ?? problem.detail
      yield* Effect.logWarning("A request found a dependency away").pipe(Effect.annotateLogs({ why, requestId }))
    } else if (problem.status >= 500) {
      yield* Effect.logError("A request failed", cause).pipe(Effect.annotateLogs({ requestId }))
    }
    return yield* ProblemResponse.toResponse(problem)
  })

/** Bare refusals get their words, and an address that knows other methods says which. */
const describe = (
  response: HttpServerResponse.HttpServerResponse,
  request: HttpServerRequest.HttpServerRequest,
  methodsOf: (path: string) => ReadonlyArray<string>
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  const { status } = response
  if (status < 400 || status === 499) return Effect.succeed(response)
  const methods = status === 404 || status === 405 ? methodsOf(pathOf(request)) : []
  const wrongMethod = status === 405 || (methods.length > 0 && !methods.includes(request.method))
  const said = /json|html/.test(response.headers["content-type"] ?? "")
  const problem =
    said && (status === 405 || !wrongMethod) ? undefined : ProblemResponse.ofStatus(wrongMethod ? 405 : status)
  const answer = problem === undefined ? Effect.succeed(response) : ProblemResponse.toResponse(problem)
  return wrongMethod ? Effect.map(answer, HttpServerResponse.setHeader("allow", methods.join(", "))) : answer
}
