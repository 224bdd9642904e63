/** What clients fail with: the problem details that Kanmon answered, or why there is no answer that can be read. */
import { type FieldError, fieldErrors } from "@kanmon/domain/FieldErrors"
import { Data, Option, Schema } from "effect"
import type { HttpClientError } from "effect/http"
import { type ProblemCode, ProblemDetails } from "./Problem.ts"

/**
 * What a client says by itself. `not_sent`: the request breaks the contract, and nothing was sent. `unreachable`: no answer
 * came, so what was asked for may have been done or not. `unreadable`: the answer is none of Kanmon's.
 */
export type ClientCode = "not_sent" | "unreachable" | "unreadable"

/** The one error of both clients. */
export class KanmonError extends Data.TaggedError("KanmonError")<{
  /** The code, the detail and the fields, in words. */
  readonly message: string
  /** One of Kanmon's codes, one of the client's own, or a code that is newer than this client. */
  readonly code: ProblemCode | ClientCode | (string & {})
  /** Of the answer, if one came. */
  readonly status?: number
  /** One sentence: what is wrong, and what to do. */
  readonly detail: string
  /** Fields that break their rules, by their paths in the body. */
  readonly errors: ReadonlyArray<FieldError>
  /** Finds the request in Kanmon's log. */
  readonly requestId?: string
  /** Seconds after which it is worth trying again. */
  readonly retryAfter?: number
  /** With `plan_limit_reached`: what the plan allows, what there is, and the plan. */
  readonly planLimit?: { readonly limit: number; readonly current: number; readonly planId: string }
  /** With `account_limit_reached`: what an account may have of the kind, and what it has. */
  readonly accountLimit?: { readonly limit: number; readonly current: number }
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

/** The parts of an answer that refuses. */
export interface Refusal {
  readonly status: number
  readonly body: string
  /** The header `Retry-After`, in seconds; dates are passed over. */
  readonly retryAfter: string | undefined
}

/** The problem that an answer tells. */
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

/** An answer that no Kanmon gives, as a proxy in between does. */
const foreign = (status: number) => ({
  ...(status === 429
    ? worded("rate_limited", "Something before Kanmon asks for fewer requests")
    : status >= 300 && status < 400
      ? worded("unreadable", `The address leads elsewhere (${status}): use the address it leads to as baseUrl`)
      : worded("unreadable", `The answer (${status}) is none of Kanmon's: see whether baseUrl names an installation`)),
  status
})

export const unreadable = (status: number): KanmonError => new KanmonError(foreign(status))

/** What effect's client fails with. Its request stays behind: the key is in there. */
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
      return unreadable(reason.response.status)
  }
}

/** `fetch failed` says little; what lies below it says more. */
const wordsOf = (cause: unknown, description: string | undefined): string => {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  const words = inner instanceof Error ? inner.message : ""
  return words === "" ? (description ?? "the connection failed") : words
}

export const timedOut = (): KanmonError => new KanmonError(worded("unreachable", "No answer came in time"))

/** An answer that breaks the contract as this client knows it. */
export const unfit = ({ issue }: Schema.SchemaError): KanmonError =>
  new KanmonError(
    worded("unreadable", "The answer does not fit this client; a newer one may know it", fieldErrors(issue))
  )

/** A request that breaks the contract: an id of another kind, a limit over 1000. */
export const notSent = ({ issue }: Schema.SchemaError): KanmonError =>
  new KanmonError(worded("not_sent", "The request breaks the contract; see errors", fieldErrors(issue)))

/** A key that cannot be sent; it is not quoted, since it may be secret. */
export const unsendable = (path: string): KanmonError =>
  new KanmonError(
    worded("not_sent", "The request cannot be made", [
      { path, message: "Expected one line of printable ASCII characters" }
    ])
  )
