/** Alerts as people handle them: acknowledged, snoozed, resolved. */
import { Schema } from "effect"
import { DeliveryStatus, Trigger } from "./AlertRule.ts"
import { boundedText } from "./BoundedText.ts"
import { Explanation } from "./Explanation.ts"
import {
  AlertId,
  AlertRecordId,
  ChannelId,
  DrillId,
  EscalationPolicyId,
  IntegrationId,
  MonitorId,
  ProjectId,
  RuleId
} from "./Ids.ts"
import { Severity } from "./Severity.ts"
import { Timestamp } from "./Timestamp.ts"

export const AlertStatus = Schema.Literals(["open", "acknowledged", "snoozed", "resolved"])
export type AlertStatus = typeof AlertStatus.Type

/** The ways in which people act on alerts. */
export const PersonKind = Schema.Literals(["user", "key", "link"]).annotate({
  description: "A signed-in person, an API key, or the link in a notification"
})

/** The actor of an alert's acknowledgement, snooze or resolution. */
export const AlertActor = Schema.Struct({
  kind: Schema.Literals([...PersonKind.literals, "integration"]).annotate({
    description: "A signed-in person, an API key, the link in a notification, or the sender of an integration"
  }),
  name: Schema.String.annotate({
    description: "Name of the person, key or integration; for a link, the name of the channel that it was sent to"
  })
})
export type AlertActor = typeof AlertActor.Type

/** Text that somebody leaves with an acknowledgement. */
export const AlertNote = boundedText(2000)

/** How far the escalation of an alert is. */
export const AlertEscalation = Schema.Struct({
  policyId: Schema.NullOr(EscalationPolicyId).annotate({
    description: "The policy, as it was when the alert opened; null: people were only asked for one by one"
  }),
  status: Schema.Literals(["open", "acknowledged", "exhausted", "ended"]).annotate({
    description: "`exhausted`: the last round is over; `ended`: the alert is resolved"
  }),
  held: Schema.Boolean.annotate({ description: "Whether a silence or maintenance holds it" }),
  nextStep: Schema.Int.annotate({
    description: "Number of the step that comes next, counted over all rounds. `POST /alerts/{id}/escalate` names it"
  }),
  step: Schema.NullOr(Schema.Int).annotate({
    description: "The same step by its place in the policy, from 0; null: the round is over, and another one may follow"
  }),
  nextAt: Schema.NullOr(Timestamp).annotate({
    description: "When something happens next, unless somebody answers before; null: nothing does"
  })
}).annotate({ identifier: "AlertEscalation" })
export type AlertEscalation = typeof AlertEscalation.Type

/** Where an alert comes from that no monitor caused. */
export const AlertSource = Schema.Struct({
  integrationId: IntegrationId,
  key: Schema.String.annotate({ description: "What identifies the alert for its sender" }),
  title: Schema.String.annotate({ description: "What its sender calls it" }),
  link: Schema.NullOr(Schema.String).annotate({ description: "Its page at the sender; null without one" }),
  labels: Schema.Record(Schema.String, Schema.String)
}).annotate({ identifier: "AlertSource" })
export type AlertSource = typeof AlertSource.Type

/** One rule, one monitor and one trigger, from the opening to the end; or one alert of an integration. */
export const Alert = Schema.Struct({
  id: AlertRecordId,
  projectId: ProjectId,
  ruleId: Schema.NullOr(RuleId).annotate({ description: "Null for a drill of a policy, which has no rule" }),
  monitorId: Schema.NullOr(MonitorId).annotate({ description: "Null for an alert of an integration, and of a drill" }),
  source: Schema.NullOr(AlertSource).annotate({
    description: "The integration behind it; null for an alert of a monitor, and of a drill"
  }),
  drillId: Schema.NullOr(DrillId).annotate({
    description: "The drill that opened it for practice; null for an alert of something that happened"
  }),
  trigger: Trigger,
  severity: Severity.annotate({
    description:
      "Severity that its rule had when the alert opened; that of the integration's sender, if it states one, and the highest of them"
  }),
  state: AlertStatus.annotate({ description: "`snoozed` until `snoozedUntil`, then `open` again" }),
  reason: Schema.String.annotate({ description: "The failure that opened the alert" }),
  explanation: Schema.NullOr(Explanation).annotate({
    description:
      "The reason as a code and its parameters; null where a plugin, or the sender of the alert, gave a sentence"
  }),
  startedAt: Timestamp.annotate({ description: "When the outage or other condition began" }),
  openedAt: Timestamp,
  resolvedAt: Schema.NullOr(Timestamp).annotate({ description: "Null while the alert is open" }),
  resolvedBy: Schema.NullOr(AlertActor).annotate({
    description: "Who resolved it with `POST /alerts/{alertId}/resolve`; null where it ended by itself"
  }),
  acknowledgedAt: Schema.NullOr(Timestamp),
  acknowledgedBy: Schema.NullOr(AlertActor),
  note: Schema.NullOr(AlertNote).annotate({ description: "Text of the acknowledgement" }),
  snoozedUntil: Schema.NullOr(Timestamp),
  snoozedBy: Schema.NullOr(AlertActor),
  silenced: Schema.Boolean.annotate({ description: "Whether a silence keeps back its notifications" }),
  escalation: Schema.NullOr(AlertEscalation).annotate({
    description: "Its escalation; null where its rule had no policy and no person was asked for help"
  }),
  entries: Schema.Array(
    Schema.Struct({
      id: AlertId,
      channelId: Schema.NullOr(ChannelId),
      status: DeliveryStatus,
      error: Schema.NullOr(Schema.String)
    })
  ).annotate({ description: "Its entries in the alert history, one for each channel" })
}).annotate({ identifier: "Alert" })
export type Alert = typeof Alert.Type
