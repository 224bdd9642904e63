/**
 * Formats causes and errors for logs and messages. A value thrown by a plugin may throw when it is formatted, or be of any
 * size; a log line about a plugin must not fail.
 */
import { Cause } from "effect"

/** Longer texts are truncated. */
const limit = 8000
const unreadable = "an error that cannot be formatted"

/** A cause with stack traces. */
export const causeText = (cause: Cause.Cause<unknown>): string => safely(() => Cause.pretty(cause))

/** An error in a few lines. */
export const errorText = (error: unknown): string => safely(() => String(error))

const safely = (show: () => string): string => {
  try {
    const text = show()
    return text.length > limit ? `${text.slice(0, limit)}…` : text
  } catch {
    return unreadable
  }
}
