/**
 * Gathers what many consumers bring into batches that are handled together, one after the other: a transaction for a thousand
 * messages costs little more than one for ten. Each consumer is told how the batch went that its own were in.
 */
import { Deferred, type Duration, Effect, Latch, type Scope } from "effect"

export interface JointBatchOptions {
  /** A batch that has so many is not added to. */
  readonly most: number
  /** How long a batch that has begun waits for more. */
  readonly wait: Duration.Input
}

interface Share<A, E> {
  readonly items: ReadonlyArray<A>
  readonly done: Deferred.Deferred<void, E>
}

/** Hands in some items; ends as their batch does. */
export type HandIn<A, E> = (items: ReadonlyArray<A>) => Effect.Effect<void, E>

export const make = <A, E, R>(
  { most, wait }: JointBatchOptions,
  handle: (items: ReadonlyArray<A>) => Effect.Effect<void, E, R>
): Effect.Effect<HandIn<A, E>, never, R | Scope.Scope> =>
  Effect.gen(function* () {
    const arrived = Latch.makeUnsafe(false)
    let waiting: Array<Share<A, E>> = []
    let count = 0

    const take = (): ReadonlyArray<Share<A, E>> => {
      let taken = 0
      let size = 0
      while (taken < waiting.length && size < most) size += waiting[taken++]!.items.length
      const batch = waiting.slice(0, taken)
      waiting = waiting.slice(taken)
      count -= size
      if (waiting.length === 0) arrived.closeUnsafe()
      return batch
    }

    const round = Effect.gen(function* () {
      yield* arrived.await
      if (count < most) yield* Effect.sleep(wait)
      const batch = take()
      if (batch.length === 0) return
      const exit = yield* Effect.exit(handle(batch.flatMap(({ items }) => items)))
      for (const { done } of batch) Deferred.doneUnsafe(done, exit)
    })
    yield* Effect.forkScoped(Effect.forever(round))

    return (items) =>
      Effect.suspend(() => {
        const share: Share<A, E> = { items, done: Deferred.makeUnsafe() }
        waiting.push(share)
        count += items.length
        arrived.openUnsafe()
        return Effect.onInterrupt(Deferred.await(share.done), () =>
          Effect.sync(() => {
            const index = waiting.indexOf(share)
            if (index < 0) return
            waiting.splice(index, 1)
            count -= items.length
          })
        )
      })
  })
