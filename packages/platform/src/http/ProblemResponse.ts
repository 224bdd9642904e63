/** Renders problems as responses and maps unexpected failures to problems. */
import * as ProblemCode from "@kanmon/domain/ProblemCode"
import { Problem, toDetails } from "@kanmon/protocol/Problem"
import { fieldErrors } from "@kanmon/domain/FieldErrors"
import * as DependencyUnavailable from "../DependencyUnavailable.ts"
import { Cause, Context, Effect } from "effect"
import { HttpServerError, HttpServerResponse } from "effect/http"
import { HttpApiError } from "effect/http-api"
import * as FormPage from "./FormPage.ts"
import { RequestId } from "./RequestInfo.ts"

/** A problem on the wire. */
export interface Form {
  readonly status: number
  readonly mediaType: string
  /** JSON, or a text. */
  readonly body: object | string
  readonly headers?: Readonly<Record<string, string>>
}

/** How problems are shown: as problem details, unless another protocol is spoken at the address. */
export const ProblemForm = Context.Reference<(problem: Problem, requestId: string) => Form>(
  "@kanmon/platform/http/ProblemForm",
  {
    defaultValue: () => (problem, requestId) => ({
      status: problem.status,
      mediaType: "application/problem+json",
      body: toDetails(problem, requestId)
    })
  }
)

export const toResponse = (problem: Problem): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.map(Effect.all([RequestId, ProblemForm]), ([requestId, formOf]) => {
    const { body, headers, mediaType, status } = formOf(problem, requestId)
    const response = typeof body === "string" ? HttpServerResponse.text(body) : HttpServerResponse.jsonUnsafe(body)
    return HttpServerResponse.setHeaders(HttpServerResponse.setStatus(response, status), {
      ...headers,
      "content-type": mediaType,
      ...(problem.retryAfter === undefined ? {} : { "retry-after": String(Math.max(1, Math.ceil(problem.retryAfter))) })
    })
  })

/** Problems as pages, for people who followed a link. */
export const asPage = Effect.provideService(ProblemForm, (problem) => ({
  status: problem.status,
  mediaType: FormPage.headers["content-type"],
  headers: FormPage.headers,
  body: FormPage.html({ title: ProblemCode.codes[problem.code].title, paragraphs: [problem.detail] })
}))

/** Renders problems as responses; other errors pass through. */
export const rendered = <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.catch(app, (error) => (error instanceof Problem ? toResponse(error) : Effect.fail(error)))

export const unavailable = new Problem({
  code: "unavailable",
  detail: "The database or the event bus is unavailable; try again shortly",
  retryAfter: 5
})

/** The client did not send its request in time. */
export const tooSlow = new Problem({
  code: "request_timeout",
  detail: "The request did not arrive completely in time; send it again"
})

/** The problem that an unhandled failure becomes. */
export const ofCause = (cause: Cause.Cause<unknown>): Problem => {
  const error = Cause.squash(cause)
  if (error instanceof Problem) return error
  if (HttpApiError.HttpApiSchemaError.is(error)) return ofSchemaError(error)
  if (error instanceof HttpServerError.HttpServerError) return ofServerError(error)
  if (DependencyUnavailable.reason(cause) !== undefined) return unavailable
  return new Problem({
    code: "internal_error",
    detail: "Internal error; the server log has details under the request ID"
  })
}

const ofSchemaError = (error: HttpApiError.HttpApiSchemaError): Problem => {
  switch (error.kind) {
    case "Params":
      return new Problem({ code: "not_found", detail: "The resource does not exist" })
    case "Payload":
      return new Problem({ code: "malformed_request", detail: "The request body is not valid JSON" })
    case "Query":
    case "Headers":
      return new Problem({
        code: "malformed_request",
        detail: "The query is invalid; see errors",
        errors: [...fieldErrors(error.cause.issue)]
      })
    default:
      return new Problem({
        code: "internal_error",
        detail: "Internal error; the server log has details under the request ID"
      })
  }
}

const ofServerError = (error: HttpServerError.HttpServerError): Problem => {
  const reason = error.reason
  if (reason._tag === "RouteNotFound") return new Problem({ code: "not_found", detail: "The path does not exist" })
  const words = `${reason._tag} ${"description" in reason ? String(reason.description) : ""} ${"cause" in reason ? String(reason.cause) : ""}`
  if (/large|MaxBodySize|limit|exceed/i.test(words.slice(0, 1000))) return ofStatus(413)!
  return new Problem({ code: "malformed_request", detail: "The request could not be read" })
}

/** The problem for a response without a body. */
export const ofStatus = (status: number): Problem | undefined => {
  const code = ProblemCode.ofStatus(status)
  return code === undefined ? undefined : new Problem({ code, detail: ProblemCode.codes[code].when })
}
