/** Windows and incidents on the days of a calendar: where they are drawn, and what a move makes of them. Pure. */
import { dayMillis, dayOf, instantOf, shifted, timeOf, wallOf, weekdayOf } from "./zone.ts"

export type Span = "week" | "month"

/** An entry of the calendar: a window, an incident, or a window of a series that is not scheduled yet. */
export interface Entry {
  readonly key: string
  readonly id: string
  readonly title: string
  /** Milliseconds since the epoch. */
  readonly start: number
  readonly end: number
  readonly tone: "maintenance" | "down" | "quiet"
  readonly isMovable: boolean
  readonly isAhead: boolean
  readonly isSeries: boolean
}

/** The part of an entry on one day, in minutes of its clock. */
export interface Part {
  readonly entry: Entry
  readonly from: number
  readonly to: number
  /** Which of how many columns it stands in, beside what is at the same time. */
  readonly lane: number
  readonly lanes: number
}

const dayMinutes = 1440
/** Shorter parts are drawn this long, to be seen and hit. */
const shortest = 30
const step = 15

const addDays = (day: string, days: number): string => dayOf(shifted(`${day}T12:00`, days))

/** From Monday: a week, or the weeks of a month. */
export const daysOf = (day: string, span: Span): ReadonlyArray<string> => {
  const first = span === "week" ? day : `${day.slice(0, 8)}01`
  const monday = addDays(first, -weekdayOf(first))
  if (span === "week") return Array.from({ length: 7 }, (_, index) => addDays(monday, index))
  const days: Array<string> = []
  for (let at = monday; at.slice(0, 7) <= day.slice(0, 7) || days.length % 7 !== 0; at = addDays(at, 1)) days.push(at)
  return days
}

/** The day that the next or the previous page begins with. */
export const turned = (day: string, span: Span, by: 1 | -1): string => {
  if (span === "week") return addDays(day, 7 * by)
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1 + by]
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10)
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

/** The part of an entry on a day; undefined if it is on other days. */
const partOn = (entry: Entry, day: string, zone: string): Pick<Part, "entry" | "from" | "to"> | undefined => {
  const [start, end] = [wallOf(entry.start, zone), wallOf(entry.end, zone)]
  if (day < dayOf(start) || day > dayOf(end)) return undefined
  const from = day === dayOf(start) ? minutesOf(timeOf(start)) : 0
  const until = day === dayOf(end) ? minutesOf(timeOf(end)) : dayMinutes
  // It ends at midnight, which is of the day before.
  if (until === 0 && day !== dayOf(start)) return undefined
  const to = Math.min(dayMinutes, Math.max(until, from + shortest))
  return { entry, from: Math.min(from, dayMinutes - shortest), to }
}

/** The parts of a day, side by side where they overlap. */
export const partsOn = (entries: ReadonlyArray<Entry>, day: string, zone: string): ReadonlyArray<Part> => {
  const parts = entries
    .flatMap((entry) => partOn(entry, day, zone) ?? [])
    .toSorted((one, other) => one.from - other.from || other.to - one.to)
  const found: Array<Part> = []
  let group: Array<Omit<Part, "lanes">> = []
  let groupEnd = 0
  const close = () => {
    const lanes = Math.max(0, ...group.map(({ lane }) => lane)) + 1
    found.push(...group.map((part) => ({ ...part, lanes })))
    group = []
  }
  for (const part of parts) {
    if (part.from >= groupEnd) close()
    let lane = 0
    while (group.some((other) => other.lane === lane && other.to > part.from)) lane++
    groupEnd = group.length === 0 ? part.to : Math.max(groupEnd, part.to)
    group.push({ ...part, lane })
  }
  close()
  return found
}

export interface Times {
  readonly start: number
  readonly end: number
}

/** A window moved on the clock: it stays as long as it was, also over a change of the clocks. */
export const movedBy = ({ end, start }: Times, days: number, minutes: number, zone: string): Times => {
  const from = instantOf(shifted(wallOf(start, zone), days, minutes), zone)
  return { start: from, end: from + (end - start) }
}

/** A window with a moved end; it stays at least a quarter of an hour long. */
export const resizedBy = ({ end, start }: Times, minutes: number): Times => ({
  start,
  end: Math.max(start + step * 60_000, end + minutes * 60_000)
})

/** Minutes in steps of a quarter of an hour. */
export const snapped = (minutes: number): number => Math.round(minutes / step) * step

/** The instants that the days of a page lie between. */
export const rangeOf = (days: ReadonlyArray<string>, zone: string): { readonly from: number; readonly to: number } => ({
  from: instantOf(`${days[0]!}T00:00`, zone),
  to: instantOf(`${addDays(days.at(-1)!, 1)}T00:00`, zone)
})

/** How far before a page a record may have been created that is drawn on it. */
export const lookBack = 90 * dayMillis
