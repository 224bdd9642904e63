/**
 * Limits the time of a request. After the limit the response is 408 if the client is still sending the body (RFC 9110 section
 * 15.5.9), otherwise 503.
 */
import type { IncomingMessage } from "node:http"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import type { Problem } from "@kanmon/protocol/Problem"
import { type Duration, Effect, Fiber, Option } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import * as ProblemResponse from "./ProblemResponse.ts"

type Response = HttpServerResponse.HttpServerResponse

/** The response, or a problem after the limit. */
export const within = <E, R>(
  answer: Effect.Effect<Response, E, R>,
  limit: Duration.Input,
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<Response, E | Problem, R> =>
  hasBody(request)
    ? whileSending(answer, limit, NodeHttpServerRequest.toIncomingMessage(request) as IncomingMessage)
    : // Otherwise a database that hangs would block its callers forever.
      Effect.timeoutOrElse(answer, { duration: limit, orElse: () => Effect.fail(ProblemResponse.unavailable) })

const hasBody = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0

/** Does not interrupt a handler that reads the body: that would close the connection before the response. */
const whileSending = <E, R>(answer: Effect.Effect<Response, E, R>, limit: Duration.Input, incoming: IncomingMessage) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkDetach(answer)
    const exit = yield* Fiber.await(fiber).pipe(
      Effect.timeoutOption(limit),
      Effect.onInterrupt(() => Fiber.interrupt(fiber))
    )
    if (Option.isSome(exit)) return yield* exit.value
    if (isAwaited(incoming)) {
      // The handler receives no more data, so late data has no effect; it ends with the connection.
      incoming.removeAllListeners("data").pause()
      return yield* ProblemResponse.tooSlow
    }
    yield* Fiber.interrupt(fiber)
    return yield* ProblemResponse.unavailable
  })

/** Whether the handler has read everything received so far and waits for more, so the client is the slow side. */
const isAwaited = (incoming: IncomingMessage): boolean =>
  !incoming.complete && incoming.readableLength === 0 && incoming.listenerCount("data") > 0
