/**
 * Collects what many consumers submit into batches: a transaction for a thousand messages costs little more than one for ten.
 * A submission ends as its batch does.
 */
import { Deferred, type Duration, Effect, Latch, Scope, Semaphore } from "effect"

export interface BatchOptions<A> {
  /** A batch with this many items is full. */
  readonly limit: number
  /** How long a batch waits for more items. */
  readonly wait: Duration.Input
  /**
   * Full or urgent batches that are handled at the same time; others wait for those before them. A consumer has one
   * submission at a time, so its batches follow each other. Default: 1.
   */
  readonly lanes?: number
  /** A batch with such an item waits only for what arrives with it. */
  readonly isUrgent?: (item: A) => boolean
}

/** The wait of an urgent batch. Observations that are published together arrive within this time. */
const hurry = "5 millis"

interface Submission<A, E> {
  readonly items: ReadonlyArray<A>
  readonly urgent: boolean
  readonly done: Deferred.Deferred<void, E>
}

export interface Batches<A, E> {
  /** Submits items; ends as their batch does. */
  readonly submit: (items: ReadonlyArray<A>) => Effect.Effect<void, E>
  /** Announces an item that its consumer submits after what it waits for now: if it is urgent, what waits leaves at once. */
  readonly announce: (item: A) => void
}

export const make = <A, E, R>(
  { isUrgent = () => false, lanes = 1, limit, wait }: BatchOptions<A>,
  handle: (items: ReadonlyArray<A>) => Effect.Effect<void, E, R>
): Effect.Effect<Batches<A, E>, never, R | Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Scope.Scope
    const free = Semaphore.makeUnsafe(lanes)
    const arrived = Latch.makeUnsafe(false)
    /** A full or an urgent batch has arrived. */
    const enough = Latch.makeUnsafe(false)
    /** No batch is being handled. */
    const idle = Latch.makeUnsafe(true)
    let waiting: Array<Submission<A, E>> = []
    let count = 0
    let running = 0
    /** Something urgent was announced since the last batch left. */
    let announced = false

    const isFull = (): boolean => count >= limit
    const isEnough = (): boolean => isFull() || (announced && count > 0) || waiting.some(({ urgent }) => urgent)
    const changed = (): void => {
      if (waiting.length === 0) arrived.closeUnsafe()
      else arrived.openUnsafe()
      if (isEnough()) enough.openUnsafe()
      else enough.closeUnsafe()
    }

    const take = (): ReadonlyArray<Submission<A, E>> => {
      let taken = 0
      let size = 0
      while (taken < waiting.length && size < limit) size += waiting[taken++]!.items.length
      const batch = waiting.slice(0, taken)
      waiting = waiting.slice(taken)
      count -= size
      announced = false
      changed()
      return batch
    }

    const run = Effect.fnUntraced(function* (batch: ReadonlyArray<Submission<A, E>>) {
      const exit = yield* Effect.exit(handle(batch.flatMap(({ items }) => items)))
      for (const { done } of batch) Deferred.doneUnsafe(done, exit)
    })

    const ended = Effect.suspend(() => {
      if (--running === 0) idle.openUnsafe()
      return free.release(1)
    })

    const round = Effect.gen(function* () {
      yield* free.take(1)
      yield* arrived.await
      if (!isEnough()) yield* Effect.timeoutOption(enough.await, wait)
      if (!isFull() && isEnough()) yield* Effect.sleep(hurry)
      if (!isEnough() && running > 0) yield* Effect.raceFirst(idle.await, enough.await)
      const batch = take()
      if (batch.length === 0) return yield* free.release(1)
      running++
      idle.closeUnsafe()
      yield* Effect.forkIn(Effect.ensuring(run(batch), ended), scope, { startImmediately: true })
    })
    yield* Effect.forkScoped(Effect.forever(round))

    const submit: Batches<A, E>["submit"] = (items) =>
      Effect.suspend(() => {
        const submission: Submission<A, E> = { items, urgent: items.some(isUrgent), done: Deferred.makeUnsafe() }
        waiting.push(submission)
        count += items.length
        changed()
        return Effect.onInterrupt(Deferred.await(submission.done), () =>
          Effect.sync(() => {
            const index = waiting.indexOf(submission)
            if (index < 0) return
            waiting.splice(index, 1)
            count -= items.length
            changed()
          })
        )
      })

    const announce: Batches<A, E>["announce"] = (item) => {
      if (waiting.length === 0 || isEnough() || !isUrgent(item)) return
      announced = true
      changed()
    }

    return { submit, announce }
  })
