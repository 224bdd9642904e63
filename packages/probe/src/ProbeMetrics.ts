/** The probe's metrics, by name. */
import { Metric } from "effect"

/** Completed checks, by `status`. */
export const checks = Metric.counter("kanmon_checks", {
  description: "Completed checks, by status",
  incremental: true
})

/** Slots that were skipped because the previous check was still running or the probe was late. */
export const skipped = Metric.counter("kanmon_slots_skipped", {
  description: "Slots that were skipped",
  incremental: true
})

/** Observations dropped because a buffer was full. */
export const dropped = Metric.counter("kanmon_observations_dropped", {
  description: "Observations dropped because a buffer was full",
  incremental: true
})

/** Observations waiting for the bus. */
export const buffered = Metric.gauge("kanmon_observations_buffered", {
  description: "Observations waiting for the bus"
})

/** Monitors assigned to this probe. */
export const monitors = Metric.gauge("kanmon_monitors_watched", {
  description: "Monitors checked by this probe"
})

/** Milliseconds between the planned and the actual start of a check. */
export const lag = Metric.histogram("kanmon_schedule_lag_milliseconds", {
  description:
    "Delay between the planned and the actual start of checks; a check that catches up on a missed slot is planned for when it is caught up",
  boundaries: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000]
})

/** Checks still queued when the next one was due. */
export const saturated = Metric.counter("kanmon_checks_saturated", {
  description: "Checks that this probe had no capacity for",
  incremental: true
})

/** Checks that crashed or did not return. */
export const defects = Metric.counter("kanmon_check_defects", {
  description: "Checks that crashed or did not return",
  incremental: true
})

/** Monitors quarantined after five defects in a row. */
export const quarantined = Metric.gauge("kanmon_monitors_quarantined", {
  description: "Monitors that are not checked because their check keeps crashing, or blocked the process twice"
})

/** Monitors that no plugin of this probe supports. */
export const unusable = Metric.gauge("kanmon_monitors_unusable", {
  description: "Monitors with a type or settings that this probe's plugins do not support"
})

/** 1 while this probe is offline and failures are reported as unknown. */
export const offline = Metric.gauge("kanmon_probe_offline", {
  description: "1 while this probe has no network connection"
})
