/** How long the event loop is held, in CPU time of this thread, which other load does not change. */
import { Effect } from "effect"

/** The most that one turn of the loop may take, in milliseconds. */
export const limitMillis = 50

/** The longest time for which one turn of the loop had this thread's CPU, while something runs. */
export const longestTurn = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    let [longest, isOver] = [0, false]
    let before = process.threadCpuUsage()
    const turn = (): void => {
      const { system, user } = process.threadCpuUsage(before)
      longest = Math.max(longest, (system + user) / 1_000)
      before = process.threadCpuUsage()
      if (!isOver) setImmediate(turn)
    }
    setImmediate(turn)
    yield* work
    isOver = true
    turn()
    return longest
  })

/**
 * The longest turn of some work. Compiling and collecting garbage take time once: where much was spent, the least of three more
 * is what the work costs.
 */
export const held = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<number, E, R> =>
  Effect.gen(function* () {
    const once = yield* longestTurn(work)
    if (once < limitMillis) return once
    return Math.min(...(yield* Effect.replicateEffect(longestTurn(work), 3)))
  })
