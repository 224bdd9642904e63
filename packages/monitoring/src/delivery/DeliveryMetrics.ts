/** Metrics of deliveries. */
import { Effect, Metric } from "effect"

/** Delivery attempts, by `type` of the channel and `outcome`: delivered, retrying, failed. */
export const deliveries = Metric.counter("kanmon_deliveries", {
  description: "Attempts to deliver a notification, by channel type and outcome: delivered, retrying, failed",
  incremental: true
})

/** Initialises the failures to 0; otherwise Prometheus `rate()` misses the first one. */
export const beginDeliveries = (types: Iterable<string>): Effect.Effect<void> =>
  Effect.forEach(types, (type) => Metric.update(Metric.withAttributes(deliveries, { type, outcome: "failed" }), 0), {
    discard: true
  })

/** Notifications waiting for delivery, including retries. */
export const deliveriesPending = Metric.gauge("kanmon_deliveries_pending", {
  description: "Notifications waiting for delivery"
})
