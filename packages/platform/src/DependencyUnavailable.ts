/** Recognises failures caused by an unavailable database or event bus. */
import { BusUnavailable } from "@kanmon/core/EventBus"
import { Cause } from "effect"
import { SqlError } from "effect/sql"

const unavailableTags = new Set([
  "ConnectionError",
  "AuthenticationError",
  "DeadlockError",
  "SerializationError",
  "LockTimeoutError",
  "StatementTimeoutError"
])

/** Why the dependency is unavailable, for operators; undefined for other failures. */
export const reason = (cause: Cause.Cause<unknown>): string | undefined => {
  const error = Cause.squash(cause)
  if (error instanceof BusUnavailable) return error.message
  if (error instanceof SqlError.SqlError && isUnavailable(error)) return `The database: ${messageOf(error)}`
  return undefined
}

/** Whether the database rejected a value (class 22) or exceeded a limit (class 54). Retrying does not help. */
export const isDataError = (cause: Cause.Cause<unknown>): boolean => {
  const error = Cause.squash(cause)
  return error instanceof SqlError.SqlError && /^(22|54)/.test(codeOf(error))
}

/** The SQLSTATE; empty if there is none. */
const codeOf = ({ reason }: SqlError.SqlError): string => {
  const { code } = (reason.cause ?? {}) as { readonly code?: unknown }
  return typeof code === "string" ? code : ""
}

/** Includes shutdown (57P) and insufficient resources (class 53), which the driver does not classify. */
const isUnavailable = (error: SqlError.SqlError): boolean =>
  unavailableTags.has(error.reason._tag) || /^(57P|53)/.test(codeOf(error))

/** The message of the innermost cause; the outer ones are generic. */
const messageOf = (error: unknown): string => {
  let innermost = error
  while (innermost instanceof Error && innermost.cause instanceof Error) innermost = innermost.cause
  return innermost instanceof Error ? innermost.message : String(innermost)
}
