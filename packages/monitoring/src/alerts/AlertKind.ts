/** Messages about alerts, as delivery takes them. Pure. */
import type { Notice } from "@kanmon/core/Notice"
import type { Trigger } from "@kanmon/domain/AlertRule"
import { toIso } from "@kanmon/domain/Timestamp"
import type { Message } from "../delivery/index.ts"

/** The kind of subject that alerts are. */
export const alertKind = "alert"

/**
 * The topic of messages about an outage, whichever rules cause them. An alert of an integration has one rule, and is one topic; the
 * alerts of a drill are one. */
export const topicOf = (
  { alertId, drill, monitor, startedAt }: Pick<Notice, "alertId" | "drill" | "monitor" | "startedAt">,
  trigger: Trigger
): string => {
  if (drill === true) return `${monitor.id} drill`
  return trigger === "external" ? `${alertId} external` : `${monitor.id} ${trigger} ${toIso(startedAt)}`
}

/** A message about an alert. One outage is one topic, whichever rules and channels tell of it. */
export const alertMessage = (
  message: Pick<Message, "id" | "entryId" | "to" | "projectId" | "purpose" | "trace">,
  notice: Omit<Notice, "id">,
  trigger: Trigger,
  resendEvery: number
): Message => ({
  ...message,
  about: { kind: alertKind, id: notice.alertId },
  topic: topicOf(notice, trigger),
  // The first notice about another certificate does not wait.
  resendEvery: message.purpose === "repeat" && notice.reminder ? resendEvery : 0,
  notice: { ...notice, id: message.id }
})
