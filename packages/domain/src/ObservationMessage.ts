/**
 * Encodes an observation as a bus message, and decodes it. Partly hand-written because it runs for every check; a test
 * compares it with the schema.
 */
import { Option, Schema } from "effect"
import { Observation, observationId } from "./Observation.ts"
import { cloudEventHeaders } from "./ServiceEvent.ts"
import { phase, slotStart } from "./Slots.ts"
import * as Subjects from "./Subjects.ts"
import { parseTimestamp, toIso } from "./Timestamp.ts"

export interface ObservationMessage {
  /** The observation's id. The publisher derives an unpredictable message id from it. */
  readonly id: string
  readonly subject: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload: string
}

/** `intervalMillis` is the monitor's interval; it tells an on-demand check from the scheduled one of the same slot. */
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
      facts: observation.facts,
      ...(observation.capture === undefined ? {} : { capture: observation.capture })
    })
  }
}

/** An observation with its timestamps as texts: parsing them by hand halves the cost. */
const Payload = Schema.Struct({
  ...Observation.fields,
  scheduledAt: Schema.String,
  checkedAt: Schema.String,
  finishedAt: Schema.optionalKey(Schema.String)
})
const decodePayload = Schema.decodeUnknownOption(Payload)

/** The observation of a message's payload; undefined when it is not one. */
export const read = (payload: string): Observation | undefined => {
  const decoded = Option.getOrUndefined(decodePayload(parseJson(payload)))
  if (decoded === undefined) return undefined
  const { finishedAt: finished, ...observation } = decoded
  const scheduledAt = parseTimestamp(decoded.scheduledAt)
  const checkedAt = parseTimestamp(decoded.checkedAt)
  if (scheduledAt === undefined || checkedAt === undefined) return undefined
  if (finished === undefined) return { ...observation, scheduledAt, checkedAt }
  const finishedAt = parseTimestamp(finished)
  return finishedAt === undefined ? undefined : { ...observation, scheduledAt, checkedAt, finishedAt }
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
