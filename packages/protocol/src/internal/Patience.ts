/** When a client sends a request again by itself: when it was told to wait, not for long, and nothing happens twice. */
import type { KanmonError } from "../KanmonError.ts"

/** What is known of the request that was refused. */
export interface Sent {
  readonly method: string
  /** With a key the server sees to it that nothing happens twice. */
  readonly hasIdempotencyKey: boolean
}

/** Seconds. Whoever is told to wait longer is not kept waiting, but told. */
const longestWait = 60

/** Statuses of answers that may come after a part of the work was done. */
const unsure = new Set([409, 503])

/** Seconds until it may be sent again; none when it may not. */
export const waitFor = ({ hasIdempotencyKey, method }: Sent, error: KanmonError): number | undefined => {
  const { retryAfter, status } = error
  const harmless = method === "GET" || hasIdempotencyKey
  // Who is over the limit was not heard at all.
  const worthwhile = status === 429 || (harmless && unsure.has(status ?? 0) && retryAfter !== undefined)
  const seconds = retryAfter ?? 1
  return worthwhile && seconds <= longestWait ? seconds : undefined
}
