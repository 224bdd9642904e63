/** An observation as a message on the bus. Built by hand: it is made for every check. A test holds it against the schema. */
import { type Observation, observationId } from "./Observation.ts"
import { cloudEventHeaders } from "./ServiceEvent.ts"
import { phase, slotStart } from "./Slots.ts"
import * as Subjects from "./Subjects.ts"
import { toIso } from "./Timestamp.ts"

export interface ObservationMessage {
  /** The observation's. Whoever publishes it makes a message id of it that others cannot predict. */
  readonly id: string
  readonly subject: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload: string
}

/** `intervalMillis` is the monitor's: a check asked for by hand is told from its slot's own by it. */
export const message = (observation: Observation, intervalMillis: number): ObservationMessage => {
  const due = slotStart(observation.slot, phase(observation.monitorId, intervalMillis), intervalMillis)
  const id = observationId(observation, due)
  return {
    id,
    subject: Subjects.check(observation),
    headers: cloudEventHeaders({
      id,
      type: "kanmon.check.observed",
      subject: observation.monitorId,
      time: observation.checkedAt
    }),
    payload: JSON.stringify({
      monitorId: observation.monitorId,
      projectId: observation.projectId,
      region: observation.region,
      slot: observation.slot,
      scheduledAt: toIso(observation.scheduledAt),
      checkedAt: toIso(observation.checkedAt),
      ...(observation.finishedAt === undefined ? {} : { finishedAt: toIso(observation.finishedAt) }),
      status: observation.status,
      responseTime: observation.responseTime,
      timing: observation.timing,
      failure: observation.failure,
      facts: observation.facts
    })
  }
}
