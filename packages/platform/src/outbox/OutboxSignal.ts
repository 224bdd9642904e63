/** Wakes the relay of this process after a transaction appended to the outbox. */
import { Context, Layer } from "effect"
import { type Signal, signal } from "../Signal.ts"

export class OutboxSignal extends Context.Service<OutboxSignal, Signal>()("@kanmon/platform/outbox/OutboxSignal") {
  static readonly layer = Layer.effect(OutboxSignal, signal)
}
