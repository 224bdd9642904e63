/**
 * Which observations the engine believes. Pure. A probe's key may be stolen and its clock may be wrong, so an observation
 * says only what its sender may say: the subject, which the bus allows by permission, decides about region, project and
 * monitor; the dates must fit each other and the engine's clock; and it must fit into the database.
 */
import { partitionOf, readCheck } from "./Subjects.ts"
import { aheadMillis, type Observation } from "./Observation.ts"
import { inbox } from "./Heartbeat.ts"
import { phase, slotOf } from "./Slots.ts"
import { dayMillis, type EpochMillis } from "./Timestamp.ts"

/**
 * Why an observation is left out.
 * - `malformed`: it cannot be read, or cannot be stored.
 * - `oversized`: it is larger than any probe sends.
 * - `misplaced`: its subject says something else than it does.
 * - `inconsistent`: its dates do not fit each other, or its slot.
 * - `ahead`: it is dated in the future.
 * - `outdated`: it is older than what is kept.
 */
export type Refusal = "malformed" | "oversized" | "misplaced" | "inconsistent" | "ahead" | "outdated"

/** Characters of an observation. The largest true one, a heartbeat's with a message of control characters, has about half. */
const payloadLimit = 131_072
/** Characters of the failure's code and message. Probes cut messages at 1,000. */
const failureLimit = 4096
/** Arrays and objects within each other. Deeper ones would exhaust the stack of those who read them, and the database's. */
const depthLimit = 64

/** Whether the payload may be parsed. `malformed` also where its text holds what PostgreSQL refuses: NUL, half a surrogate pair. */
export const refusedText = (payload: string): Refusal | undefined =>
  payload.length > payloadLimit ? "oversized" : isDeep(payload) || hasUnstorableText(payload) ? "malformed" : undefined

const isDeep = (json: string): boolean => {
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

/** JSON escapes what is meant here; whole surrogate pairs are sent as they are. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i
const hasUnstorableText = (json: string): boolean => unstorable.test(json)

export interface AdmissionSettings {
  /** The engine's clock. */
  readonly now: EpochMillis
  /** Older observations are deleted anyway. */
  readonly retentionMillis: number
}

/** Why an observation that came on this subject is left out; undefined when it is believed. */
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
  if (failure !== null && failure.code.length + failure.message.length > failureLimit) return "oversized"
  if (![responseTime ?? 0, ...Object.values(timing)].every((millis) => millis >= 0 && millis <= lastingMillis))
    return "inconsistent"
  const interval = intervalOf(observation)
  if (interval === undefined) return "inconsistent"
  if (Math.max(scheduledAt, checkedAt, finishedAt) > now + Math.min(interval, aheadMillis)) return "ahead"
  if (scheduledAt < now - retentionMillis) return "outdated"
  // A check begins in its slot, or soon after it when it waited for its turn.
  const late = checkedAt - scheduledAt
  if (late < -interval || late > 2 * interval || Math.abs(finishedAt - checkedAt) > longestMillis) return "inconsistent"
  return undefined
}

/**
 * Whether an observation can be one of this monitor's: it is of the monitor's project, and comes from one of its regions; that
 * of a passive monitor from the inbox alone.
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

/** No check takes longer: the largest timeout, and what a process may stand still. */
const longestMillis = 3_600_000
/** No job runs longer between its signals. Larger numbers would overflow the sums of response times. */
const lastingMillis = 366 * dayMillis

const shortestInterval = 10_000

/**
 * The interval by which the observation's due time lies in its slot, whatever the monitor's is by now; undefined when there is
 * none. The slot of a passive monitor's observation is the instant itself.
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
