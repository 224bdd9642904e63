/** An in-process signal. Several raises before a wait count as one. */
import { Effect, Queue } from "effect"

export interface Signal {
  readonly raise: Effect.Effect<void>
  readonly wait: Effect.Effect<void>
}

export const signal: Effect.Effect<Signal> = Effect.map(Queue.sliding<void>(1), (queue) => ({
  raise: Effect.asVoid(Queue.offer(queue, undefined)),
  wait: Queue.take(queue)
}))
