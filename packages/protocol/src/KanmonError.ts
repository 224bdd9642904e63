/** The error of the clients: Kanmon's problem details, or why there is no readable response. */
import { type FieldError, fieldErrors } from "@kanmon/domain/FieldErrors"
import type { ProblemCode } from "@kanmon/domain/ProblemCode"
import { Data, Option, Schema } from "effect"
import type { HttpClientError, HttpClientResponse } from "effect/http"
import { ProblemDetails } from "./Problem.ts"

/**
 * Errors that the client itself reports. `not_sent`: the request breaks the contract, and nothing was sent.
 * `unreachable`: no answer came, so what was asked for may have been done or not. `unreadable`: the answer does not
 * come from Kanmon.
 */
export type ClientCode = "not_sent" | "unreachable" | "unreadable"

/** The one error of both clients. */
export class KanmonError extends Data.TaggedError("KanmonError")<{
  /** The code, the detail and the fields as text. */
  readonly message: string
  /** A code of the API, a code of the client, or a code newer than this client. */
  readonly code: ProblemCode | ClientCode | (string & {})
  /** The status of the response, if any. */
  readonly status?: number
  /** One sentence that names the error and the remedy. */
  readonly detail: string
  /** Invalid fields, by their paths in the body. */
  readonly errors: ReadonlyArray<FieldError>
  /** Identifies the request in Kanmon's log. */
  readonly requestId?: string
  /** Seconds after which a retry makes sense. */
  readonly retryAfter?: number
  /** With `plan_limit_reached`: the limit, the current number, and the plan. */
  readonly planLimit?: { readonly limit: number; readonly current: number; readonly planId: string }
  /** With `account_limit_reached`: the limit and the current number. */
  readonly accountLimit?: { readonly limit: number; readonly current: number }
  /** The target of a redirect, such as `https://kanmon.example`. Clients never follow redirects. */
  readonly redirectedTo?: string
  readonly cause?: unknown
}> {}

const worded = (
  code: string,
  detail: string,
  errors: ReadonlyArray<FieldError> = []
): Pick<KanmonError, "message" | "code" | "detail" | "errors"> => ({
  message: [`${code}: ${detail}`, ...errors.map(({ message, path }) => `${path}: ${message}`)].join("; "),
  code,
  detail,
  errors
})

const decodeDetails = Schema.decodeUnknownOption(Schema.fromJsonString(ProblemDetails))

/** The parts of an error response. */
export interface Refusal {
  readonly status: number
  readonly body: string
  /** The header `Retry-After` in seconds; dates are ignored. */
  readonly retryAfter: string | undefined
}

/** The error of a response. */
export const ofAnswer = ({ body, retryAfter, status }: Refusal): KanmonError => {
  const seconds = /^\d+$/.test(retryAfter ?? "") ? { retryAfter: Number(retryAfter) } : {}
  const details = decodeDetails(body)
  if (Option.isNone(details)) return new KanmonError({ ...foreign(status), ...seconds })
  const { code, current, detail, errors, limit, planId, requestId } = details.value
  return new KanmonError({
    ...worded(code, detail, errors),
    ...seconds,
    status,
    requestId,
    ...(limit === undefined || current === undefined
      ? {}
      : planId === undefined
        ? { accountLimit: { limit, current } }
        : { planLimit: { limit, current, planId } })
  })
}

/** An answer that is not Kanmon's, as a proxy in between gives. */
const foreign = (status: number) => ({
  ...(status === 429
    ? worded("rate_limited", "A proxy in front of Kanmon limits requests; send fewer")
    : worded(
        "unreadable",
        `The answer (${status}) does not come from Kanmon; check that baseUrl names an installation`
      )),
  status
})

/** A response of another server, or a redirect. */
export const unreadable = ({ headers, request, status }: HttpClientResponse.HttpClientResponse): KanmonError => {
  if (status < 300 || status >= 400) return new KanmonError(foreign(status))
  const redirectedTo = URL.parse(headers["location"] ?? "", request.url)?.origin
  const where = redirectedTo === undefined ? "another address" : redirectedTo
  return new KanmonError({
    ...worded("unreadable", `The address redirects to ${where} (${status}); use that as baseUrl`),
    status,
    ...(redirectedTo === undefined ? {} : { redirectedTo })
  })
}

/** Converts an error of Effect's client, without its request, which contains the API key. */
export const ofClient = ({ reason }: HttpClientError.HttpClientError): KanmonError => {
  const { cause } = reason
  switch (reason._tag) {
    case "TransportError":
      return new KanmonError({
        ...worded("unreachable", `No answer came: ${wordsOf(cause, reason.description)}`),
        cause
      })
    case "EncodeError":
    case "InvalidUrlError":
      return new KanmonError(worded("not_sent", `The request cannot be made: ${reason.message}`))
    default:
      return unreadable(reason.response)
  }
}

/** The innermost cause, because `fetch failed` is not specific. */
const wordsOf = (cause: unknown, description: string | undefined): string => {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  const words = inner instanceof Error ? inner.message : ""
  return words === "" ? (description ?? "the connection failed") : words
}

export const timedOut = (): KanmonError => new KanmonError(worded("unreachable", "No answer came in time"))

/** A response that violates the contract of this client's version. */
export const unfit = ({ issue }: Schema.SchemaError): KanmonError =>
  new KanmonError(
    worded("unreadable", "The answer does not fit this client; a newer one may know it", fieldErrors(issue))
  )

/** A request that violates the contract, such as a limit over 1000. */
export const notSent = ({ issue }: Schema.SchemaError): KanmonError =>
  new KanmonError(worded("not_sent", "The request breaks the contract; see errors", fieldErrors(issue)))

/** A value that no header can hold; not quoted, since it may be secret. */
export const unsendable = (path: string): KanmonError =>
  new KanmonError(
    worded("not_sent", "The request cannot be made", [
      { path, message: "Expected one line of printable ASCII characters" }
    ])
  )
