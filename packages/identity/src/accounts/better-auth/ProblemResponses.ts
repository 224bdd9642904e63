/** Maps Better Auth's error responses to problem details. */
import type { FieldError } from "@kanmon/domain/FieldErrors"
import { proofNeeded } from "@kanmon/domain/RecentProof"
import { Effect } from "effect"
import { codes, ofStatus, typeOf } from "@kanmon/domain/ProblemCode"
import type { Refusal } from "./Refusal.ts"
import * as Standing from "./Standing.ts"

export type { Refusal } from "./Refusal.ts"

export const invalid = (errors: ReadonlyArray<FieldError>): Refusal => ({
  code: "validation_failed",
  detail: "Some fields break their rules; see errors",
  errors
})

export const unauthorized: Refusal = {
  code: "unauthorized",
  detail: "The e-mail address or the password is wrong"
}

/** The request needs a session, and has none. */
export const signInFirst: Refusal = { code: "unauthorized", detail: "Sign in first" }

export const signUpClosed: Refusal = {
  code: "forbidden",
  detail: "Sign-up is closed on this installation"
}

/** The e-mail address is already used. */
export const conflict: Refusal = {
  code: "conflict",
  detail: "An account with this e-mail address already exists",
  errors: [{ path: "email", message: "An account with this e-mail address already exists" }]
}

/** Points to single sign-on. It depends on the domain alone, so it does not reveal which accounts exist. */
export const ssoRequired: Refusal = {
  code: "sso_required",
  detail:
    "The organization of this e-mail address requires single sign-on: POST /auth/sign-in/sso with the address leads to its identity provider"
}

/** Somebody who is signed in gave a wrong password. */
export const wrongPassword: Refusal = invalid([{ path: "password", message: "The password is wrong" }])

/** A code of an app or a backup code. */
export const wrongCode: Refusal = {
  code: "unauthorized",
  detail: "The code is wrong, or was used already",
  errors: [{ path: "code", message: "The code is wrong, or was used already" }]
}

export const passwordFirst: Refusal = {
  code: "unauthorized",
  detail: "The time for the code is over, or too many were tried: sign in with the password again"
}

const noSecondFactor: Refusal = { code: "conflict", detail: "Two-factor authentication is off" }

const refusals: Readonly<Record<string, Refusal>> = {
  ...Standing.refusals,
  USER_ALREADY_EXISTS: conflict,
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: conflict,
  INVALID_EMAIL_OR_PASSWORD: unauthorized,
  INVALID_PASSWORD: wrongPassword,
  INVALID_TOKEN: invalid([{ path: "token", message: "The link is no longer valid; ask for a new one" }]),
  UNAUTHORIZED: signInFirst,
  SESSION_NOT_FRESH: proofNeeded,
  CREDENTIAL_ACCOUNT_NOT_FOUND: { code: "conflict", detail: "This account has no password" },
  INVALID_CODE: wrongCode,
  INVALID_BACKUP_CODE: wrongCode,
  INVALID_TWO_FACTOR_COOKIE: passwordFirst,
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: passwordFirst,
  ACCOUNT_TEMPORARILY_LOCKED: {
    code: "rate_limited",
    detail: "Too many wrong codes were entered for this account; wait a quarter of an hour",
    retryAfter: 900
  },
  TOTP_ALREADY_ENABLED: { code: "conflict", detail: "Two-factor authentication is on already" },
  TOTP_NOT_ENABLED: noSecondFactor,
  TWO_FACTOR_NOT_ENABLED: noSecondFactor,
  BACKUP_CODES_NOT_ENABLED: noSecondFactor,
  CHALLENGE_NOT_FOUND: invalid([{ path: "response", message: "The challenge is over; start again" }]),
  FAILED_TO_VERIFY_REGISTRATION: invalid([{ path: "response", message: "The passkey could not be verified" }]),
  AUTHENTICATION_FAILED: { code: "unauthorized", detail: "The passkey could not be verified" },
  PASSKEY_NOT_FOUND: { code: "unauthorized", detail: "This passkey belongs to no account here" },
  PASSKEY_WITHOUT_VERIFICATION: {
    code: "unauthorized",
    detail: "The device has to verify you with its PIN, a fingerprint or your face; this one did not"
  },
  INVALID_EMAIL: invalid([{ path: "email", message: "Expected an e-mail address" }]),
  PASSWORD_TOO_SHORT: invalid([{ path: "password", message: "Expected at least 8 characters" }]),
  PASSWORD_TOO_LONG: invalid([{ path: "password", message: "Expected at most 128 characters" }]),
  SSO_REQUIRED: ssoRequired,
  BAD_REQUEST: { code: "malformed_request", detail: "The body is not JSON" },
  MISSING_OR_NULL_ORIGIN: {
    code: "forbidden",
    detail: "A request with a session's cookie needs an Origin header of this installation"
  },
  INVALID_ORIGIN: { code: "forbidden", detail: "This origin may not use sessions of this installation" },
  UNSUPPORTED_MEDIA_TYPE: { code: "unsupported_media_type", detail: "Send the body as application/json" }
}

/** The answer of Better Auth, and the code of its refusal. */
export interface Answer {
  readonly response: Response
  readonly code: string
}

/** Successful responses without session tokens; the host adds the request id to problems. */
export const translate = async (answer: Response): Promise<Answer> => {
  if (answer.status < 400) return { response: await withoutTokens(answer), code: "" }
  const text = await answer.text()
  const { code = "", message = "" } = parse(text)
  const known =
    refusals[code] ??
    (code === "VALIDATION_ERROR" ? validation(message) : undefined) ??
    byStatus(answer.status, message)
  return { response: problem(known), code }
}

/** Only the cookie carries a session: scripts of a page never see its token. */
const withoutTokens = async (answer: Response): Promise<Response> => {
  if (!(answer.headers.get("content-type") ?? "").startsWith("application/json")) return answer
  const body: unknown = await answer.json()
  const headers = new Headers(answer.headers)
  headers.delete("content-length")
  return Response.json(concealed(body), { status: answer.status, headers })
}

const concealed = (body: unknown): unknown => {
  if (typeof body !== "object" || body === null) return body
  const { session, token, ...rest } = body as { readonly session?: object; readonly token?: unknown }
  return {
    ...rest,
    ...(token === undefined ? {} : { token: null }),
    ...(session === undefined ? {} : { session: withoutToken(session) })
  }
}

const withoutToken = (session: object): object => {
  const { token: _, ...rest } = session as { readonly token?: unknown }
  return rest
}

/** A wrong code of somebody who is signed in breaks a rule of the body; it is no failed sign-in. */
export const translateCode = (answer: Response): Effect.Effect<Response> =>
  Effect.promise(async () => {
    const { errors } = (await answer.json()) as { readonly errors?: ReadonlyArray<FieldError> }
    return problem(invalid(errors ?? []))
  })

/** Renames a field in a problem response to its name in this request. */
export const withField = (answer: Response, from: string, to: string): Effect.Effect<Response> =>
  Effect.promise(async () => {
    const body = (await answer.json()) as { readonly errors?: ReadonlyArray<FieldError> }
    const errors = body.errors?.map((error) => (error.path === from ? { ...error, path: to } : error))
    return Response.json(
      { ...body, ...(errors === undefined ? {} : { errors }) },
      { status: answer.status, headers: answer.headers }
    )
  })

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
  const match = /^\[body\.?([\w.]*)\]([^;\n]*)/.exec(message)
  return invalid([{ path: match?.[1] ?? "", message: match?.[2]?.trim() ?? message }])
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
