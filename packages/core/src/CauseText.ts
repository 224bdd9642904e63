/**
 * Causes and errors as text for logs and messages. What a plugin throws may itself throw when it is shown, or be of any size:
 * a log line about one plugin must not stop whoever writes it.
 */
import { Cause } from "effect"

/** Longer texts are cut. */
const limit = 8000
const unreadable = "an error that cannot be shown"

/** A cause with its stack traces. */
export const causeText = (cause: Cause.Cause<unknown>): string => safely(() => Cause.pretty(cause))

/** An error in one line or a few. */
export const errorText = (error: unknown): string => safely(() => String(error))

const safely = (show: () => string): string => {
  try {
    const text = show()
    return text.length > limit ? `${text.slice(0, limit)}…` : text
  } catch {
    return unreadable
  }
}
