/** The `from` and `to` of histories: days (both inclusive, UTC) or full timestamps. */
import { Problem } from "@kanmon/protocol/Problem"
import { dayMillis, type EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, Effect } from "effect"

const longestDays = 400

/** The window `[from, to)`; the last `defaultDays` days when nothing is asked for. */
export const read = (
  query: { readonly from?: string; readonly to?: string },
  defaultMillis: number
): Effect.Effect<{ readonly from: EpochMillis; readonly to: EpochMillis }, Problem> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const to = query.to === undefined ? now : yield* parse("to", query.to, dayMillis)
    const from = query.from === undefined ? Math.min(now, to) - defaultMillis : yield* parse("from", query.from, 0)
    if (from >= to) return yield* malformed("from", "Expected a moment before to")
    if (to - from > longestDays * dayMillis)
      return yield* malformed("from", `Expected a range of at most ${longestDays} days`)
    return { from, to }
  })

const malformed = (path: string, message: string) =>
  new Problem({ code: "malformed_request", detail: `${path}: ${message}`, errors: [{ path, message }] })

const parse = (path: string, text: string, wholeDay: number): Effect.Effect<EpochMillis, Problem> => {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text)
  const isInstant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/.test(text)
  const at = isDay || isInstant ? Date.parse(text) : Number.NaN
  // The calendar is forgiving (2026-02-30 becomes March); we are not.
  const exists = !Number.isNaN(at) && (!isDay || new Date(at).toISOString().startsWith(text))
  return exists
    ? Effect.succeed(isDay ? at + wholeDay : at)
    : Effect.fail(malformed(path, "Expected a date such as 2026-11-20, or a timestamp such as 2026-11-20T08:30:00Z"))
}
