/**
 * The shifts of a schedule, computed from its layers, its overrides and the absences of people. One function serves
 * previews, "now", calendars, notifications and pages, so they agree. Pure.
 */
import type { OverrideId, UserId } from "./Ids.ts"
import { dayMillis, type Zone, zoneOf } from "./LocalTime.ts"
import type { EpochMillis } from "./Timestamp.ts"
import { turnsOf } from "./OnCallRotation.ts"
import type { Layer, Override, Schedule } from "./OnCallSchedule.ts"
import { common, joined, type Span, without } from "./Spans.ts"
import { spansOf } from "./WeeklyWindows.ts"

/** A shift. Final shifts of a window follow each other without gaps between them: where no one is on call, `userId` is null. */
export interface Shift extends Span {
  readonly userId: UserId | null
  /** The index of the layer that decides; null for overrides, and where no layer has anybody. */
  readonly layer: number | null
  readonly overrideId: OverrideId | null
}

/** When a person is not there: away, or from when they left the organization or may no longer respond. */
export type Absences = ReadonlyMap<UserId, ReadonlyArray<Span>>

/** A schedule with what changes it. */
export interface Reckoning {
  readonly schedule: Schedule
  /** In the order of their creation. */
  readonly overrides: ReadonlyArray<Override>
  readonly absences: Absences
}

/** Longest window that is reckoned. */
export const longestWindow = 400 * 86_400_000

/** The shifts of a window. */
export interface Shifts {
  /** They partition the window; adjacent ones of the same person and source are one. */
  readonly final: ReadonlyArray<Shift>
  /** The shifts of each layer by itself, without overrides. */
  readonly layers: ReadonlyArray<ReadonlyArray<Shift>>
  /** The hours of coverage in which no one is on call. */
  readonly gaps: ReadonlyArray<Span>
}

/** The shifts of `[from, to)`, at most {@link longestWindow}. The schedule's time zone exists. */
export const shiftsBetween = (
  { absences, overrides, schedule }: Reckoning,
  from: EpochMillis,
  to: EpochMillis
): Shifts => {
  const zone = zoneOf(schedule.timezone)!
  const window = { from, to }
  const present = (userId: UserId, span: Span): ReadonlyArray<Span> =>
    without([span], joined(absences.get(userId) ?? []))

  const layers = schedule.layers.map((layer, index) =>
    cut(
      layerSpans(layer, zone, window).flatMap(({ userId, ...span }) =>
        present(userId, span).map((part): Shift => ({ ...part, userId, layer: index, overrideId: null }))
      ),
      window
    )
  )
  const nobody: Shift = { ...window, userId: null, layer: null, overrideId: null }
  const fromLayers = layers.reduce((below, layer) => overlaid(below, layer, () => true), [
    nobody
  ] as ReadonlyArray<Shift>)
  const final = overrides.reduce((below, override) => {
    const { id, replaces, userId } = override
    const parts = userId === null ? joined([override]) : present(userId, override)
    return overlaid(
      below,
      parts.map((part): Shift => ({ from: part.from, to: part.to, userId, layer: null, overrideId: id })),
      (shift) => replaces === undefined || shift.userId === replaces
    )
  }, fromLayers)

  const merged = adjoined(final)
  const empty = merged.filter(({ userId }) => userId === null)
  const covered = schedule.coverage === undefined ? [window] : spansOf(schedule.coverage, zone, from, to)
  return { final: merged, layers: layers.map(adjoined), gaps: common(joined(empty), covered) }
}

/** A layer's turns in the hours of its restrictions. */
const layerSpans = (layer: Layer, zone: Zone, { from, to }: Span): ReadonlyArray<Span & { userId: UserId }> => {
  const turns = turnsOf(layer, zone, from, to)
  if (layer.restrictions === undefined) return turns
  const hours = spansOf(layer.restrictions, zone, from, to)
  let index = 0
  return turns.flatMap(({ userId, ...turn }) => {
    while (index < hours.length && hours[index]!.to <= turn.from) index++
    let end = index
    while (end < hours.length && hours[end]!.from < turn.to) end++
    return common([turn], hours.slice(index, end)).map((span) => ({ ...span, userId }))
  })
}

const cut = (shifts: ReadonlyArray<Shift>, { from, to }: Span): ReadonlyArray<Shift> =>
  shifts.flatMap((shift) => {
    const part = { ...shift, from: Math.max(shift.from, from), to: Math.min(shift.to, to) }
    return part.from < part.to ? [part] : []
  })

/** Shifts that partition a window, with others laid over those that they may replace. Both are in order. */
const overlaid = (
  below: ReadonlyArray<Shift>,
  above: ReadonlyArray<Shift>,
  mayReplace: (shift: Shift) => boolean
): ReadonlyArray<Shift> => {
  if (above.length === 0) return below
  const result: Array<Shift> = []
  let next = 0
  for (const shift of below) {
    while (next < above.length && above[next]!.to <= shift.from) next++
    if (!mayReplace(shift)) {
      result.push(shift)
      continue
    }
    let begin = shift.from
    for (let index = next; index < above.length && above[index]!.from < shift.to; index++) {
      const top = above[index]!
      if (begin < top.from) result.push({ ...shift, from: begin, to: top.from })
      const from = Math.max(begin, top.from)
      begin = Math.min(shift.to, top.to)
      result.push({ ...top, from, to: begin })
    }
    if (begin < shift.to) result.push({ ...shift, from: begin })
  }
  return result
}

