/** Alerts as people handle them: acknowledged, snoozed, resolved. */
import { Schema } from "effect"
import { DeliveryStatus, Trigger } from "./AlertRule.ts"
import { boundedText } from "./BoundedText.ts"
import { AlertId, AlertRecordId, ChannelId, MonitorId, ProjectId, RuleId } from "./Ids.ts"
import { Severity } from "./Severity.ts"
import { Timestamp } from "./Timestamp.ts"

export const AlertStatus = Schema.Literals(["open", "acknowledged", "snoozed", "resolved"])
export type AlertStatus = typeof AlertStatus.Type

/** Who handled an alert. */
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

/** One rule, one monitor and one trigger, from the opening to the end. */
export const Alert = Schema.Struct({
  id: AlertRecordId,
  projectId: ProjectId,
  ruleId: RuleId,
  monitorId: MonitorId,
  trigger: Trigger,
  severity: Severity.annotate({ description: "Severity that its rule had when the alert opened" }),
  state: AlertStatus.annotate({ description: "`snoozed` until `snoozedUntil`, then `open` again" }),
  reason: Schema.String.annotate({ description: "What failed when the alert opened" }),
  startedAt: Timestamp.annotate({ description: "When the outage or other condition began" }),
  openedAt: Timestamp,
  resolvedAt: Schema.NullOr(Timestamp).annotate({ description: "Null while the alert is open" }),
  acknowledgedAt: Schema.NullOr(Timestamp),
  acknowledgedBy: Schema.NullOr(AlertActor),
  note: Schema.NullOr(AlertNote).annotate({ description: "Text of the acknowledgement" }),
  snoozedUntil: Schema.NullOr(Timestamp),
  snoozedBy: Schema.NullOr(AlertActor),
  silenced: Schema.Boolean.annotate({ description: "Whether a silence keeps back its notifications" }),
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
