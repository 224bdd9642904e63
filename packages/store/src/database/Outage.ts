/** Whether a failure only says that the database or the bus is away, and why. */
import { BusUnavailable } from "@kanmon/core/EventBus"
import { Cause } from "effect"
import { SqlError } from "effect/sql"

const outages = new Set([
  "ConnectionError",
  "AuthenticationError",
  "DeadlockError",
  "SerializationError",
  "LockTimeoutError",
  "StatementTimeoutError"
])

/** What a person needs to know of it; undefined when it is something else, which is somebody's fault. */
export const reason = (cause: Cause.Cause<unknown>): string | undefined => {
  const error = Cause.squash(cause)
  if (error instanceof BusUnavailable) return error.message
  // The database's constraints are our rules; its absence is not.
  if (error instanceof SqlError.SqlError && isOutage(error)) return `The database: ${words(error)}`
  return undefined
}

/** Whether the database refused a value (22…), or what it would have had to do for it (54…): trying again does not help. */
export const isDataError = (cause: Cause.Cause<unknown>): boolean => {
  const error = Cause.squash(cause)
  return error instanceof SqlError.SqlError && /^(22|54)/.test(codeOf(error))
}

/** PostgreSQL's code of the error; empty where it has none. */
const codeOf = ({ reason }: SqlError.SqlError): string => {
  const { code } = (reason.cause ?? {}) as { readonly code?: unknown }
  return typeof code === "string" ? code : ""
}

/** PostgreSQL's own words for going down (57P…) and for having no room (53…); the driver has no name for them. */
const isOutage = (error: SqlError.SqlError): boolean =>
  outages.has(error.reason._tag) || /^(57P|53)/.test(codeOf(error))

/** What the innermost cause says: the outer ones only say that it did not work. */
const words = (error: unknown): string => {
  let innermost = error
  while (innermost instanceof Error && innermost.cause instanceof Error) innermost = innermost.cause
  return innermost instanceof Error ? innermost.message : String(innermost)
}
