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

export class DeliveryQueue extends Context.Service<
  DeliveryQueue,
  {
    readonly append: (messages: ReadonlyArray<Message>, at: EpochMillis) => Effect.Effect<void>
    /** Ends everything about these subjects that is not sent yet; it fails with `reason`, of which the sender is not told. */
    readonly cancel: QueueRepository["Service"]["cancel"]
    /** The same for single entries. */
    readonly cancelEntries: QueueRepository["Service"]["cancelEntries"]
    /** The same for repetitions alone. Returns the entries of which nothing waits any more, and whether anything was delivered. */
    readonly cancelRepetitions: QueueRepository["Service"]["cancelRepetitions"]
    /** Deletes every message about these subjects. */
    readonly forget: QueueRepository["Service"]["forget"]
    /**
     * Waits until this process has queued something since the last call. Messages that other processes queue are found as due
     * work.
     */
    readonly queued: Effect.Effect<void>
    /** The number of messages that wait to be sent. */
    readonly pending: Effect.Effect<number>
  }
>()("@kanmon/monitoring/delivery/DeliveryQueue") {
  static readonly layer = Layer.effect(
    DeliveryQueue,
    Effect.gen(function* () {
      const { cancel, cancelEntries, cancelRepetitions, countPending, forget, insert } = yield* QueueRepository
      const transaction = yield* Transaction
      const worker = yield* signal

      const append: DeliveryQueue["Service"]["append"] = Effect.fnUntraced(function* (messages, at) {
        if (messages.length === 0) return
        yield* insert(messages, at, yield* TraceContext.current)
        yield* transaction.afterCommit(worker.raise)
      })

      return DeliveryQueue.of({
        append,
        cancel,
        cancelEntries,
        cancelRepetitions,
        forget,
        queued: worker.wait,
        pending: countPending
      })
    })
  )
}
