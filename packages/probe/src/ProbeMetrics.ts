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

/** Observations that were lost because a buffer was full. */
export const dropped = Metric.counter("kanmon_observations_dropped", {
  description: "Observations dropped because a buffer was full",
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

/** Milliseconds between the instant a check was planned for and the instant it began. */
export const lag = Metric.histogram("kanmon_schedule_lag_milliseconds", {
  description:
    "How much later than planned checks begin; one that makes up for a missed slot is planned for when it is made up",
  boundaries: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000]
})

/** Checks that had no turn before the next one was due. */
export const saturated = Metric.counter("kanmon_checks_saturated", {
  description: "Checks that this probe had no room for",
  incremental: true
})

/** Checks that crashed or did not come back. */
export const defects = Metric.counter("kanmon_check_defects", {
  description: "Checks that crashed or did not come back",
  incremental: true
})

/** Monitors that are not checked after five defects in a row. */
export const quarantined = Metric.gauge("kanmon_monitors_quarantined", {
  description: "Monitors that are not checked because their check keeps crashing"
})

/** Monitors that no plugin here can watch. */
export const unusable = Metric.gauge("kanmon_monitors_unusable", {
  description: "Monitors whose type or settings no plugin here understands"
})

/** 1 while this probe is offline, so that failures are reported as unknown. */
export const offline = Metric.gauge("kanmon_probe_offline", {
  description: "1 while this probe has no network connection"
})
