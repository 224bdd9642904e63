/** Hours of the week, in local time: restrictions and coverage of schedules, and quiet hours. */
import { Schema } from "effect"
import { patternText } from "./BoundedText.ts"
import { type Day, dayMillis, dayOf, type Zone } from "./LocalTime.ts"
import type { EpochMillis } from "./Timestamp.ts"
import { joined, type Span } from "./Spans.ts"
import { instantOf } from "./WallClock.ts"

/** From Monday on, as ISO 8601 counts. */
export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const
export const Weekday = Schema.Literals(weekdays)
export type Weekday = typeof Weekday.Type

/** A time of day, to the minute. */
export const TimeOfDay = patternText(5, /^(?:[01]\d|2[0-3]):[0-5]\d$/, "Expected a time of day such as 09:00")

/** The same, and the end of the day. */
export const EndOfWindow = patternText(
  5,
  /^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/,
  "Expected a time of day such as 17:00, at most 24:00"
)

/** Hours of some days. With `from` later than `to` they end on the next day. */
export const WeeklyWindow = Schema.Struct({
  weekdays: Schema.Array(Weekday)
    .check(Schema.isBetweenLength(1, 7))
    .annotate({ description: "The days on which the hours begin" }),
  from: TimeOfDay,
  to: EndOfWindow.annotate({ description: "End of the hours; earlier than `from`: on the next day" })
}).check(
  Schema.makeFilter(({ from, to }) => (from === to ? "Expected hours: `from` and `to` are the same" : undefined))
)
export type WeeklyWindow = typeof WeeklyWindow.Type

/** Most windows of one list. */
export const maxWindows = 50

/** Milliseconds since midnight. */
export const millisOfDay = (time: string): number => (Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))) * 60_000

/** The weekday of a local day. */
// 1970-01-01 was a Thursday.
export const weekdayOf = (day: Day): Weekday => weekdays[(((day + 3) % 7) + 7) % 7]!

/** A window that begins on a day: its beginning and end as local times. */
export const wallOf = ({ from, to }: Pick<WeeklyWindow, "from" | "to">, day: Day): Span => {
  const begin = day * dayMillis + millisOfDay(from)
  const end = day * dayMillis + millisOfDay(to)
  return { from: begin, to: end > begin ? end : end + dayMillis }
}

/** The spans of the windows that touch `[from, to)`; they are not cut at its edges. */
export const spansOf = (
  windows: ReadonlyArray<WeeklyWindow>,
  zone: Zone,
  from: EpochMillis,
  to: EpochMillis
): ReadonlyArray<Span> => {
  const found: Array<Span> = []
  // Windows that cross midnight began a day earlier, and a change of clocks may move an edge by another one.
  for (let day = dayOf(zone, from) - 2; day <= dayOf(zone, to) + 1; day++)
    for (const window of windows) {
      if (!window.weekdays.includes(weekdayOf(day))) continue
      const wall = wallOf(window, day)
      found.push({ from: instantOf(zone, wall.from), to: instantOf(zone, wall.to) })
    }
  return joined(found).filter((span) => span.to > from && span.from < to)
}
