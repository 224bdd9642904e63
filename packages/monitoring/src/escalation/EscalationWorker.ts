/** Runs the steps of escalations when they are due. */
import { every } from "@kanmon/core/Recurring"
import { DueWork } from "@kanmon/platform/DueWork"
import { Effect, Layer } from "effect"
import { isEscalationDue } from "./EscalationRepository.ts"
import { Escalations } from "./Escalations.ts"

export const layer: Layer.Layer<never, never, DueWork | Escalations> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { watch } = yield* DueWork
    const { runDue, wakeCovered } = yield* Escalations
    yield* watch(isEscalationDue, "Running steps of escalations", runDue)
    yield* every("10 seconds", "Looking for escalations that silences and maintenance hold", wakeCovered)
  })
)
