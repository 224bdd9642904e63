/**
 * Who is on call: the shifts of a schedule, from its layers, its overrides and the absences of people. One function answers
 * previews, "now", calendars, notices and pages, so they agree. Pure.
 */
import type { UserId } from "./Ids.ts"
import { type Zone, zoneOf } from "./LocalTime.ts"
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
  readonly overrideId: string | null
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

/** The same with one shift for adjacent ones of the same person and source. */
const adjoined = (shifts: ReadonlyArray<Shift>): ReadonlyArray<Shift> => {
  const result: Array<Shift> = []
  for (const shift of shifts) {
    const last = result.at(-1)
    const isSame =
      last !== undefined &&
      last.to === shift.from &&
      last.userId === shift.userId &&
      last.layer === shift.layer &&
      last.overrideId === shift.overrideId
    if (isSame) result[result.length - 1] = { ...last, to: shift.to }
    else result.push(shift)
  }
  return result
}

/** Who is on call at an instant, and who comes next. */
export interface OnCall {
  readonly userId: UserId | null
  /** When this person's time ends, over all of their adjacent shifts; null if not within 400 days. */
  readonly until: EpochMillis | null
  /** The next person after that; null if there is none within 400 days. */
  readonly next: { readonly userId: UserId; readonly from: EpochMillis } | null
}

/** The windows that are looked at in turn: most schedules need the first only. */
const horizons = [14 * 86_400_000, longestWindow]

/** Who is on call at an instant. */
export const onCallAt = (reckoning: Reckoning, at: EpochMillis): OnCall => {
  let found: OnCall = { userId: null, until: null, next: null }
  for (const horizon of horizons) {
    const { final } = shiftsBetween(reckoning, at, at + horizon)
    const [now] = final
    const userId = now?.userId ?? null
    const ends = final.find((shift) => shift.userId !== userId)
    const next = final.find((shift) => shift.userId !== null && shift.userId !== userId)
    found = {
      userId,
      until: ends?.from ?? null,
      next: next === undefined ? null : { userId: next.userId!, from: next.from }
    }
    if (found.next !== null) return found
  }
  return found
}
