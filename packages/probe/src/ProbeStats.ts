/**
 * Probe statistics: counts reports of actors and transfers them to the metrics periodically, because updating a metric
 * costs more than adding a number.
 */
import type { Counts } from "@kanmon/core/Supervisor"
import type { Observation } from "@kanmon/domain/Observation"
import { Effect, Metric } from "effect"
import type { Outbound } from "./Outbound.ts"
import * as Metrics from "./ProbeMetrics.ts"

export interface ProbeStats {
  /** A check began this late; `intervalMillis` is its monitor's interval. */
  readonly began: (lagMillis: number, intervalMillis: number) => void
  readonly add: (observation: Observation) => void
  readonly skip: (slots: number) => void
  readonly defect: () => void
  /** A result was dropped before it reached the buffer. */
  readonly lose: () => void
  /** Whether a check of the last minute started late by more than its monitor's interval. */
  readonly isLate: () => boolean
  /** Updates the metrics; called once a second. */
  readonly publish: (counts: Counts, outbound: Outbound) => Effect.Effect<void>
}

/** Rounds that lateness is remembered for, once or twice over. */
const lateRounds = 30
/** Maximum lags kept per round. The metric is a distribution, so further ones change little, and memory is bounded. */
const maxLags = 10_000

export const make = (): ProbeStats => {
  let byStatus: Record<string, number> = {}
  let skipped = 0
  let saturated = 0
  let defects = 0
  let lost = 0
  let dropped = 0
  let lags: Array<number> = []
  let late = false
  let wasLate = false
  let rounds = 0

  return {
    began: (lagMillis, intervalMillis) => {
      if (lags.length < maxLags) lags.push(lagMillis)
      if (lagMillis > intervalMillis) late = true
    },
    add: ({ failure, status }) => {
      byStatus[status] = (byStatus[status] ?? 0) + 1
      if (failure?.code === "probe_saturated") saturated++
    },
    skip: (slots) => {
      skipped += slots
    },
    defect: () => {
      defects++
    },
    lose: () => {
      lost++
    },
    isLate: () => late || wasLate,
    publish: (counts, outbound) =>
      Effect.gen(function* () {
        const fromBuffer = outbound.dropped() - dropped
        const taken = { byStatus, lags, skipped, saturated, defects, dropped: lost + fromBuffer }
        byStatus = {}
        lags = []
        skipped = saturated = defects = lost = 0
        dropped += fromBuffer
        if (++rounds % lateRounds === 0) {
          wasLate = late
          late = false
        }
        for (const [status, count] of Object.entries(taken.byStatus)) {
          yield* Metric.update(Metric.withAttributes(Metrics.checks, { status }), count)
        }
        for (const lag of taken.lags) yield* Metric.update(Metrics.lag, lag)
        yield* Metric.update(Metrics.skipped, taken.skipped)
        yield* Metric.update(Metrics.saturated, taken.saturated)
        yield* Metric.update(Metrics.defects, taken.defects)
        yield* Metric.update(Metrics.dropped, taken.dropped)
        yield* Metric.update(Metrics.buffered, outbound.size())
        yield* Metric.update(Metrics.monitors, counts.monitors)
        yield* Metric.update(Metrics.quarantined, counts.quarantined)
        yield* Metric.update(Metrics.unusable, counts.unusable)
      })
  }
}
