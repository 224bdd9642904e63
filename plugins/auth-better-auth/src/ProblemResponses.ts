/** Maps Better Auth's error responses to problem details. */
import type { FieldError } from "@kanmon/domain/FieldErrors"
import { codes, ofStatus, type ProblemCode, typeOf } from "@kanmon/domain/ProblemCode"
import * as Standing from "./Standing.ts"

export interface Refusal {
  readonly code: ProblemCode
  readonly detail: string
  readonly errors?: ReadonlyArray<FieldError>
  /** Seconds. */
  readonly retryAfter?: number
  /** The code for OAuth clients. */
  readonly error?: string
}

export const invalid = (errors: ReadonlyArray<FieldError>): Refusal => ({
  code: "validation_failed",
  detail: "Some fields break their rules; see errors",
  errors
})

export const unauthorized: Refusal = {
  code: "unauthorized",
  detail: "The e-mail address or the password is wrong"
}

/** The e-mail address is already used. */
export const conflict: Refusal = {
  code: "conflict",
  detail: "An account with this e-mail address already exists",
  errors: [{ path: "email", message: "An account with this e-mail address already exists" }]
}

const refusals: Readonly<Record<string, Refusal>> = {
  ...Standing.refusals,
  USER_ALREADY_EXISTS: conflict,
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: conflict,
  INVALID_EMAIL_OR_PASSWORD: unauthorized,
  INVALID_EMAIL: invalid([{ path: "email", message: "Expected an e-mail address" }]),
  PASSWORD_TOO_SHORT: invalid([{ path: "password", message: "Expected at least 8 characters" }]),
  PASSWORD_TOO_LONG: invalid([{ path: "password", message: "Expected at most 128 characters" }]),
  EMAIL_PASSWORD_SIGN_UP_DISABLED: {
    code: "forbidden",
    detail: "Sign-up is closed on this installation"
  },
  EMAIL_AND_PASSWORD_SIGN_UP_DISABLED: {
    code: "forbidden",
    detail: "Sign-up is closed on this installation"
  },
  BAD_REQUEST: { code: "malformed_request", detail: "The body is not JSON" },
  MISSING_OR_NULL_ORIGIN: {
    code: "forbidden",
    detail: "A request with a session's cookie needs an Origin header of this installation"
  },
  INVALID_ORIGIN: { code: "forbidden", detail: "This origin may not use sessions of this installation" },
  UNSUPPORTED_MEDIA_TYPE: { code: "unsupported_media_type", detail: "Send the body as application/json" }
}

/** Passes successful responses on; the host adds the request id to problems. */
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

export const problem = ({ code, detail, error, errors, retryAfter }: Refusal): Response =>
  Response.json(
    {
      type: typeOf(code),
      title: codes[code].title,
      status: codes[code].status,
      detail,
      code,
      ...(errors === undefined ? {} : { errors }),
      ...(error === undefined ? {} : { error })
    },
    {
      status: codes[code].status,
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
  if (status === 404) return { code: "not_found", detail: "There is nothing at this address" }
  if (status === 422) return { ...invalid([]), detail: message }
  if (status >= 500) return { code: "internal_error", detail: "An internal error occurred" }
  return {
    code: ofStatus(status) ?? "malformed_request",
    detail: message || "The request was refused"
  }
}
