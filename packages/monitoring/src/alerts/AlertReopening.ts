/** Opens alerts again that somebody answered: when the time of an acknowledgement has run out, and for those who escalate. */
import type { Alert, AlertActor } from "@kanmon/domain/Alert"
import { untouched } from "@kanmon/domain/AlertHandling"
import { AlertRecordId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Outbox } from "@kanmon/platform/outbox/Outbox"
import { Context, Effect, Layer } from "effect"
import { handledEvents } from "./AlertEvents.ts"
import { HandlingRepository } from "./HandlingRepository.ts"

/** Where it is not recorded who acknowledged. */
const unknown = { kind: "user", name: "" } as const

export class AlertReopening extends Context.Service<AlertReopening>()("@kanmon/monitoring/alerts/AlertReopening", {
  make: Effect.gen(function* () {
    const repository = yield* HandlingRepository
    const outbox = yield* Outbox

    return {
      /** Takes back what somebody did with a locked alert, for another person. Joins the caller's transaction. */
      reopen: Effect.fn("AlertReopening.reopen")(function* (alert: Alert, by: AlertActor, at: EpochMillis) {
        if (alert.acknowledgedAt === null && alert.snoozedUntil === null) return
        yield* repository.save(alert.id, { ...alert, ...untouched })
        yield* outbox.append(handledEvents(alert, { _tag: "Unacknowledge" }, by, at))
      }),
      /** Ends the expired acknowledgement of a locked alert. Joins the caller's transaction. */
      expire: Effect.fn("AlertReopening.expire")(function* (alertId: string, at: EpochMillis) {
        for (const alert of yield* repository.lockAll([AlertRecordId.make(alertId)], at)) {
          yield* repository.save(alert.id, { ...alert, ...untouched })
          yield* outbox.append(
            handledEvents(alert, { _tag: "Unacknowledge" }, alert.acknowledgedBy ?? unknown, at, true)
          )
        }
      })
    }
  })
}) {
  static readonly layer = Layer.effect(AlertReopening, AlertReopening.make).pipe(
    Layer.provide(HandlingRepository.layer)
  )
}
