/** The subjects of alerts. */
import { Schema } from "effect"

/** The conditions that a rule can alert on: `external` is an alert of an integration, all others are about monitors. */
export const Trigger = Schema.Literals([
  "monitor_down",
  "monitor_degraded",
  "monitor_stale",
  "ssl_expiring",
  "ssl_expired",
  "ssl_invalid",
  "domain_expiring",
  "domain_expired",
  "external"
])
export type Trigger = typeof Trigger.Type
