/**
 * The id of a stored check: the id that its observation has on the bus. The interval that the monitor had then is not stored;
 * it follows from the slot and the due time, so the id stays the same when the interval changes.
 */
import { inbox } from "./Region.ts"
import { type Observation, observationId } from "./Observation.ts"
import { phase, slotStart } from "./Slots.ts"
import { dayMillis, type EpochMillis } from "./Timestamp.ts"

/** The fields that identify a check. */
export type CheckKey = Pick<Observation, "monitorId" | "region" | "slot" | "scheduledAt">

/** An id in its parts. Without `scheduledAt` the check was due at the beginning of its slot. */
export interface CheckIdParts {
  readonly monitorId: string
  readonly region: string
  readonly slot: number
  readonly scheduledAt?: EpochMillis
}

const shortestInterval = 10_000
const step = 1000

/** The intervals, in milliseconds, that put the beginning of the slot into `[from, to]`. */
function* intervals({ monitorId, slot }: CheckIdParts, from: EpochMillis, to: EpochMillis): Generator<number> {
  if (slot <= 0) return
  const longest = Math.min(dayMillis, Math.floor(to / slot / step) * step)
  const shortest = Math.max(shortestInterval, Math.ceil(from / (slot + 1) / step) * step)
  for (let interval = longest; interval >= shortest; interval -= step) {
    const begins = slotStart(slot, phase(monitorId, interval), interval)
    if (begins >= from && begins <= to) yield interval
  }
}

/** The id of a check: `monitorId:region:slot`, with the due time after it when the check was not the scheduled one of its slot. */
export const checkIdOf = (check: CheckKey): string => {
  const { region, scheduledAt, slot } = check
  const isScheduled = region === inbox ? slot === scheduledAt : !intervals(check, scheduledAt, scheduledAt).next().done
  return observationId(check, isScheduled ? scheduledAt : Number.NaN)
}

const pattern = /^(mon_[0-9A-Za-z]{1,64}):([a-z0-9-]{1,64}):(\d{1,15})(?::(\d{1,15}))?$/

/** The parts of an id; undefined for a text that is none. */
export const parseCheckId = (text: string): CheckIdParts | undefined => {
  const [, monitorId, region, slot, scheduledAt] = pattern.exec(text) ?? []
  if (monitorId === undefined || region === undefined) return undefined
  return {
    monitorId,
    region,
    slot: Number(slot),
    ...(scheduledAt === undefined ? {} : { scheduledAt: Number(scheduledAt) })
  }
}

/** When the check of an id may have been due, within `[from, to]`: a few instants, one for each interval it can have had. */
export const dueTimes = (parts: CheckIdParts, from: EpochMillis, to: EpochMillis): ReadonlyArray<EpochMillis> => {
  const { monitorId, region, scheduledAt, slot } = parts
  const exact = scheduledAt ?? (region === inbox ? slot : undefined)
  if (exact !== undefined) return exact >= from && exact <= to ? [exact] : []
  return [...intervals(parts, from, to)].map((interval) => slotStart(slot, phase(monitorId, interval), interval))
}
