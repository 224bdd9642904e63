/**
 * Requests that carry an `Idempotency-Key` have their effect once; the same key gets the first answer again, for 24 hours.
 * A refusal had no effect and is not kept: what was refused may be sent again with the same key.
 */
import { createHash } from "node:crypto"
import { Problem } from "@kanmon/protocol/Problem"
import { IdempotencyKeys } from "@kanmon/store/database/IdempotencyKeys"
import { Effect, Exit } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { pathOf } from "./RequestInfo.ts"

const keyPattern = /^[\x21-\x7E]{1,255}$/

/** Runs the request, or answers as before. */
export const once = <E, R>(
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
  caller: string
): Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  E | Problem,
  R | HttpServerRequest.HttpServerRequest | IdempotencyKeys
> =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const key = request.headers["idempotency-key"]
    if (key === undefined || request.method !== "POST") return yield* app
    if (!keyPattern.test(key)) {
      return yield* new Problem({
        code: "malformed_request",
        detail: "Idempotency-Key: expected 1 to 255 printable characters"
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
          detail: "This Idempotency-Key was used for another request"
        })
      case "Busy":
        return yield* new Problem({
          code: "conflict",
          detail: "A request with this Idempotency-Key is being answered",
          retryAfter: 1
        })
      case "Answered":
        return HttpServerResponse.text(claim.answer.body, {
          status: claim.answer.status,
          contentType: "application/json",
          headers: { "idempotency-replayed": "true" }
        })
      case "Fresh":
        // A caller who goes away after the deed is done would otherwise do it again: the key is settled in any case.
        return yield* Effect.uninterruptible(Effect.onExit(app, settle(keys, caller, key)))
    }
  })

const settle =
  (keys: IdempotencyKeys["Service"], caller: string, key: string) =>
  (exit: Exit.Exit<HttpServerResponse.HttpServerResponse, unknown>) => {
    const settled =
      Exit.isSuccess(exit) && exit.value.status < 300
        ? keys.finish(caller, key, { status: exit.value.status, body: textOf(exit.value) })
        : keys.abandon(caller, key)
    // The deed stands or falls without this; a claim left open frees itself.
    return Effect.catchCause(settled, (cause) => Effect.logWarning("An Idempotency-Key was not settled", cause))
  }

const textOf = ({ body }: HttpServerResponse.HttpServerResponse): string =>
  body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : body._tag === "Raw" ? String(body.body) : ""
