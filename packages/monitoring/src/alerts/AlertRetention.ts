/** Deletes alerts past retention, with everything that was sent about them. */
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer } from "effect"
import { Transaction } from "@kanmon/platform/Transaction"
import { DeliveryQueue } from "../delivery/index.ts"
import { AlertEscalations } from "./AlertHooks.ts"
import { alertKind } from "./AlertKind.ts"
import { AlertRetentionRepository } from "./AlertRetentionRepository.ts"

export class AlertRetention extends Context.Service<AlertRetention>()("@kanmon/monitoring/alerts/AlertRetention", {
  make: Effect.gen(function* () {
    const repository = yield* AlertRetentionRepository
    const queue = yield* DeliveryQueue
    const escalations = yield* AlertEscalations
    const transaction = yield* Transaction
    return {
      deleteResolvedBefore: Effect.fn("AlertRetention.deleteResolvedBefore")(function* (before: EpochMillis) {
        const ids = yield* repository.deleteResolvedBefore(before)
        if (ids.length === 0) return
        yield* queue.forget({ kind: alertKind, ids })
        yield* escalations.forget(ids)
      }, transaction.run)
    }
  })
}) {
  static readonly layer = Layer.effect(AlertRetention, AlertRetention.make)
}
