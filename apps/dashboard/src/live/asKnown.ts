/** Alerts, outages and incidents as they were known at an instant of the past. Pure. */
import type { Alert } from "@kanmon/domain/Alert"
import type { Incident } from "@kanmon/domain/Incident"
import type { OutageRecord } from "@kanmon/protocol/LogBody"

type AlertRecord = typeof Alert.Encoded
type IncidentRecord = typeof Incident.Encoded
type Outage = typeof OutageRecord.Encoded

const isBy = (instant: string | null, at: number): boolean => instant !== null && Date.parse(instant) <= at

/** The alert; undefined before it opened. When somebody snoozed it, and when notifications were sent, is not kept: neither is shown. */
export const alertAt = (alert: AlertRecord, at: number): AlertRecord | undefined => {
  if (!isBy(alert.openedAt, at)) return undefined
  if (isBy(alert.resolvedAt, at)) return alert
  const then = {
    ...alert,
    resolvedAt: null,
    snoozedUntil: null,
    snoozedBy: null,
    silenced: false,
    escalation: null,
    entries: []
  }
  return isBy(alert.acknowledgedAt, at)
    ? { ...then, state: "acknowledged" }
    : { ...then, state: "open", acknowledgedAt: null, acknowledgedBy: null, note: null }
}

/** The outage; undefined before it began. Its alerts and incidents may have come later, so they are not shown while it lasts. */
export const outageAt = (outage: Outage, at: number): Outage | undefined => {
  if (!isBy(outage.startedAt, at)) return undefined
  if (isBy(outage.endedAt, at)) return outage
  return {
    ...outage,
    endedAt: null,
    durationSeconds: (at - Date.parse(outage.startedAt)) / 1000,
    alertIds: [],
    incidentIds: [],
    acknowledgedBy: null
  }
}

/** The incident with the part of its timeline that was written by then; undefined before it was created. */
export const incidentAt = (incident: IncidentRecord, at: number): IncidentRecord | undefined => {
  if (!isBy(incident.createdAt, at)) return undefined
  const updates = incident.updates.filter(({ createdAt }) => isBy(createdAt, at))
  return {
    ...incident,
    updates,
    status: updates[0]?.status ?? "investigating",
    resolvedAt: isBy(incident.resolvedAt, at) ? incident.resolvedAt : null
  }
}

/** Those that were known, as they were. */
export const allAt = <A>(all: ReadonlyArray<A>, asOf: (each: A, at: number) => A | undefined, at: number): Array<A> =>
  all.flatMap((each) => {
    const known = asOf(each, at)
    return known === undefined ? [] : [known]
  })
