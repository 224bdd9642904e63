/** The error codes of the API: the one table that the contract, the documents and the routes of accounts read. */
import { Struct } from "effect"

/** Every code with its status, its title, and when it is used. */
export const codes = {
  malformed_request: {
    status: 400,
    title: "Malformed request",
    when: "The body is not JSON, or the query is not understood"
  },
  authorization_pending: {
    status: 400,
    title: "Authorization pending",
    when: "The program's request to sign in is not approved yet (RFC 8628); ask again after the interval"
  },
  slow_down: {
    status: 400,
    title: "Slow down",
    when: "The program asks too often whether it may sign in (RFC 8628); the interval has grown by five seconds"
  },
  access_denied: {
    status: 400,
    title: "Access denied",
    when: "The program's request to sign in was refused by the person (RFC 8628)"
  },
  expired_token: {
    status: 400,
    title: "Expired",
    when: "The program's request to sign in was not approved in time (RFC 8628); start again"
  },
  invalid_grant: {
    status: 400,
    title: "Invalid grant",
    when: "The program's request to sign in is unknown, or was fetched already (RFC 6749)"
  },
  unauthorized: { status: 401, title: "Unauthorized", when: "No API key or session, or an unknown one" },
  plan_limit_reached: {
    status: 402,
    title: "Plan limit reached",
    when: "The plan allows no more monitors, no shorter interval, no custom domain, no text messages and calls, or no more members; see limit, current and planId"
  },
  forbidden: {
    status: 403,
    title: "Forbidden",
    when: "The wrong kind of credential, too low a role in the project or organization, or not an admin"
  },
  proof_required: {
    status: 403,
    title: "Proof required",
    when: "The request gives lasting access or deletes what cannot be restored, and the session's last sign-in is more than ten minutes ago: send the password to POST /auth/prove, or sign in again"
  },
  sso_required: {
    status: 403,
    title: "Single sign-on required",
    when: "The organization of the e-mail address requires its identity provider; POST /auth/sign-in/sso leads there"
  },
  account_limit_reached: {
    status: 403,
    title: "Account limit reached",
    when: "The organization has as many projects, channels, rules, status pages or open incidents as it may have, or the account owns as many organizations; see limit and current"
  },
  not_found: {
    status: 404,
    title: "Not found",
    when: "No such record in this project or organization, or no such address"
  },
  account_disabled: {
    status: 403,
    title: "Account disabled",
    when: "An administrator of the installation has disabled the account"
  },
  organization_disabled: {
    status: 403,
    title: "Organization disabled",
    when: "An administrator of the installation has disabled the organization; its checks are paused, and nothing of it is deleted"
  },
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
  precondition_failed: {
    status: 412,
    title: "Precondition failed",
    when: "The record was changed since the version that `If-Match` or `ifUpdatedAt` names"
  },
  payload_too_large: { status: 413, title: "Payload too large", when: "The body is over 1 MiB" },
  uri_too_long: {
    status: 414,
    title: "URI too long",
    when: "The path is over 2,048 characters, or the query over 12,288 characters or 200 parameters"
  },
  unsupported_media_type: {
    status: 415,
    title: "Unsupported media type",
    when: "The Content-Type of the body is not application/json, or the body is compressed"
  },
  validation_failed: {
    status: 422,
    title: "Validation failed",
    when: "Fields are invalid; `errors` has one entry for each"
  },
  headers_too_large: {
    status: 431,
    title: "Headers too large",
    when: "A header is longer than the server reads, or there are over 128 headers; `detail` names the header and its limit"
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

export const problemCodes: ReadonlyArray<ProblemCode> = Struct.keys(codes)

/** The code of a bare status: the first one in the table. */
export const ofStatus = (status: number): ProblemCode | undefined =>
  problemCodes.find((code) => codes[code].status === status)

/** The URI that names a code in a response. */
export const typeOf = (code: ProblemCode): string => `urn:kanmon:problem:${code}`
