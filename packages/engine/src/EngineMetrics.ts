/** The engine's metrics, by name. */
import { Effect, Metric } from "effect"

/** Observations that were stored and judged. */
export const observationsJudged = Metric.counter("kanmon_observations_judged", {
  description: "Observations stored and judged",
  incremental: true
})

/** Observations that were left out, by `reason`: repeated, orphaned (no monitor of that project and region), or a `Refusal`. */
export const observationsLeftOut = Metric.counter("kanmon_observations_left_out", {
  description:
    "Observations that were not judged, by reason: repeated, orphaned (no monitor of that project and region), misplaced (not what the subject says), ahead (dated in the future), outdated, inconsistent, oversized, malformed",
  incremental: true
})

/** Monitors without results for three intervals and their timeout. */
export const stale = Metric.gauge("kanmon_monitors_stale", {
  description: "Monitors that should have had a result by now, and have not"
})

/** Status changes, by `status`. */
export const statusChanges = Metric.counter("kanmon_status_changes", {
  description: "Entries written to the time lines of monitors, by status",
  incremental: true
})

/** Milliseconds from the end of the observation's way over the bus to its verdict's commit, by batch. */
export const batchDuration = Metric.histogram("kanmon_judge_batch_milliseconds", {
  description: "Duration of one judging transaction",
  boundaries: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000]
})

/** Age of the oldest outbox message. */
export const outboxAge = Metric.gauge("kanmon_outbox_age_milliseconds", {
  description: "Age of the oldest message that waits for the bus"
})

/** Attempts to deliver a notice, by `type` of the channel and `outcome`: delivered, retrying, failed. */
export const deliveries = Metric.counter("kanmon_deliveries", {
  description: "Attempts to deliver a notice, by type of the channel and outcome: delivered, retrying, failed",
  incremental: true
})

/** Says of each type that nothing has failed so far: who reads a counter sees a first step only when it began at 0. */
export const beginDeliveries = (types: Iterable<string>): Effect.Effect<void> =>
  Effect.forEach(types, (type) => Metric.update(Metric.withAttributes(deliveries, { type, outcome: "failed" }), 0), {
    discard: true
  })

/** Notices that wait for their delivery, those that are tried again included. */
export const deliveriesPending = Metric.gauge("kanmon_deliveries_pending", {
  description: "Notices that wait for their delivery"
})
