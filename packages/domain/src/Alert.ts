/** Alerts as people handle them: acknowledged, snoozed, resolved. */
import { Schema } from "effect"
import { DeliveryStatus, Trigger } from "./AlertRule.ts"
import { boundedText } from "./BoundedText.ts"
import { AlertId, AlertRecordId, ChannelId, EscalationPolicyId, MonitorId, ProjectId, RuleId } from "./Ids.ts"
import { Severity } from "./Severity.ts"
import { Timestamp } from "./Timestamp.ts"

export const AlertStatus = Schema.Literals(["open", "acknowledged", "snoozed", "resolved"])
export type AlertStatus = typeof AlertStatus.Type

/** The actor of an alert's acknowledgement, snooze or resolution. */
export const AlertActor = Schema.Struct({
  kind: Schema.Literals(["user", "key", "link"]).annotate({
    description: "A signed-in person, an API key, or the link in a notification"
  }),
  name: Schema.String.annotate({
    description: "Name of the person or key; for a link, the name of the channel that it was sent to"
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

/** One rule, one monitor and one trigger, from the opening to the end. */
export const Alert = Schema.Struct({
  id: AlertRecordId,
  projectId: ProjectId,
  ruleId: RuleId,
  monitorId: MonitorId,
  trigger: Trigger,
  severity: Severity.annotate({ description: "Severity that its rule had when the alert opened" }),
  state: AlertStatus.annotate({ description: "`snoozed` until `snoozedUntil`, then `open` again" }),
  reason: Schema.String.annotate({ description: "The failure that opened the alert" }),
  startedAt: Timestamp.annotate({ description: "When the outage or other condition began" }),
  openedAt: Timestamp,
  resolvedAt: Schema.NullOr(Timestamp).annotate({ description: "Null while the alert is open" }),
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
