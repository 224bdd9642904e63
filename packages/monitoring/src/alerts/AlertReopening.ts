/** Ends acknowledgements whose time has run out. */
import { untouched } from "@kanmon/domain/AlertHandling"
import { AlertRecordId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Outbox } from "@kanmon/platform/outbox/Outbox"
import { Context, Effect, Layer } from "effect"
import { handledEvents } from "./AlertEvents.ts"
import { HandlingRepository } from "./HandlingRepository.ts"

/** Where it is not recorded who acknowledged. */
const unknown = { kind: "user", name: "" } as const

export class AlertReopening extends Context.Service<
  AlertReopening,
  {
    /** Makes a locked alert open again. Joins the caller's transaction. */
    readonly expire: (alertId: string, at: EpochMillis) => Effect.Effect<void>
  }
>()("@kanmon/monitoring/alerts/AlertReopening") {
  static readonly layer = Layer.effect(
    AlertReopening,
    Effect.gen(function* () {
      const repository = yield* HandlingRepository
      const outbox = yield* Outbox

      return AlertReopening.of({
        expire: Effect.fn("AlertReopening.expire")(function* (alertId, at) {
          for (const alert of yield* repository.lockAll([AlertRecordId.make(alertId)], at)) {
            yield* repository.save(alert.id, { ...alert, ...untouched })
            yield* outbox.append(
              handledEvents(alert, { _tag: "Unacknowledge" }, alert.acknowledgedBy ?? unknown, at, true)
            )
          }
        })
      })
    })
  ).pipe(Layer.provide(HandlingRepository.layer))
}
