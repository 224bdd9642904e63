/**
 * The outermost layer of every request: its id, its log line, the headers that browsers want to see, and the promise that
 * whatever happens inside comes out as problem details.
 */
import { ByteSize, Cause, Clock, Effect } from "effect"
import { HttpIncomingMessage, HttpServerRequest, HttpServerResponse } from "effect/http"
import { SecureRandom } from "effect/crypto"
import * as ProblemResponse from "./ProblemResponse.ts"
import { pathOf, RequestId } from "./RequestInfo.ts"

const bodyLimit = 1024 * 1024
const idPattern = /^[\w.:-]{1,128}$/

const browserHeaders = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY"
}

/** Wraps the whole app. `methodsOf` says which methods an address knows, to tell 405 from 404. */
export const wrap = <E, R>(
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
  methodsOf: (path: string) => ReadonlyArray<string>
): Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  R | HttpServerRequest.HttpServerRequest | SecureRandom.SecureRandom
> =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const began = yield* Clock.currentTimeMillis
    const given = request.headers["x-request-id"]
    const requestId =
      given !== undefined && idPattern.test(given)
        ? given
        : (yield* (yield* SecureRandom.SecureRandom).ulid).toLowerCase()

    const guarded = tooLarge(request)
      ? Effect.flatMap(Effect.succeed(ProblemResponse.ofStatus(413)!), ProblemResponse.toResponse)
      : app
    const response = yield* guarded.pipe(
      Effect.catchCause((cause) => onAccident(cause, requestId)),
      Effect.flatMap((answer) => describe(answer, request, methodsOf)),
      Effect.provideService(RequestId, requestId),
      // What does not announce its length is counted while it comes.
      Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.fromInputUnsafe(bodyLimit))
    )
    const millis = (yield* Clock.currentTimeMillis) - began
    // The query is left out: it may carry what should not be logged.
    yield* Effect.logDebug("Request").pipe(
      Effect.annotateLogs({ method: request.method, path: pathOf(request), status: response.status, millis, requestId })
    )
    return HttpServerResponse.setHeaders(response, { ...browserHeaders, "x-request-id": requestId })
  })

const tooLarge = (request: HttpServerRequest.HttpServerRequest): boolean =>
  Number(request.headers["content-length"] ?? 0) > bodyLimit

const onAccident = (cause: Cause.Cause<unknown>, requestId: string) =>
  Effect.gen(function* () {
    if (Cause.hasInterruptsOnly(cause)) return HttpServerResponse.empty({ status: 499 })
    const problem = ProblemResponse.ofCause(cause)
    if (problem.status >= 500) {
      yield* Effect.logError("A request failed", cause).pipe(Effect.annotateLogs({ requestId }))
    }
    return yield* ProblemResponse.toResponse(problem)
  })

/** Bare refusals get their words, and an address that knows other methods says so. */
const describe = (
  response: HttpServerResponse.HttpServerResponse,
  request: HttpServerRequest.HttpServerRequest,
  methodsOf: (path: string) => ReadonlyArray<string>
) => {
  if (response.status < 400 || response.status === 499) return Effect.succeed(response)
  const said = response.headers["content-type"]?.includes("json") === true
  if (said && response.status !== 404) return Effect.succeed(response)
  const methods = response.status === 404 ? methodsOf(pathOf(request)) : []
  if (methods.length > 0 && !methods.includes(request.method)) {
    return Effect.map(ProblemResponse.toResponse(ProblemResponse.ofStatus(405)!), (answer) =>
      HttpServerResponse.setHeaders(answer, { allow: methods.join(", ") })
    )
  }
  const problem = said ? undefined : ProblemResponse.ofStatus(response.status)
  return problem === undefined ? Effect.succeed(response) : ProblemResponse.toResponse(problem)
}
