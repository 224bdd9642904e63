/** The draft of a maintenance window and its conversion to the request. Pure. */
import type { Incident } from "@kanmon/domain/Incident"
import { type Recurrence, recurrenceOf, ruleOf, weekly } from "./recurrence.ts"
import { dayOf, instantOf, shifted, type WallTime, wallOf, weekdayOf } from "./zone.ts"

type IncidentRecord = typeof Incident.Encoded

export const repeats = ["no", "day", "week", "month", "year", "custom"] as const

export interface Draft {
  readonly start: WallTime
  readonly end: WallTime
  readonly zone: string
  readonly repeat: (typeof repeats)[number]
  readonly recurrence: Recurrence
  /** The text of a rule that the form has no fields for. */
  readonly rule: string
}

const isWall = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text)

const hour = 60

/** The days of a week and of a month on which a window begins, as the fields of a recurrence. */
const daysOf = (start: WallTime): Pick<Recurrence, "days" | "monthDay" | "nth" | "weekday"> => {
  const weekday = weekdayOf(dayOf(start))
  const monthDay = Number(start.slice(8, 10))
  const nth = Math.ceil(monthDay / 7)
  return { days: [weekday], weekday, monthDay, nth: nth > 4 ? -1 : nth }
}

/** The draft with another beginning. Days of the recurrence that are those of the old beginning follow it; chosen ones stay. */
export const begun = (draft: Draft, start: WallTime): Draft => {
  if (!isWall(start) || !isWall(draft.start)) return { ...draft, start }
  const [before, after] = [daysOf(draft.start), daysOf(start)]
  const { days, monthDay, nth, weekday } = draft.recurrence
  const isNth = nth === before.nth && weekday === before.weekday
  return {
    ...draft,
    start,
    recurrence: {
      ...draft.recurrence,
      days: days.join() === before.days.join() ? after.days : days,
      monthDay: monthDay === before.monthDay ? after.monthDay : monthDay,
      nth: isNth ? after.nth : nth,
      weekday: isNth ? after.weekday : weekday
    }
  }
}

/** The next full hour, for an hour. */
export const newDraft = (now: number, zone: string): Draft => {
  const start = `${wallOf(now + 3_600_000, zone).slice(0, 13)}:00`
  return {
    start,
    end: shifted(start, 0, hour),
    zone,
    repeat: "no",
    recurrence: { ...weekly, ...daysOf(start) },
    rule: ""
  }
}

export const draftOf = (
  { recurrence: rule, scheduledEnd, scheduledStart, timezone }: IncidentRecord,
  own: string,
  now: number
): Draft => {
  if (scheduledStart === null || scheduledEnd === null) return newDraft(now, own)
  const zone = timezone ?? own
  const from = Date.parse(scheduledStart)
  const [start, end] = [wallOf(from, zone), wallOf(Date.parse(scheduledEnd), zone)]
  const base = { ...newDraft(from - 3_600_000, zone), start, end }
  if (rule === null) return base
  const recurrence = recurrenceOf(rule, from, zone)
  return recurrence === undefined
    ? { ...base, repeat: "custom", rule }
    : { ...base, repeat: recurrence.every, recurrence, rule }
}

export interface Span {
  readonly start: number
  readonly end: number
  /** The beginning is a time that the clocks skip. */
  readonly shift: "skipped" | undefined
}

/** The instants of a window; undefined until both times are typed. */
export const spanOf = ({ end, start, zone }: Pick<Draft, "start" | "end" | "zone">): Span | undefined => {
  if (!isWall(start) || !isWall(end)) return undefined
  const from = instantOf(start, zone)
  return { start: from, end: instantOf(end, zone), shift: wallOf(from, zone) === start ? undefined : "skipped" }
}

/** The recurrence of the chosen rhythm. */
export const recurrenceIn = ({ recurrence, repeat }: Draft): Recurrence | undefined =>
  repeat === "no" || repeat === "custom" ? undefined : { ...recurrence, every: repeat }

/** The fields of a request. An unchanged window keeps its exact instants, because the form shows no seconds. */
export const windowOf = (draft: Draft, before?: { readonly draft: Draft; readonly incident: IncidentRecord }) => {
  const span = spanOf(draft)
  const read = recurrenceIn(draft)
  const recurrence = draft.repeat === "no" ? null : read === undefined ? draft.rule : ruleOf(read, draft.zone)
  const isSame = before !== undefined && JSON.stringify(before.draft) === JSON.stringify(draft)
  if (isSame) {
    const { recurrence, scheduledEnd, scheduledStart, timezone } = before.incident
    return { scheduledStart, scheduledEnd, recurrence, timezone }
  }
  return {
    scheduledStart: span === undefined ? null : new Date(span.start).toISOString(),
    scheduledEnd: span === undefined ? null : new Date(span.end).toISOString(),
    recurrence,
    timezone: recurrence === null ? null : draft.zone
  }
}
