/** Tells the relay of this process that a transaction has appended to the outbox. */
import { Context, Effect, Layer, Queue } from "effect"

export class OutboxSignal extends Context.Service<
  OutboxSignal,
  { readonly raise: Effect.Effect<void>; readonly wait: Effect.Effect<void> }
>()("@kanmon/store/OutboxSignal") {
  static readonly layer = Layer.effect(
    OutboxSignal,
    Effect.map(Queue.sliding<void>(1), (queue) => ({
      raise: Effect.asVoid(Queue.offer(queue, undefined)),
      wait: Queue.take(queue)
    }))
  )
}
