/** Work on many items in parts, between which the event loop turns: however many there are, no other request waits for all of them. */
import { Effect } from "effect"

/** Maps all items, so many in each turn. */
export const map = <A, B>(
  all: ReadonlyArray<A>,
  perTurn: number,
  f: (one: A, index: number) => B
): Effect.Effect<ReadonlyArray<B>> =>
  Effect.gen(function* () {
    const mapped: Array<B> = []
    for (const [index, one] of all.entries()) {
      mapped.push(f(one, index))
      if (mapped.length % perTurn === 0) yield* Effect.yieldNow
    }
    return mapped
  })
