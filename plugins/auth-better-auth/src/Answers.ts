/** Better Auth's refusals in the house's words: problem details. */
import type { FieldError } from "@kanmon/domain/FieldErrors"

interface Refusal {
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly errors?: ReadonlyArray<FieldError>
  /** Seconds. */
  readonly retryAfter?: number
}

export const invalid = (errors: ReadonlyArray<FieldError>): Refusal => ({
  status: 422,
  code: "validation_failed",
  detail: "Some fields break their rules; see errors",
  errors
})

export const unauthorized: Refusal = {
  status: 401,
  code: "unauthorized",
  detail: "The e-mail address or the password is wrong"
}

/** The e-mail address is taken. */
export const conflict: Refusal = {
  status: 409,
  code: "conflict",
  detail: "There is an account with this e-mail address",
  errors: [{ path: "email", message: "There is an account with this e-mail address" }]
}

const refusals: Readonly<Record<string, Refusal>> = {
  USER_ALREADY_EXISTS: conflict,
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: conflict,
  INVALID_EMAIL_OR_PASSWORD: unauthorized,
  INVALID_EMAIL: invalid([{ path: "email", message: "Expected an e-mail address" }]),
  PASSWORD_TOO_SHORT: invalid([{ path: "password", message: "Expected at least 8 characters" }]),
  PASSWORD_TOO_LONG: invalid([{ path: "password", message: "Expected at most 128 characters" }]),
  EMAIL_PASSWORD_SIGN_UP_DISABLED: {
    status: 403,
    code: "forbidden",
    detail: "Signing up is closed on this installation"
  },
  EMAIL_AND_PASSWORD_SIGN_UP_DISABLED: {
    status: 403,
    code: "forbidden",
    detail: "Signing up is closed on this installation"
  },
  BAD_REQUEST: { status: 400, code: "malformed_request", detail: "The body is not JSON" },
  MISSING_OR_NULL_ORIGIN: {
    status: 403,
    code: "forbidden",
    detail: "A request with a session's cookie needs an Origin header of this installation"
  },
  INVALID_ORIGIN: { status: 403, code: "forbidden", detail: "This origin may not use sessions here" },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, code: "unsupported_media_type", detail: "Send the body as application/json" }
}

const titles: Readonly<Record<number, string>> = {
  400: "Malformed request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not found",
  405: "Method not allowed",
  409: "Conflict",
  415: "Unsupported media type",
  422: "Validation failed",
  429: "Too many requests",
  500: "Internal error",
  502: "Delivery failed"
}

/** Passes good answers on; the host adds the request id to the others. */
export const translate = async (answer: Response): Promise<Response> => {
  if (answer.status < 400) return answer
  const text = await answer.text()
  const { code = "", message = "" } = parse(text)
  const known =
    refusals[code] ??
    (code === "VALIDATION_ERROR" ? validation(message) : undefined) ??
    byStatus(answer.status, message)
  return problem(known)
}

export const problem = ({ code, detail, errors, retryAfter, status }: Refusal): Response =>
  Response.json(
    {
      type: `urn:kanmon:problem:${code}`,
      title: titles[status] ?? "Error",
      status,
      detail,
      code,
      ...(errors === undefined ? {} : { errors })
    },
    {
      status,
      headers: {
        "content-type": "application/problem+json",
        ...(retryAfter === undefined ? {} : { "retry-after": String(Math.ceil(retryAfter)) })
      }
    }
  )

const parse = (text: string): { readonly code?: string; readonly message?: string } => {
  try {
    return JSON.parse(text) as { readonly code?: string; readonly message?: string }
  } catch {
    return {}
  }
}

/** `[body.email] Invalid email address` */
const validation = (message: string): Refusal => {
  const match = /^\[body\.?([\w.]*)\]\s*(.*?)(?:;|$)/.exec(message)
  return invalid([{ path: match?.[1] ?? "", message: match?.[2] ?? message }])
}

const byStatus = (status: number, message: string): Refusal => {
  if (status === 404) return { status, code: "not_found", detail: "There is nothing at this address" }
  if (status === 422) return { ...invalid([]), detail: message }
  if (status >= 500) return { status: 500, code: "internal_error", detail: "Something went wrong on our side" }
  return {
    status,
    code: status === 401 ? "unauthorized" : status === 403 ? "forbidden" : "malformed_request",
    detail: message || "The request was refused"
  }
}
