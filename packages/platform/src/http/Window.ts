/** Reads the query parameters `from` and `to`: UTC days or timestamps, both inclusive. */
import { upTo } from "@kanmon/domain/BoundedText"
import { Problem } from "@kanmon/protocol/Problem"
import type { Span } from "@kanmon/domain/Spans"
import { dayMillis, type EpochMillis, parse as parseTimestamp } from "@kanmon/domain/Timestamp"
import { Clock, Effect } from "effect"

const longestDays = 400
const earliest = 0
const latest = Date.parse("9999-12-31T23:59:59.999Z")

/** The requested window as `[from, to)`. `to` defaults to now, `from` to the default length before it. */
export const read = (
  query: { readonly from?: string; readonly to?: string },
  defaultMillis: number
): Effect.Effect<Span, Problem<"malformed_request">> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const begin = query.from === undefined ? undefined : yield* parse("from", query.from)
    const end = query.to === undefined ? undefined : yield* parse("to", query.to)
    const last = end?.last ?? now
    const to = last + 1
    const from = begin?.first ?? Math.max(Math.min(now, to) - defaultMillis, earliest)
    if (from > last) return yield* malformed("from", "Expected a time not after `to` (default: now)")
    return yield* inLimits({ from, to })
  })

/** Fails when a window is longer than any that is answered. */
export const inLimits = (window: Span): Effect.Effect<Span, Problem<"malformed_request">> =>
  window.to - 1 - window.from > longestDays * dayMillis
    ? malformed("from", `Expected a range of at most ${longestDays} days`)
    : Effect.succeed(window)

/** A refusal that names the parameter. */
export const malformed = (path: string, message: string) =>
  new Problem({ code: "malformed_request", detail: `${path}: ${message}`, errors: [{ path, message }] })

/** No timestamp is longer. */
const maxLength = 100

/** The first and the last millisecond of the given day or timestamp. */
export const parse = (
  path: string,
  given: string
): Effect.Effect<
  { readonly first: EpochMillis; readonly last: EpochMillis; readonly isDay: boolean },
  Problem<"malformed_request">
> => {
  const text = upTo(given, maxLength)
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text)
  // RFC 3339 allows lower case. An unescaped plus sign in a query is decoded as a space.
  const first = parseTimestamp(isDay ? `${text}T00:00:00Z` : text.toUpperCase().replace(" ", "+"))
  if (first === undefined)
    return malformed(path, "Expected a date such as 2026-11-20, or a timestamp such as 2026-11-20T08:30:00Z")
  const last = isDay ? first + dayMillis - 1 : first
  return first < earliest || last > latest
    ? malformed(path, "Expected a year from 1970 to 9999")
    : Effect.succeed({ first, last, isDay })
}
