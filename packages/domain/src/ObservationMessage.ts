/**
 * Encodes an observation as a bus message, and decodes it. Partly hand-written because it runs for every check; a test
 * compares it with the schema.
 */
import { Option, Schema } from "effect"
import { compiled } from "./CompiledSchema.ts"
import { type Facts, Observation, observationId } from "./Observation.ts"
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

const { capture: captureField, facts: _facts, ...parts } = Observation.fields

/** An observation without facts and capture, and with its timestamps as texts: parsing them by hand halves the cost. */
const Core = compiled(
  Schema.Struct({
    ...parts,
    scheduledAt: Schema.String,
    checkedAt: Schema.String,
    finishedAt: Schema.optionalKey(Schema.String)
  })
)
const decodeCore = Schema.decodeUnknownOption(Core)
const decodeCapture = Schema.decodeUnknownOption(Schema.Struct({ capture: captureField }))

/** The observation of a message's payload; undefined when it is not one. */
export const read = (payload: string): Observation | undefined => {
  const json = parseJson(payload)
  const core = Option.getOrUndefined(decodeCore(json))
  if (core === undefined) return undefined
  const { facts } = json as { readonly facts?: unknown }
  if (!isJsonObject(facts)) return undefined
  const scheduledAt = parseTimestamp(core.scheduledAt)
  const checkedAt = parseTimestamp(core.checkedAt)
  if (scheduledAt === undefined || checkedAt === undefined) return undefined
  const finishedAt = core.finishedAt === undefined ? undefined : parseTimestamp(core.finishedAt)
  if (finishedAt === undefined && core.finishedAt !== undefined) return undefined
  const capture = "capture" in (json as object) ? Option.getOrUndefined(decodeCapture(json)) : {}
  if (capture === undefined) return undefined
  const { monitorId, projectId, region, slot, status, responseTime, timing, failure } = core
  const observation = {
    monitorId,
    projectId,
    region,
    slot,
    scheduledAt,
    checkedAt,
    status,
    responseTime,
    timing,
    failure
  }
  return finishedAt === undefined
    ? { ...observation, facts, ...capture }
    : { ...observation, finishedAt, facts, ...capture }
}

const isJsonObject = (value: unknown): value is Facts =>
  typeof value === "object" && value !== null && !Array.isArray(value) && hasFiniteNumbers(value)

/** Parsed JSON is what the schema takes for JSON, unless a number is too large for one. */
const hasFiniteNumbers = (value: unknown): boolean => {
  if (typeof value === "number") return Number.isFinite(value)
  if (typeof value !== "object" || value === null) return true
  for (const key in value) if (!hasFiniteNumbers((value as Readonly<Record<string, unknown>>)[key])) return false
  return true
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
