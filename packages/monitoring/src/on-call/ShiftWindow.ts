/** Reads the query parameters `from` and `to` of shifts, which mean `[from, to)`; a day as `to` is included as a whole. */
import type { Span } from "@kanmon/domain/Spans"
import { dayMillis } from "@kanmon/domain/Timestamp"
import * as Window from "@kanmon/platform/http/Window"
import type { Problem } from "@kanmon/protocol/Problem"
import { Clock, Effect } from "effect"

const defaultMillis = 14 * dayMillis

export const read = Effect.fnUntraced(function* (query: {
  readonly from?: string
  readonly to?: string
}): Effect.fn.Return<Span, Problem<"malformed_request">> {
  const now = yield* Clock.currentTimeMillis
  const from = query.from === undefined ? now : (yield* Window.parse("from", query.from)).first
  const end = query.to === undefined ? undefined : yield* Window.parse("to", query.to)
  const to = end === undefined ? from + defaultMillis : end.isDay ? end.last + 1 : end.first
  if (from >= to) return yield* Window.malformed("to", "Expected a time after `from`")
  return yield* Window.inLimits({ from, to })
})
