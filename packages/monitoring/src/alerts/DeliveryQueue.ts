/** Queues deliveries, and wakes the delivery worker of this process when their transaction has committed. */
import * as TraceContext from "@kanmon/core/TraceContext"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer } from "effect"
import { signal } from "@kanmon/platform/Signal"
import { Transaction } from "@kanmon/platform/Transaction"
import type { NewDelivery } from "./AlertRecords.ts"
import { DeliveryRepository } from "./DeliveryRepository.ts"

export class DeliveryQueue extends Context.Service<
  DeliveryQueue,
  {
    readonly append: (deliveries: ReadonlyArray<NewDelivery>, at: EpochMillis) => Effect.Effect<void>
    /**
     * Waits until this process has queued something since the last call. Deliveries that other processes queue are found as
     * due work.
     */
    readonly queued: Effect.Effect<void>
    /** The number of pending deliveries. */
    readonly pending: Effect.Effect<number>
  }
>()("@kanmon/monitoring/alerts/DeliveryQueue") {
  static readonly layer = Layer.effect(
    DeliveryQueue,
    Effect.gen(function* () {
      const repository = yield* DeliveryRepository
      const transaction = yield* Transaction
      const worker = yield* signal

      const append: DeliveryQueue["Service"]["append"] = Effect.fnUntraced(function* (deliveries, at) {
        if (deliveries.length === 0) return
        yield* repository.insert(deliveries, at, yield* TraceContext.current)
        yield* transaction.afterCommit(worker.raise)
      })

      return DeliveryQueue.of({ append, queued: worker.wait, pending: repository.countPending })
    })
  )
}
