/** Tells the relay of this process that a transaction has appended to the outbox. */
import { Context, Layer } from "effect"
import { type Signal, signal } from "../internal/signal.ts"

export class OutboxSignal extends Context.Service<OutboxSignal, Signal>()("@kanmon/store/outbox/OutboxSignal") {
  static readonly layer = Layer.effect(OutboxSignal, signal)
}
