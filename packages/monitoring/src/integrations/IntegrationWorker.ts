/** Ends alerts that their senders stopped sending, and notices integrations that fell silent. */
import { DueWork } from "@kanmon/platform/DueWork"
import { Effect, Layer } from "effect"
import { ExternalAlerts, isExternalEndDue } from "../alerts/index.ts"
import { Inbound } from "./Inbound.ts"
import { isQuietDue } from "./IntegrationRepository.ts"

/** Repeats a batch until there is nothing more to do. */
const drained = (batch: Effect.Effect<number>) => Effect.repeat(batch, { until: (count) => count === 0 })

export const layer = (baseUrl: string): Layer.Layer<never, never, DueWork | ExternalAlerts | Inbound> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { watch } = yield* DueWork
      const { resolveDue } = yield* ExternalAlerts
      const { noticeSilence } = yield* Inbound
      yield* watch(isExternalEndDue, "Resolving alerts that are not sent any more", drained(resolveDue))
      yield* watch(isQuietDue, "Looking for silent integrations", drained(noticeSilence(baseUrl)))
    })
  )
