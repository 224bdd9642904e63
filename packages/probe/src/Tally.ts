/** Counts as the actors report, and hands the counts to the metrics now and then: a metric's update costs more than a sum. */
import type { Counts } from "@kanmon/core/Supervisor"
import type { Observation } from "@kanmon/domain/Observation"
import { Effect, Metric } from "effect"
import type { Outbound } from "./Outbound.ts"
import * as Metrics from "./ProbeMetrics.ts"

export interface Tally {
  readonly add: (observation: Observation) => void
  readonly skip: (slots: number) => void
  readonly defect: () => void
  /** The largest schedule lag of the last minute or so, in milliseconds. */
  readonly lag: () => number
  /** Brings the metrics up to date; to be called once a second. */
  readonly publish: (counts: Counts, outbound: Outbound) => Effect.Effect<void>
}

/** Rounds of {@link Tally.publish} that the worst lag is remembered for, once or twice over. */
const lagRounds = 30

export const make = (): Tally => {
  let byStatus: Record<string, number> = {}
  let skipped = 0
  let saturated = 0
  let defects = 0
  let dropped = 0
  let lags: Array<number> = []
  let worst = 0
  let worstBefore = 0
  let rounds = 0

  return {
    add: ({ checkedAt, failure, scheduledAt, status }) => {
      byStatus[status] = (byStatus[status] ?? 0) + 1
      if (failure?.code === "probe_saturated") saturated++
      lags.push(checkedAt - scheduledAt)
    },
    skip: (slots) => {
      skipped += slots
    },
    defect: () => {
      defects++
    },
    lag: () => Math.max(worst, worstBefore),
    publish: (counts, outbound) =>
      Effect.gen(function* () {
        const taken = { byStatus, lags, skipped, saturated, defects, dropped: outbound.dropped() - dropped }
        byStatus = {}
        lags = []
        skipped = saturated = defects = 0
        dropped += taken.dropped
        if (++rounds % lagRounds === 0) {
          worstBefore = worst
          worst = 0
        }
        for (const [status, count] of Object.entries(taken.byStatus)) {
          yield* Metric.update(Metric.withAttributes(Metrics.checks, { status }), count)
        }
        for (const lag of taken.lags) {
          if (lag > worst) worst = lag
          yield* Metric.update(Metrics.lag, lag)
        }
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
