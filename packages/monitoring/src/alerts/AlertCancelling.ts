/** Ends alerts without a notification, with everything about them that is not sent yet. */
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Effect } from "effect"
import { Transaction } from "@kanmon/platform/Transaction"
import { DeliveryQueue } from "../delivery/index.ts"
import { AlertEscalations } from "./AlertHooks.ts"
import { alertKind } from "./AlertKind.ts"
import { AlertRepository, type OpenOf } from "./AlertRepository.ts"

export const make = Effect.gen(function* () {
  const repository = yield* AlertRepository
  const queue = yield* DeliveryQueue
  const escalations = yield* AlertEscalations
  const transaction = yield* Transaction

  /** Messages first, then entries: in the order in which the end of an attempt locks them. */
  return Effect.fn("AlertCancelling.cancel")(function* (which: OpenOf, at: EpochMillis, reason: string) {
    const ids = yield* repository.closeAll(which, at)
    if (ids.length === 0) return
    yield* escalations.ended(
      ids.map((alertId) => ({ alertId })),
      at
    )
    yield* queue.cancel({ kind: alertKind, ids }, at, reason)
    yield* repository.cancelEntries(ids, at, reason)
  }, transaction.run)
})