type Source = Pick<Shift | NamedShift | Handoff, "userId" | "layer" | "overrideId">

/** Whether the same person is on call from the same source. */
const isSame = (one: Source | undefined, other: Source): boolean =>
  one !== undefined && one.userId === other.userId && one.layer === other.layer && one.overrideId === other.overrideId

/** The same with one shift for adjacent ones of the same person and source. */
export const adjoined = <S extends Shift | NamedShift>(shifts: ReadonlyArray<S>): ReadonlyArray<S> => {
  const result: Array<S> = []
  for (const shift of shifts) {
    const last = result.at(-1)
    if (last?.to === shift.from && isSame(last, shift)) result[result.length - 1] = { ...last, to: shift.to }
    else result.push(shift)
  }
  return result
}

/**
 * A window in parts, each of which takes little time to reckon: shifts are the same in every part of a window, so that other
 * work can go on between the parts of a long one.
 */
export const partsOf = ({ overrides, schedule }: Reckoning, { from, to }: Span): ReadonlyArray<Span> => {
  const windows = schedule.layers.reduce((sum, { restrictions = [] }) => sum + restrictions.length, 0)
  const turns = schedule.layers.reduce((sum, layer) => sum + turnsPerDay(layer), 0)
  const perDay = 1 + windows + (schedule.coverage?.length ?? 0) + turns * (1 + overrides.length / 100)
  const length = Math.min(longestPart, Math.max(1, Math.floor(edgesPerPart / perDay))) * dayMillis
  const parts: Array<Span> = []
  for (let start = from; start < to; start += length) parts.push({ from: start, to: Math.min(to, start + length) })
  return parts
}

/** Edges of turns and hours are what takes time. */
const edgesPerPart = 2000
/** In days. */
const longestPart = 64

const turnsPerDay = ({ rotation: { every, unit } }: Layer): number => (unit === "hour" ? 24 / every : 1)

/** The shifts of a window from those of its parts. */
export const joinedParts = (parts: ReadonlyArray<Shifts>): Shifts => ({
  final: adjoined(parts.flatMap(({ final }) => final)),
  layers: (parts[0]?.layers ?? []).map((_, index) => adjoined(parts.flatMap(({ layers }) => layers[index]!))),
  gaps: joined(parts.flatMap(({ gaps }) => gaps))
})

/** The person on call at an instant, and the next one. */
export interface OnCall {
  readonly userId: UserId | null
  /** When this person's time ends, over all of their adjacent shifts; null if not within 400 days. */
  readonly until: EpochMillis | null
  /** The next person after that; null if there is none within 400 days. */
  readonly next: { readonly userId: UserId; readonly from: EpochMillis } | null
}

/** The person on call at the beginning of consecutive shifts. */
export const onCallIn = (final: ReadonlyArray<Shift>): OnCall => {
  const userId = final[0]?.userId ?? null
  const ends = final.find((shift) => shift.userId !== userId)
  const next = final.find((shift) => shift.userId !== null && shift.userId !== userId)
  return {
    userId,
    until: ends?.from ?? null,
    next: next === undefined ? null : { userId: next.userId!, from: next.from }
  }
}

/** A change of who is on call, as it was recorded when it happened. */
export interface Handoff {
  readonly at: EpochMillis
  readonly userId: UserId | null
  /** The name of the layer that decided. */
  readonly layer: string | null
  readonly overrideId: OverrideId | null
}

/** A shift with the name of its layer. */
export interface NamedShift extends Span, Omit<Handoff, "at"> {}

/** Shifts with the names of the layers that decide them. */
export const named = (shifts: ReadonlyArray<Shift>, layers: Schedule["layers"]): ReadonlyArray<NamedShift> =>
  shifts.map((shift) => ({ ...shift, layer: shift.layer === null ? null : layers[shift.layer]!.name }))

/** The shifts of `[from, to)` that handoffs, in their order, have recorded. There is no shift of anybody before the first one. */
export const recordedShifts = (handoffs: ReadonlyArray<Handoff>, { from, to }: Span): ReadonlyArray<NamedShift> => {
  const first: Handoff = { at: Number.NEGATIVE_INFINITY, userId: null, layer: null, overrideId: null }
  return [first, ...handoffs].flatMap(({ at, ...one }, index) => {
    const span = { from: Math.max(from, at), to: Math.min(to, handoffs[index]?.at ?? to) }
    return span.from < span.to ? [{ ...one, ...span }] : []
  })
}

/** The handoffs in named shifts that follow each other, after the last one that was recorded. */
export const handoffsIn = (shifts: ReadonlyArray<NamedShift>, last: Handoff | undefined): ReadonlyArray<Handoff> => {
  const found: Array<Handoff> = []
  for (const shift of shifts) {
    const { from, layer, overrideId, userId } = shift
    if (!isSame(found.at(-1) ?? last, shift)) found.push({ at: from, userId, layer, overrideId })
  }
  return found
}
