/** Begins drills when they are due, and ends those that are answered or exhausted. */
import { DueWork } from "@kanmon/platform/DueWork"
import { Effect, Layer } from "effect"
import { isDrillDue } from "./DrillRepository.ts"
import { Drills } from "./Drills.ts"

export const layer = (baseUrl: string): Layer.Layer<never, never, DueWork | Drills> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { watch } = yield* DueWork
      const { runDue } = yield* Drills
      yield* watch(isDrillDue, "Beginning and ending drills", runDue(baseUrl))
    })
  )
