/**
 * Decides which observations the engine accepts. Pure. A probe's key may be stolen and its clock may be wrong, so an
 * observation is checked against its subject (which the bus restricts by permission), against the engine's clock, and
 * against what the database can store.
 */
import { partitionOf, readCheck } from "./Subjects.ts"
import { aheadMillis, type Failure, type Observation, type Timing } from "./Observation.ts"
import { inbox } from "./Heartbeat.ts"
import { phase, slotOf } from "./Slots.ts"
import { dayMillis, type EpochMillis } from "./Timestamp.ts"

/**
 * Why an observation is rejected.
 * - `malformed`: it cannot be parsed or stored.
 * - `oversized`: it is larger than anything a probe sends.
 * - `misplaced`: its region, project or monitor differs from its subject's.
 * - `inconsistent`: its timestamps contradict each other or its slot.
 * - `ahead`: it is dated in the future.
 * - `outdated`: it is older than the retention period.
 */
export type Refusal = "malformed" | "oversized" | "misplaced" | "inconsistent" | "ahead" | "outdated"

/** Characters of an observation. The largest valid one, a heartbeat's with a message of control characters, has about half. */
const payloadLimit = 131_072
/** Characters of the failure's code and message. Probes cut messages at 1,000. */
const failureLimit = 4096
/** Nesting depth of arrays and objects. Deeper JSON would exhaust the stack of consumers and of the database. */
const depthLimit = 64

/**
 * Rejects a payload before it is parsed. It is `malformed` when its text holds what PostgreSQL refuses: NUL or half a
 * surrogate pair.
 */
export const refusedText = (payload: string): Refusal | undefined =>
  payload.length > payloadLimit ? "oversized" : isDeep(payload) || hasUnstorableText(payload) ? "malformed" : undefined

const isDeep = (json: string): boolean => {
  if (!hasMany(json, depthLimit)) return false
  let depth = 0
  let quoted = false
  for (let index = 0; index < json.length; index++) {
    const char = json.charCodeAt(index)
    if (quoted) {
      if (char === 0x5c) index++
      else if (char === 0x22) quoted = false
    } else if (char === 0x22) quoted = true
    else if (char === 0x7b || char === 0x5b) {
      if (++depth > depthLimit) return true
    } else if (char === 0x7d || char === 0x5d) depth--
  }
  return false
}

/** Whether more arrays and objects than this begin in the text, or seem to. Tells of nearly every observation that it is flat. */
const hasMany = (json: string, most: number): boolean => {
  let count = 0
  for (const open of ["{", "["])
    for (let at = json.indexOf(open); at >= 0; at = json.indexOf(open, at + 1)) if (++count > most) return true
  return false
}

/** Matches JSON escapes only; a complete surrogate pair is sent unescaped. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i
const hasUnstorableText = (json: string): boolean => json.includes("\\u") && unstorable.test(json)

export interface AdmissionSettings {
  /** The engine's clock. */
  readonly now: EpochMillis
  /** Older observations are rejected: they would be deleted anyway. */
  readonly retentionMillis: number
}

const sizeOf = ({ code, explanation, message }: Failure): number =>
  code.length + message.length + (explanation === undefined ? 0 : JSON.stringify(explanation).length)

/** Why an observation received on this subject is rejected; undefined when it is accepted. */
export const refused = (
  observation: Observation,
  subject: string,
  { now, retentionMillis }: AdmissionSettings
): Refusal | undefined => {
  const { checkedAt, failure, finishedAt = checkedAt, monitorId, projectId, region } = observation
  const { responseTime, scheduledAt, timing } = observation
  const place = readCheck(subject)
  if (
    place === undefined ||
    place.region !== region ||
    place.projectId !== projectId ||
    place.monitorId !== monitorId ||
    place.partition !== partitionOf(monitorId)
  )
    return "misplaced"
  if (failure !== null && sizeOf(failure) > failureLimit) return "oversized"
  if (!isLasting(responseTime ?? 0)) return "inconsistent"
  for (const stage in timing) if (!isLasting(timing[stage as keyof Timing] ?? 0)) return "inconsistent"
  const interval = intervalOf(observation)
  if (interval === undefined) return "inconsistent"
  if (Math.max(scheduledAt, checkedAt, finishedAt) > now + Math.min(interval, aheadMillis)) return "ahead"
  if (scheduledAt < now - retentionMillis) return "outdated"
  // A check begins in its slot, or soon after it if it had to queue.
  const late = checkedAt - scheduledAt
  if (late < -interval || late > 2 * interval || Math.abs(finishedAt - checkedAt) > longestMillis) return "inconsistent"
  return undefined
}

/**
 * Whether an observation can belong to this monitor: its project matches and its region is one of the monitor's. A passive
 * monitor accepts observations from the inbox only.
 */
export const isOf = (
  monitor: {
    readonly projectId: string
    readonly passive: boolean
    readonly regions: ReadonlyArray<string>
  },
  { projectId, region }: Pick<Observation, "projectId" | "region">
): boolean =>
  monitor.projectId === projectId &&
  (monitor.passive
    ? region === inbox
    : region !== inbox && (monitor.regions.length === 0 || monitor.regions.includes(region)))

/** The longest possible check: the largest timeout plus a generous process stall. */
const longestMillis = 3_600_000
/** The longest possible job. Larger numbers would overflow the sums of response times. */
const lastingMillis = 366 * dayMillis
const isLasting = (millis: number): boolean => millis >= 0 && millis <= lastingMillis

const shortestInterval = 10_000

/**
 * Finds an interval that puts the due time into the observation's slot, independent of the monitor's present interval;
 * undefined if there is none. For a passive monitor the slot is the instant itself.
 */
const intervalOf = ({ monitorId, region, scheduledAt, slot }: Observation): number | undefined => {
  if (region === inbox) return slot === scheduledAt ? dayMillis : undefined
  if (slot <= 0) return undefined
  const longest = Math.min(dayMillis, Math.floor(scheduledAt / slot / 1000) * 1000)
  const shortest = Math.max(shortestInterval, Math.floor(scheduledAt / (slot + 2)))
  for (let interval = longest; interval >= shortest; interval -= 1000) {
    if (slotOf(scheduledAt, phase(monitorId, interval), interval) === slot) return interval
  }
  return undefined
}
