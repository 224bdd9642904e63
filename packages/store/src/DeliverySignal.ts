/** Tells the deliverer of this process that a transaction has queued notices. */
import { Context, Effect, Layer, Queue } from "effect"

export class DeliverySignal extends Context.Service<
  DeliverySignal,
  { readonly raise: Effect.Effect<void>; readonly wait: Effect.Effect<void> }
>()("@kanmon/store/DeliverySignal") {
  static readonly layer = Layer.effect(
    DeliverySignal,
    Effect.map(Queue.sliding<void>(1), (queue) => ({
      raise: Effect.asVoid(Queue.offer(queue, undefined)),
      wait: Queue.take(queue)
    }))
  )
}
