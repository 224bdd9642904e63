/**
 * Errors on the wire: problem details (RFC 9457) with a stable `code`. Every refusal of the API is one of these; the table is
 * the reference.
 */
import { FieldError } from "@kanmon/domain/FieldErrors"
import { PlanId } from "@kanmon/domain/Ids"
import { Schema } from "effect"

/** Every code, its status, its title, and when it is used. */
export const codes = {
  malformed_request: {
    status: 400,
    title: "Malformed request",
    when: "The body is not JSON, or the query is not understood"
  },
  unauthorized: { status: 401, title: "Unauthorized", when: "No API key or session, or an unknown one" },
  plan_limit_reached: {
    status: 402,
    title: "Plan limit reached",
    when: "The plan allows no more monitors, no shorter interval, no custom domain, or no text messages and calls; see limit, current and planId"
  },
  forbidden: { status: 403, title: "Forbidden", when: "The wrong kind of credential, or not an admin" },
  account_limit_reached: {
    status: 403,
    title: "Account limit reached",
    when: "The account has as many projects, channels, rules, status pages or open incidents as it may have; see limit and current"
  },
  not_found: { status: 404, title: "Not found", when: "No such record in this project, or no such address" },
  method_not_allowed: {
    status: 405,
    title: "Method not allowed",
    when: "The address exists, but not with this method"
  },
  request_timeout: {
    status: 408,
    title: "Request timeout",
    when: "The request was not sent completely in time; the connection is closed"
  },
  conflict: {
    status: 409,
    title: "Conflict",
    when: "A name is taken, the state of the record does not allow it, or the same request is still being processed"
  },
  payload_too_large: { status: 413, title: "Payload too large", when: "The body is over 1 MiB" },
  unsupported_media_type: {
    status: 415,
    title: "Unsupported media type",
    when: "The Content-Type of the body is not application/json"
  },
  validation_failed: {
    status: 422,
    title: "Validation failed",
    when: "Fields are invalid; `errors` has one entry for each"
  },
  rate_limited: {
    status: 429,
    title: "Too many requests",
    when: "The rate limit is used up, or too many operations are running at once; see Retry-After"
  },
  internal_error: {
    status: 500,
    title: "Internal error",
    when: "An error in Kanmon; the logs name it by the request id"
  },
  delivery_failed: {
    status: 502,
    title: "Delivery failed",
    when: "A provider refused a test notification, or a message of the installation's own"
  },
  unavailable: {
    status: 503,
    title: "Unavailable",
    when: "The database, the bus, the payment provider or every probe that was asked is unavailable; see Retry-After"
  },
  billing_not_configured: {
    status: 503,
    title: "Billing not configured",
    when: "The installation has no payment provider"
  }
} as const

export type ProblemCode = keyof typeof codes

/** What stands beside a `plan_limit_reached`. */
const planLimit = {
  limit: Schema.Int.annotate({ description: "What the plan allows" }),
  current: Schema.Int.annotate({ description: "What there is, or what was asked for" }),
  planId: PlanId
}

/** Stands beside a `validation_failed` of a heartbeat signal. */
const recorded = Schema.Literal(true).annotate({
  description: "The heartbeat signal was recorded without the parts that `errors` names"
})

/** A problem as it stands in a response body. */
export const ProblemDetails = Schema.Struct({
  type: Schema.String,
  title: Schema.String,
  status: Schema.Int,
  detail: Schema.String,
  code: Schema.String,
  requestId: Schema.String,
  errors: Schema.optionalKey(Schema.Array(FieldError)),
  limit: Schema.optionalKey(planLimit.limit),
  current: Schema.optionalKey(planLimit.current),
  planId: Schema.optionalKey(planLimit.planId),
  recorded: Schema.optionalKey(recorded)
}).annotate({ identifier: "Problem", description: "Problem details (RFC 9457)" })

/** A refusal. `retryAfter` in seconds. */
export class Problem extends Schema.TaggedError<Problem>()("Problem", {
  code: Schema.Literals(Object.keys(codes) as ReadonlyArray<ProblemCode>),
  detail: Schema.String,
  errors: Schema.optionalKey(Schema.Array(FieldError)),
  retryAfter: Schema.optionalKey(Schema.Finite),
  planLimit: Schema.optionalKey(Schema.Struct(planLimit)),
  recorded: Schema.optionalKey(recorded),
  accountLimit: Schema.optionalKey(Schema.Struct({ limit: planLimit.limit, current: planLimit.current }))
}) {
  get status(): number {
    return codes[this.code].status
  }
}

export const notFound = (what: string): Problem =>
  new Problem({ code: "not_found", detail: `There is no such ${what} here` })

/** A body can be wrong in more places than an answer should tell. */
const mostErrors = 100

export const invalid = (errors: ReadonlyArray<FieldError>): Problem =>
  new Problem({
    code: "validation_failed",
    detail: "Some fields break their rules; see errors",
    errors: errors.slice(0, mostErrors)
  })

/** A heartbeat signal that counts, without what is wrong in it. */
export const partlyRecorded = (errors: ReadonlyArray<FieldError>): Problem =>
  new Problem({
    code: "validation_failed",
    detail: "The signal is recorded, without what is wrong in it; see errors",
    errors: errors.slice(0, mostErrors),
    recorded: true
  })

/** The response body of a problem. */
export const toDetails = (problem: Problem, requestId: string): typeof ProblemDetails.Type => ({
  type: `urn:kanmon:problem:${problem.code}`,
  title: codes[problem.code].title,
  status: problem.status,
  detail: problem.detail,
  code: problem.code,
  requestId,
  ...(problem.errors === undefined ? {} : { errors: problem.errors }),
  ...problem.planLimit,
  ...(problem.recorded === undefined ? {} : { recorded: problem.recorded }),
  ...problem.accountLimit
})
