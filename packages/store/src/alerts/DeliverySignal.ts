/** Tells the deliverer of this process that a transaction has queued notices. */
import { Context, Layer } from "effect"
import { type Signal, signal } from "../internal/signal.ts"

export class DeliverySignal extends Context.Service<DeliverySignal, Signal>()("@kanmon/store/alerts/DeliverySignal") {
  static readonly layer = Layer.effect(DeliverySignal, signal)
}
