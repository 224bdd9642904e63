/**
 * Batches calls: calls that arrive during a batch with the same key form the next batch. A lone call does not wait. A
 * batch begins after each of its calls has, so an answer is never older than its call.
 */
import { type Context, Deferred, Effect, Exit, type Scope } from "effect"

/** A call that waits for its answer. */
export interface Call<A> {
  readonly input: A
  /** False when the caller was interrupted, such as by a disconnected client. */
  readonly isAwaited: () => boolean
}

interface Waiting<A, B, E> extends Call<A> {
  readonly answer: Deferred.Deferred<B, E>
  readonly context: Context.Context<never>
}

export interface CoalescerOptions<K, A, B, E> {
  /** The most calls of one batch. */
  readonly limit: number
  /** One exit for each call, in their order. Runs in the context of the first call, so with its clock and trace. */
  readonly handle: (key: K, calls: ReadonlyArray<Call<A>>) => Effect.Effect<ReadonlyArray<Exit.Exit<B, E>>>
}

/** Answers one call. A caller that is interrupted is taken out of the queue, but not out of a batch that has begun. */
export type Coalesced<K, A, B, E> = (key: K, input: A) => Effect.Effect<B, E>

/** Batches of one key run one after the other, batches of different keys concurrently. They end with the scope. */
export const make = <K, A, B, E = never>({
  handle,
  limit
}: CoalescerOptions<K, A, B, E>): Effect.Effect<Coalesced<K, A, B, E>, never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => {
    const queues = new Map<K, Array<Waiting<A, B, E>>>()

    const settle = (batch: ReadonlyArray<Waiting<A, B, E>>, exit: Exit.Exit<ReadonlyArray<Exit.Exit<B, E>>>) =>
      batch.forEach(({ answer }, index) =>
        Deferred.doneUnsafe(answer, Exit.isSuccess(exit) ? exit.value[index]! : Exit.failCause(exit.cause))
      )

    /** Waits for the rest of a burst: as long as each turn of the event loop brings more calls. */
    const gathered = Effect.fnUntraced(function* (queue: ReadonlyArray<unknown>) {
      for (let before = 0; queue.length > before && queue.length < limit;) {
        before = queue.length
        yield* Effect.yieldNow
      }
    })

    const drain = Effect.fnUntraced(function* (key: K, queue: Array<Waiting<A, B, E>>) {
      while (queue.length > 0) {
        yield* gathered(queue)
        const batch = queue.splice(0, limit)
        const [first] = batch
        // All may have left while it gathered.
        if (first !== undefined)
          yield* handle(key, batch).pipe(
            Effect.provideContext(first.context),
            Effect.onExit((exit) => Effect.sync(() => settle(batch, exit))),
            Effect.exit
          )
        // Together with the check of its length, so that no call joins an abandoned queue.
        if (queue.length === 0) queues.delete(key)
      }
    })

    return (key, input) =>
      Effect.contextWith((context: Context.Context<never>) => {
        const answer = Deferred.makeUnsafe<B, E>()
        let awaited = true
        const call = { input, isAwaited: () => awaited, answer, context }
        const leave = Effect.sync(() => {
          awaited = false
          const queue = queues.get(key)
          const index = queue?.indexOf(call) ?? -1
          if (index >= 0) queue!.splice(index, 1)
        })
        const answered = Effect.onInterrupt(Deferred.await(answer), () => leave)
        const running = queues.get(key)
        if (running !== undefined) {
          running.push(call)
          return answered
        }
        const queue = [call]
        queues.set(key, queue)
        // An interruption, at the end of the scope, leaves calls in the queue.
        const close = Effect.sync(() => {
          if (queues.get(key) === queue) queues.delete(key)
          settle(queue, Exit.interrupt())
        })
        return Effect.andThen(Effect.forkIn(Effect.ensuring(drain(key, queue), close), scope), answered)
      })
  })
