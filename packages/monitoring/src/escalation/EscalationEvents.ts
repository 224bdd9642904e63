/** The public events of escalations. Pure. */
import type { PublicEvent } from "@kanmon/domain/PublicEvent"
import { cloudEventHeaders, escalationChanges } from "@kanmon/domain/ServiceEvent"
import * as Subjects from "@kanmon/domain/Subjects"
import { type EpochMillis, toIso } from "@kanmon/domain/Timestamp"
import { type EventPage, type EventSubject, roundOf, type TimelineEntry } from "./EscalationRecords.ts"

/** The event of an entry of the time line; undefined for what `alert.*` tells. */
export const changedEvent = (
  { actor, at, round, step, type }: TimelineEntry,
  subject: EventSubject
): PublicEvent | undefined => {
  const change = escalationChanges.find((one) => one === type)
  if (change === undefined) return undefined
  const data = {
    ...inEvents(subject),
    at: toIso(at),
    round: round ?? null,
    step: step ?? null,
    change,
    by: actor ?? null
  }
  return publicEvent(subject, "changed", `${change}:${round ?? ""}:${step ?? ""}:${at}`, at, data)
}

/** The event of a page: that it is sent, or its outcome. */
export const pageEvent = (
  { cause, channelId, detail, id, outcome, round, step, userId }: EventPage,
  subject: EventSubject,
  at: EpochMillis
): PublicEvent => {
  const data = {
    ...inEvents(subject),
    at: toIso(at),
    round: roundOf({ cause, round }),
    step,
    pageId: id,
    cause,
    userId,
    channelId,
    outcome,
    detail
  }
  const name = outcome === "pending" ? "paged" : "settled"
  return publicEvent(subject, name, `${id}:${outcome}`, at, data)
}

/** The alert with its monitor, or with its integration. */
const inEvents = ({ monitorId, source, ...subject }: EventSubject) =>
  source === null ? { ...subject, monitorId } : { ...subject, source }

const publicEvent = (
  { alertId, projectId, source }: EventSubject,
  name: Subjects.EscalationEventName,
  key: string,
  at: EpochMillis,
  data: object
): PublicEvent => {
  const id = `${alertId}:${name}:${key}`
  const [noun, subjectOf] =
    source === null
      ? (["escalation", Subjects.escalationEvent] as const)
      : (["external-escalation", Subjects.externalEscalationEvent] as const)
  return {
    id,
    subject: subjectOf(projectId, alertId, name),
    headers: cloudEventHeaders({ id, type: `kanmon.${noun}.${name}`, subject: alertId, time: at }),
    payload: JSON.stringify(data)
  }
}
