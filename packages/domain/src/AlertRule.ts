/** Alert rules, and entries of the alert history. */
import { Schema } from "effect"
import { AlertId, ChannelId, EscalationPolicyId, IntegrationId, MonitorId, ProjectId, RuleId } from "./Ids.ts"
import { Key } from "./Key.ts"
import { Name } from "./Monitor.ts"
import { Severity } from "./Severity.ts"
import { Tags } from "./Tag.ts"
import { Timestamp } from "./Timestamp.ts"
import { Trigger } from "./Trigger.ts"

export { Trigger } from "./Trigger.ts"

/** The triggers of the rule that every new project has. */
export const expiryTriggers: ReadonlyArray<Trigger> = [
  "ssl_expiring",
  "ssl_expired",
  "ssl_invalid",
  "domain_expiring",
  "domain_expired"
]

export const AlertRule = Schema.Struct({
  id: RuleId,
  projectId: ProjectId,
  key: Schema.NullOr(Key),
  name: Name,
  /** With `tags` empty too: every monitor of the project. */
  monitorIds: Schema.Array(MonitorId),
  /** The rule also watches the monitors that carry any of them. */
  tags: Tags,
  /** Empty: every channel of the project; with an escalation policy, none. */
  channelIds: Schema.Array(ChannelId),
  /** The policy by which people are told until somebody answers. */
  escalationPolicyId: Schema.NullOr(EscalationPolicyId),
  /** Its key, by which files name it; null for a policy without one, too. */
  escalationPolicyKey: Schema.NullOr(Key),
  /** The first of `triggers`. */
  trigger: Trigger,
  triggers: Schema.Array(Trigger),
  /** Failures in a row before the alert opens. */
  consecutiveFailures: Schema.Int,
  /** Minutes between reminders while the alert is open; 0: none. */
  resendEvery: Schema.Int,
  /** Severity of the alerts that it opens. */
  severity: Severity,
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "AlertRule" })
export type AlertRule = typeof AlertRule.Type

/** Delivery status of an entry's notifications. */
export const DeliveryStatus = Schema.Literals(["pending", "delivered", "failed"])
export type DeliveryStatus = typeof DeliveryStatus.Type

/** One alert on one channel. */
export const AlertHistoryEntry = Schema.Struct({
  id: AlertId,
  ruleId: RuleId,
  monitorId: Schema.NullOr(MonitorId).annotate({ description: "Null for an alert of an integration" }),
  source: Schema.NullOr(
    Schema.Struct({ integrationId: IntegrationId, key: Schema.String, title: Schema.String })
  ).annotate({ description: "The integration behind it; null for an alert of a monitor" }),
  /** Null when the rule had no channel. */
  channelId: Schema.NullOr(ChannelId),
  type: Trigger,
  severity: Severity,
  triggeredAt: Timestamp,
  /** Null while the alert is open. */
  resolvedAt: Schema.NullOr(Timestamp),
  status: DeliveryStatus,
  error: Schema.NullOr(Schema.String)
}).annotate({ identifier: "AlertHistoryEntry" })
export type AlertHistoryEntry = typeof AlertHistoryEntry.Type
