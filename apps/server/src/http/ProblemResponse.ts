/** Problems as responses, and what accidents become. */
import { codes, Problem, type ProblemCode, toDetails } from "@kanmon/protocol/Problem"
import { fieldErrors } from "@kanmon/domain/FieldErrors"
import * as Outage from "@kanmon/store/database/Outage"
import { Cause, Effect } from "effect"
import { HttpServerError, HttpServerResponse } from "effect/http"
import { HttpApiError } from "effect/http-api"
import { RequestId } from "./RequestInfo.ts"

export const toResponse = (problem: Problem): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.map(RequestId, (requestId) =>
    HttpServerResponse.jsonUnsafe(toDetails(problem, requestId), {
      status: problem.status,
      headers: {
        "content-type": "application/problem+json",
        ...(problem.retryAfter === undefined
          ? {}
          : { "retry-after": String(Math.max(1, Math.ceil(problem.retryAfter))) })
      }
    })
  )

export const unavailable = new Problem({
  code: "unavailable",
  detail: "The database or the bus does not answer; try again shortly",
  retryAfter: 5
})

/** The client has not sent its request in time. */
export const tooSlow = new Problem({
  code: "request_timeout",
  detail: "The request was not sent completely in time; send it again"
})

/** What the caller is told of a failure nobody handled. */
export const ofCause = (cause: Cause.Cause<unknown>): Problem => {
  const error = Cause.squash(cause)
  if (error instanceof Problem) return error
  if (HttpApiError.HttpApiSchemaError.is(error)) return ofSchemaError(error)
  if (error instanceof HttpServerError.HttpServerError) return ofServerError(error)
  if (Outage.reason(cause) !== undefined) return unavailable
  return new Problem({
    code: "internal_error",
    detail: "Something went wrong on our side; the request id finds it in the logs"
  })
}

const ofSchemaError = (error: HttpApiError.HttpApiSchemaError): Problem => {
  switch (error.kind) {
    case "Params":
      return new Problem({ code: "not_found", detail: "There is no such record here" })
    case "Payload":
      return new Problem({ code: "malformed_request", detail: "The body is not JSON" })
    case "Query":
    case "Headers":
      return new Problem({
        code: "malformed_request",
        detail: "The query is not understood; see errors",
        errors: [...fieldErrors(error.cause.issue)]
      })
    default:
      return new Problem({
        code: "internal_error",
        detail: "Something went wrong on our side; the request id finds it in the logs"
      })
  }
}

const ofServerError = (error: HttpServerError.HttpServerError): Problem => {
  const reason = error.reason
  if (reason._tag === "RouteNotFound")
    return new Problem({ code: "not_found", detail: "There is nothing at this address" })
  const words = `${reason._tag} ${"description" in reason ? String(reason.description) : ""} ${"cause" in reason ? String(reason.cause) : ""}`
  if (/large|MaxBodySize|limit|exceed/i.test(words)) return ofStatus(413)!
  return new Problem({ code: "malformed_request", detail: "The request could not be read" })
}

/** The problem that goes with a bare status. */
export const ofStatus = (status: number): Problem | undefined => {
  const found = Object.entries(codes).find(([, { status: own }]) => own === status)
  return found === undefined ? undefined : new Problem({ code: found[0] as ProblemCode, detail: found[1].when })
}
