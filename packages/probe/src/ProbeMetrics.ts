/** The probe's metrics, by name. */
import { Metric } from "effect"

/** Checks that ended, by `status`. */
export const checks = Metric.counter("kanmon_checks", {
  description: "Checks that ended, by status",
  incremental: true
})

/** Slots that were not run because the one before had not ended, or the probe came too late. */
export const skipped = Metric.counter("kanmon_slots_skipped", {
  description: "Slots that were skipped",
  incremental: true
})

/** Observations that were lost because the buffer was full. */
export const dropped = Metric.counter("kanmon_observations_dropped", {
  description: "Observations dropped from a full buffer",
  incremental: true
})

/** Observations that wait for the bus. */
export const buffered = Metric.gauge("kanmon_observations_buffered", {
  description: "Observations that wait for the bus"
})

/** Monitors that are watched here. */
export const monitors = Metric.gauge("kanmon_monitors_watched", {
  description: "Monitors that are watched by this probe"
})

/** Milliseconds between the instant a check was due and the instant it began. */
export const lag = Metric.histogram("kanmon_schedule_lag_milliseconds", {
  description: "How late checks begin",
  boundaries: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000]
})

/** Checks that had no turn before the next one was due. */
export const saturated = Metric.counter("kanmon_checks_saturated", {
  description: "Checks that this probe had no room for",
  incremental: true
})

/** Checks that failed by their own fault. */
export const defects = Metric.counter("kanmon_check_defects", {
  description: "Checks that failed by their own fault",
  incremental: true
})

/** Monitors that rest after five defects in a row. */
export const quarantined = Metric.gauge("kanmon_monitors_quarantined", {
  description: "Monitors that rest because their check fails by its own fault"
})

/** Monitors that no plugin here can watch. */
export const unusable = Metric.gauge("kanmon_monitors_unusable", {
  description: "Monitors whose type or settings no plugin here understands"
})

/** 1 while this probe cannot see, so that failures are reported as unknown. */
export const blind = Metric.gauge("kanmon_probe_blind", {
  description: "1 while this probe cannot see anything"
})
