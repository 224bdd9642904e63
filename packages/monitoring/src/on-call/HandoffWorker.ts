/** Records the handoffs of on-call schedules when they happen. */
import { Effect, Layer } from "effect"
import { DueWork } from "@kanmon/platform/DueWork"
import { Handoffs } from "./Handoffs.ts"
import { isHandoffDue } from "./ScheduleRepository.ts"

export const layer: Layer.Layer<never, never, DueWork | Handoffs> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { watch } = yield* DueWork
    const { recordDue } = yield* Handoffs
    yield* watch(isHandoffDue, "Recording handoffs of on-call schedules", recordDue)
  })
)
