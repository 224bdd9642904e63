/**
 * Answers the HTTP-01 challenges of certificate authorities, whichever server placed the order. The `Host` header must be
 * the name that is validated.
 * @see https://www.rfc-editor.org/rfc/rfc8555#section-8.3
 */
import { notFound } from "@kanmon/protocol/Problem"
import { Challenges } from "./Challenges.ts"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import * as ProblemResponse from "@kanmon/platform/http/ProblemResponse"
import { pathOf } from "@kanmon/platform/http/RequestInfo"
import * as HostName from "./HostName.ts"

export const challengePath = "/.well-known/acme-challenge/"

/** Tokens are base64url; other paths cause no query. */
const tokenPattern = /^[\w-]{8,256}$/

/** The answer at a host and path; undefined unless there is a challenge that has not expired. */
export const answerAt = (
  host: string | undefined,
  path: string
): Effect.Effect<string | undefined, never, Challenges> => {
  const name = HostName.ofHeader(host)
  const token = path.startsWith(challengePath) ? path.slice(challengePath.length) : ""
  return name !== undefined && tokenPattern.test(token)
    ? Effect.flatMap(Challenges, (challenges) => challenges.answer(name, token))
    : Effect.undefined
}

/** The answer to the current request. */
export const answer = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const found = yield* answerAt(request.headers["host"], pathOf(request))
  return found === undefined
    ? yield* ProblemResponse.toResponse(notFound("challenge"))
    : HttpServerResponse.text(found, { contentType: "text/plain" })
})
