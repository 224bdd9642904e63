/** Metrics of evaluations. */
import { Metric } from "effect"

/** Evaluated observations. */
export const observationsJudged = Metric.counter("kanmon_observations_judged", {
  description: "Observations stored and evaluated",
  incremental: true
})

/** Discarded observations, by `reason`: repeated, orphaned (no monitor of that project and region), or a `Refusal`. */
export const observationsLeftOut = Metric.counter("kanmon_observations_left_out", {
  description:
    "Observations that were discarded, by reason: repeated, orphaned (no monitor of that project and region), misplaced (does not match the subject), ahead (dated in the future), outdated, inconsistent, oversized, malformed",
  incremental: true
})

/** Monitors without results for three intervals and their timeout. */
export const stale = Metric.gauge("kanmon_monitors_stale", {
  description: "Monitors with overdue results"
})

/** Status changes, by `status`. */
export const statusChanges = Metric.counter("kanmon_status_changes", {
  description: "Entries written to the status histories of monitors, by status",
  incremental: true
})

/** Milliseconds from receiving a batch of observations to the commit of its evaluation. */
export const batchDuration = Metric.histogram("kanmon_judge_batch_milliseconds", {
  description: "Duration of an evaluation transaction",
  boundaries: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000]
})
