/**
 * Decides the alerts of monitors that waited for the next checks of those that they depend on, as soon as these were made or the
 * wait is over: see domain/DependencyHold.
 */
import { Clock, Effect, Layer } from "effect"
import { HoldRepository, isHoldDue } from "../alerts/index.ts"
import { DueWork } from "@kanmon/platform/DueWork"
import { Evaluation } from "./Evaluation.ts"

const page = 500

/** Reviews the monitors that need not wait any longer; returns their number. */
export const look = Effect.gen(function* () {
  const holds = yield* HoldRepository
  const evaluation = yield* Evaluation
  const done = yield* holds.findDone(yield* Clock.currentTimeMillis, page)
  yield* evaluation.reviewAlerts(done)
  return done.length
})

export const layer: Layer.Layer<never, never, DueWork | Evaluation | HoldRepository> = Layer.effectDiscard(
  Effect.flatMap(DueWork, ({ watch }) => watch(isHoldDue, "Review of alerts that waited for dependencies", look))
)
