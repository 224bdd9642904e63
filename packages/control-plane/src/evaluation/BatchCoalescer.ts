/**
 * Collects what many consumers submit into batches that are handled one after the other: a transaction for a thousand messages
 * costs little more than one for ten. A submission ends as its batch does.
 */
import { Deferred, type Duration, Effect, Latch, type Scope } from "effect"

export interface BatchOptions {
  /** A batch with this many items is full. */
  readonly limit: number
  /** How long a batch waits for more items. */
  readonly wait: Duration.Input
}

interface Submission<A, E> {
  readonly items: ReadonlyArray<A>
  readonly done: Deferred.Deferred<void, E>
}

/** Submits items; ends as their batch does. */
export type Submit<A, E> = (items: ReadonlyArray<A>) => Effect.Effect<void, E>

export const make = <A, E, R>(
  { limit, wait }: BatchOptions,
  handle: (items: ReadonlyArray<A>) => Effect.Effect<void, E, R>
): Effect.Effect<Submit<A, E>, never, R | Scope.Scope> =>
  Effect.gen(function* () {
    const arrived = Latch.makeUnsafe(false)
    let waiting: Array<Submission<A, E>> = []
    let count = 0

    const take = (): ReadonlyArray<Submission<A, E>> => {
      let taken = 0
      let size = 0
      while (taken < waiting.length && size < limit) size += waiting[taken++]!.items.length
      const batch = waiting.slice(0, taken)
      waiting = waiting.slice(taken)
      count -= size
      if (waiting.length === 0) arrived.closeUnsafe()
      return batch
    }

    const round = Effect.gen(function* () {
      yield* arrived.await
      if (count < limit) yield* Effect.sleep(wait)
      const batch = take()
      if (batch.length === 0) return
      const exit = yield* Effect.exit(handle(batch.flatMap(({ items }) => items)))
      for (const { done } of batch) Deferred.doneUnsafe(done, exit)
    })
    yield* Effect.forkScoped(Effect.forever(round))

    return (items) =>
      Effect.suspend(() => {
        const submission: Submission<A, E> = { items, done: Deferred.makeUnsafe() }
        waiting.push(submission)
        count += items.length
        arrived.openUnsafe()
        return Effect.onInterrupt(Deferred.await(submission.done), () =>
          Effect.sync(() => {
            const index = waiting.indexOf(submission)
            if (index < 0) return
            waiting.splice(index, 1)
            count -= items.length
          })
        )
      })
  })
