/**
 * How long an answer may take. When the time is over and the client is still sending its request, the client is to blame
 * (408, RFC 9110 section 15.5.9); otherwise a dependency does not answer (503).
 */
import type { IncomingMessage } from "node:http"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import type { Problem } from "@kanmon/protocol/Problem"
import { type Duration, Effect, Fiber, Option } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import * as ProblemResponse from "./ProblemResponse.ts"

type Response = HttpServerResponse.HttpServerResponse

/** The answer, or the problem that took its place. */
export const within = <E, R>(
  answer: Effect.Effect<Response, E, R>,
  limit: Duration.Input,
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<Response, E | Problem, R> =>
  hasBody(request)
    ? whileSending(answer, limit, NodeHttpServerRequest.toIncomingMessage(request) as IncomingMessage)
    : // A database that neither answers nor hangs up would keep callers for as long as they keep waiting.
      Effect.timeoutOrElse(answer, { duration: limit, orElse: () => Effect.fail(ProblemResponse.unavailable) })

const hasBody = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0

/** Interrupting a handler that reads the body closes the connection, and nothing could be answered any more. */
const whileSending = <E, R>(answer: Effect.Effect<Response, E, R>, limit: Duration.Input, incoming: IncomingMessage) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkDetach(answer)
    const exit = yield* Fiber.await(fiber).pipe(
      Effect.timeoutOption(limit),
      Effect.onInterrupt(() => Fiber.interrupt(fiber))
    )
    if (Option.isSome(exit)) return yield* exit.value
    if (isAwaited(incoming)) {
      // What comes late has no effect: the handler reads nothing more, and ends with the connection.
      incoming.removeAllListeners("data").pause()
      return yield* ProblemResponse.tooSlow
    }
    yield* Fiber.interrupt(fiber)
    return yield* ProblemResponse.unavailable
  })

/** Whether a handler reads the body and has read everything that came: it is not us who are slow. */
const isAwaited = (incoming: IncomingMessage): boolean =>
  !incoming.complete && incoming.readableLength === 0 && incoming.listenerCount("data") > 0
