/** Keeps the summaries of monitors current. */
import { every } from "@kanmon/core/Recurring"
import { Effect, Layer } from "effect"
import { Summaries } from "./Summaries.ts"

const pollInterval = "5 minutes"

export const layer: Layer.Layer<never, never, Summaries> = Layer.effectDiscard(
  every(
    pollInterval,
    "Measuring the last 24 hours of monitors",
    Effect.flatMap(Summaries, ({ measure }) => measure)
  )
)
