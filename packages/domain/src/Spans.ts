/** Spans of time `[from, to)`, in milliseconds since 1970, and their lists. Pure. */
import type { EpochMillis } from "./Timestamp.ts"

/** From an instant until before another one. Empty unless `from` is earlier. */
export interface Span {
  readonly from: EpochMillis
  readonly to: EpochMillis
}

/** The same time in ascending spans that neither touch nor overlap. */
export const joined = (spans: ReadonlyArray<Span>): ReadonlyArray<Span> => {
  const result: Array<Span> = []
  for (const span of spans.filter(({ from, to }) => from < to).toSorted((one, other) => one.from - other.from)) {
    const last = result.at(-1)
    if (last === undefined || span.from > last.to) result.push(span)
    else if (span.to > last.to) result[result.length - 1] = { from: last.from, to: span.to }
  }
  return result
}

/** The time that is in both lists, which are {@link joined}. */
export const common = (some: ReadonlyArray<Span>, others: ReadonlyArray<Span>): ReadonlyArray<Span> => {
  const result: Array<Span> = []
  for (let one = 0, other = 0; one < some.length && other < others.length;) {
    const from = Math.max(some[one]!.from, others[other]!.from)
    const to = Math.min(some[one]!.to, others[other]!.to)
    if (from < to) result.push({ from, to })
    if (some[one]!.to < others[other]!.to) one++
    else other++
  }
  return result
}

/** The time that is in the first list and not in the second; both are {@link joined}. */
export const without = (some: ReadonlyArray<Span>, removed: ReadonlyArray<Span>): ReadonlyArray<Span> => {
  const result: Array<Span> = []
  let next = 0
  for (const { from, to } of some) {
    let begin = from
    while (next < removed.length && removed[next]!.to <= begin) next++
    for (let index = next; index < removed.length && removed[index]!.from < to; index++) {
      if (begin < removed[index]!.from) result.push({ from: begin, to: removed[index]!.from })
      begin = Math.max(begin, removed[index]!.to)
    }
    if (begin < to) result.push({ from: begin, to })
  }
  return result
}
