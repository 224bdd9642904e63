/** The probe's metrics, by name. */
import { Metric } from "effect"

/** Checks that ended, by `status`. */
export const checks = Metric.counter("kanmon_checks", { description: "Checks that ended", incremental: true })

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
