/**
 * Requests with an `Idempotency-Key` take effect once; for 24 hours the same key returns the first response. Error responses
 * are not stored, so a failed request can be retried with the same key.
 */
import { createHash } from "node:crypto"
import { Problem } from "@kanmon/protocol/Problem"
import { IdempotencyKeys } from "./IdempotencyKeys.ts"
import { Effect, Exit } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { pathOf } from "./RequestInfo.ts"

const maxKey = 255
const keyPattern = /^[\x21-\x7E]+$/

/** Runs the request, or replays the stored response. */
export const once = <E, R>(
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
  caller: string
): Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  E | Problem<"malformed_request" | "conflict" | "validation_failed">,
  R | HttpServerRequest.HttpServerRequest | IdempotencyKeys
> =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const key = request.headers["idempotency-key"]
    if (key === undefined || request.method !== "POST") return yield* app
    if (key.length > maxKey || !keyPattern.test(key)) {
      return yield* new Problem({
        code: "malformed_request",
        detail: "Idempotency-Key: expected 1 to 255 printable ASCII characters without spaces"
      })
    }
    const keys = yield* IdempotencyKeys
    const body = yield* Effect.orDie(request.text)
    const fingerprint = createHash("sha256")
      .update(`${request.method} ${pathOf(request)}\n${body}`)
      .digest("base64url")
    const claim = yield* keys.claim(caller, key, fingerprint)
    switch (claim._tag) {
      case "Mismatch":
        return yield* new Problem({
          code: "validation_failed",
          detail: "This Idempotency-Key was already used for a different request"
        })
      case "Busy":
        return yield* new Problem({
          code: "conflict",
          detail: "A request with this Idempotency-Key is still in progress",
          retryAfter: 1
        })
      case "Answered":
        return HttpServerResponse.text(claim.answer.body, {
          status: claim.answer.status,
          contentType: "application/json",
          headers: { "idempotency-replayed": "true" }
        })
      case "Fresh":
        // Uninterruptible: if the client disconnects after the effect, a retry must not repeat it.
        return yield* Effect.uninterruptible(Effect.onExit(app, settle(keys, caller, key)))
    }
  })

const settle =
  (keys: IdempotencyKeys["Service"], caller: string, key: string) =>
  (exit: Exit.Exit<HttpServerResponse.HttpServerResponse, unknown>) => {
    const settled =
      // A stream is not kept: its effect is over when it ends.
      Exit.isSuccess(exit) && exit.value.status < 300 && exit.value.body._tag !== "Stream"
        ? keys.finish(caller, key, { status: exit.value.status, body: textOf(exit.value) })
        : keys.abandon(caller, key)
    // A failure here does not undo the request; an open claim expires.
    return Effect.catchCause(settled, (cause) =>
      Effect.logWarning("The response to an Idempotency-Key could not be stored", cause)
    )
  }

const textOf = ({ body }: HttpServerResponse.HttpServerResponse): string =>
  body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : body._tag === "Raw" ? String(body.body) : ""
