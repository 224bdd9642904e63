/** Metrics of the outbox. */
import { Metric } from "effect"

/** Age of the oldest outbox message. */
export const outboxAge = Metric.gauge("kanmon_outbox_age_milliseconds", {
  description: "Age of the oldest message waiting for the bus"
})
