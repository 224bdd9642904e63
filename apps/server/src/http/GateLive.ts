/** The gate before every endpoint that needs a caller: authentication, rate limit, idempotency, the size of the body, in this order. */
import type { Principal } from "@kanmon/domain/Principal"
import { Caller, Gate, Problems } from "@kanmon/protocol/Gate"
import { Problem } from "@kanmon/protocol/Problem"
import { IdempotencyKeys } from "@kanmon/store/database/IdempotencyKeys"
import { Effect, Layer } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Authenticator } from "./Authenticator.ts"
import * as BodyBounds from "./BodyBounds.ts"
import * as Idempotency from "./Idempotency.ts"
import * as ProblemResponse from "./ProblemResponse.ts"
import { RateLimits } from "./RateLimits.ts"
import { isRead } from "./RequestInfo.ts"

/** Problems that handlers raise become responses, whatever the endpoint has declared. */
export const problems: Layer.Layer<Problems> = Layer.succeed(Problems, (app) =>
  Effect.catch(app, (error) =>
    (error as unknown) instanceof Problem ? ProblemResponse.toResponse(error as never) : Effect.fail(error)
  )
)

export const layer: Layer.Layer<Gate, never, Authenticator | RateLimits | IdempotencyKeys> = Layer.effect(
  Gate,
  Effect.gen(function* () {
    const authenticator = yield* Authenticator
    const limits = yield* RateLimits
    const keys = yield* IdempotencyKeys

    return (app) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const principal = yield* Effect.result(authenticator.caller(request))
        if (principal._tag === "Failure") return yield* ProblemResponse.toResponse(principal.failure)
        const caller = nameOf(principal.success)
        const used = yield* Effect.result(limits.admit(isRead(request.method) ? "reads" : "writes", principal.success))
        if (used._tag === "Failure") {
          return HttpServerResponse.setHeaders(
            yield* ProblemResponse.toResponse(used.failure.problem),
            used.failure.headers
          )
        }
        const bounded = Effect.andThen(BodyBounds.checkRequest, Effect.provideService(app, Caller, principal.success))
        const answer = Idempotency.once(bounded, caller).pipe(
          Effect.provideService(IdempotencyKeys, keys),
          Effect.catch((error) =>
            (error as unknown) instanceof Problem
              ? ProblemResponse.toResponse(error as never)
              : Effect.fail(error as never)
          )
        )
        return HttpServerResponse.setHeaders(yield* answer, used.success)
      })
  })
)

const nameOf = (principal: Principal): string => (principal._tag === "User" ? principal.userId : principal.projectId)
