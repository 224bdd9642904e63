/** When the client retries a refused request: only if the request cannot take effect twice and the wait is short. */
import type { KanmonError } from "../KanmonError.ts"

/** The refused request. */
export interface Sent {
  readonly method: string
  /** With an idempotency key, the server prevents the request from taking effect twice. */
  readonly hasIdempotencyKey: boolean
}

/** Seconds. A longer wait is reported to the caller as an error instead. */
const longestWait = 60

/** Statuses that may be returned after part of the work was done. */
const uncertain = new Set([409, 503])

/** Seconds to wait before the request is retried; undefined when it must not be. */
export const retryDelay = ({ hasIdempotencyKey, method }: Sent, error: KanmonError): number | undefined => {
  const { retryAfter, status } = error
  const isSafe = method === "GET" || hasIdempotencyKey
  // A rate-limited request had no effect, so any method may be retried.
  const isRetryable = status === 429 || (isSafe && uncertain.has(status ?? 0) && retryAfter !== undefined)
  const seconds = retryAfter ?? 1
  return isRetryable && seconds <= longestWait ? seconds : undefined
}
