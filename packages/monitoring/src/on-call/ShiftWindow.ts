/** Reads the query parameters `from` and `to` of shifts, which mean `[from, to)`; a day as `to` is included as a whole. */
import { dayMillis, toIso } from "@kanmon/domain/Timestamp"
import type { Span } from "@kanmon/domain/Spans"
import { Problem } from "@kanmon/protocol/Problem"
import * as Window from "@kanmon/platform/http/Window"
import { Clock, Effect } from "effect"

const defaultMillis = 14 * dayMillis
const day = /^\d{4}-\d{2}-\d{2}$/

const malformed = (path: string, message: string) =>
  new Problem({ code: "malformed_request", detail: `${path}: ${message}`, errors: [{ path, message }] })

export const read = Effect.fnUntraced(function* (query: {
  readonly from?: string
  readonly to?: string
}): Effect.fn.Return<Span, Problem<"malformed_request">> {
  const now = yield* Clock.currentTimeMillis
  const { from } =
    query.from === undefined ? { from: now } : yield* Window.read({ from: query.from, to: query.from }, 0)
  const { to } = yield* Window.read({ from: toIso(from), to: query.to ?? toIso(from + defaultMillis) }, 0)
  const end = query.to !== undefined && day.test(query.to.slice(0, 11)) ? to : to - 1
  return from < end ? { from, to: end } : yield* malformed("to", "Expected a time after `from`")
})
