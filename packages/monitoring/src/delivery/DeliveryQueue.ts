/**
 * The queue as senders see it: they hand over messages and take back what is not sent yet, in their own transaction. Wakes the
 * delivery worker of this process when the transaction has committed.
 */
import * as TraceContext from "@kanmon/core/TraceContext"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer } from "effect"
import { signal } from "@kanmon/platform/Signal"
import { Transaction } from "@kanmon/platform/Transaction"
import type { Message } from "./Message.ts"
import { QueueRepository } from "./QueueRepository.ts"

export class DeliveryQueue extends Context.Service<DeliveryQueue>()("@kanmon/monitoring/delivery/DeliveryQueue", {
  make: Effect.gen(function* () {
    const { cancel, cancelEntries, cancelMessages, cancelRepetitions, countPending, forget, insert } =
      yield* QueueRepository
    const transaction = yield* Transaction
    const worker = yield* signal

    const append = Effect.fnUntraced(function* (messages: ReadonlyArray<Message>, at: EpochMillis) {
      if (messages.length === 0) return
      yield* insert(messages, at, yield* TraceContext.current)
      yield* transaction.afterCommit(worker.raise)
    })

    return {
      append,
      /** Ends everything about these subjects that is not sent yet; it fails with `reason`, of which the sender is not told. */
      cancel,
      /** The same for single entries. */
      cancelEntries,
      /** The same for single messages. */
      cancelMessages,
      /** The same for repetitions alone. Returns the entries of which nothing waits any more, and whether anything was delivered. */
      cancelRepetitions,
      /** Deletes every message about these subjects. */
      forget,
      /**
       * Waits until this process has queued something since the last call. Messages that other processes queue are found as due
       * work.
       */
      queued: worker.wait,
      /** The number of messages that wait to be sent. */
      pending: countPending
    }
  })
}) {
  static readonly layer = Layer.effect(DeliveryQueue, DeliveryQueue.make)
}
