/** Where shifts are drawn on days, and who has which colour and initials. Pure. */
import type { FiguresSearch } from "./figuresSearch.ts"

/** Milliseconds since the epoch. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** A part of a track: percentages of its width. */
export interface Placed<A> {
  readonly item: A
  readonly start: number
  readonly width: number
  /** It goes on before, or after, what is shown. */
  readonly isCutBefore: boolean
  readonly isCutAfter: boolean
}

interface Timed {
  readonly from: string
  readonly to: string
}

/** The items that touch a span, in per cent of it. */
export const placed = <A extends Timed>(items: ReadonlyArray<A>, { from, to }: Span): ReadonlyArray<Placed<A>> =>
  items.flatMap((item) => {
    const [begin, end] = [Date.parse(item.from), Date.parse(item.to)]
    if (end <= from || begin >= to) return []
    const [first, last] = [Math.max(begin, from), Math.min(end, to)]
    return [
      {
        item,
        start: ((first - from) / (to - from)) * 100,
        width: ((last - first) / (to - from)) * 100,
        isCutBefore: begin < from,
        isCutAfter: end > to
      }
    ]
  })

/** Where an instant is in a span, in per cent; undefined outside. */
export const positionOf = (at: number, { from, to }: Span): number | undefined =>
  at < from || at >= to ? undefined : ((at - from) / (to - from)) * 100

const dayPattern = /^\d{4}-\d{2}-\d{2}$/

/** A day of the reader's calendar as text, `2026-11-20`. */
export const dayText = (at: number): string => {
  const date = new Date(at)
  const two = (number: number) => String(number).padStart(2, "0")
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** The first and the last day of a period. */
export const daysOf = (
  { days, from, to }: FiguresSearch,
  now: number
): { readonly from: string; readonly to: string } => {
  if (from !== undefined && to !== undefined) return { from, to }
  const first = new Date(now)
  first.setDate(first.getDate() - (days ?? 30) + 1)
  return { from: dayText(first.getTime()), to: dayText(now) }
}

/** Whole days in the reader's time zone, as the request has them. */
export const instantsOf = ({ from, to }: { readonly from: string; readonly to: string }) => ({
  from: new Date(`${from}T00:00:00`).toISOString(),
  to: new Date(`${to}T23:59:59.999`).toISOString()
})

/** The midnight that begins a day of the reader's clock, so many days later. */
const midnight = (at: number, days = 0): number => {
  const date = new Date(at)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime()
}

/** The midnight that begins the day of a text; that of `now` where it is none. */
const beginOf = (day: string | undefined, now: number): number => {
  if (day === undefined || !dayPattern.test(day)) return midnight(now)
  const at = new Date(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1, Number(day.slice(8))).getTime()
  return Number.isFinite(at) ? at : midnight(now)
}

const mondayBefore = (at: number): number => midnight(at, -((new Date(at).getDay() + 6) % 7))

/** The midnights of so many days, and the one that ends the last of them: days are 23 or 25 hours long where clocks change. */
export const daysFrom = (first: number, count: number): ReadonlyArray<number> =>
  Array.from({ length: count + 1 }, (_, index) => midnight(first, index))

/** The edges of two weeks, from the Monday before a day. */
export const twoWeeks = (day: string | undefined, now: number): ReadonlyArray<number> =>
  daysFrom(mondayBefore(beginOf(day, now)), 14)

/** The edges of the weeks of a month, from Monday to Sunday. */
export const monthWeeks = (day: string | undefined, now: number): ReadonlyArray<ReadonlyArray<number>> => {
  const date = new Date(beginOf(day, now))
  const [year, month] = [date.getFullYear(), date.getMonth()]
  const end = new Date(year, month + 1, 1).getTime()
  const weeks: Array<ReadonlyArray<number>> = []
  for (let at = mondayBefore(new Date(year, month, 1).getTime()); at < end; at = midnight(at, 7))
    weeks.push(daysFrom(at, 7))
  return weeks
}

/** The day that the next or the previous page begins with. */
export const turned = (day: string | undefined, now: number, view: "weeks" | "month", by: 1 | -1): string => {
  const begin = beginOf(day, now)
  if (view === "weeks") return dayText(midnight(mondayBefore(begin), 14 * by))
  const date = new Date(begin)
  return dayText(new Date(date.getFullYear(), date.getMonth() + by, 1).getTime())
}

export const spanOf = (edges: ReadonlyArray<number>): Span => ({ from: edges[0]!, to: edges.at(-1)! })

/** How a person looks on a track. */
export interface Badge {
  /** 1 to 5, as the series of charts. */
  readonly series: number
  /** One to three characters, its own among those that are shown. */
  readonly initials: string
}

const series = 5

/** The first letters of the first and the last word. */
const initialsOf = (name: string): string => {
  const words = name.trim().split(/\s+/).filter(Boolean)
  const letters = (words.length > 1 ? [words[0]!, words.at(-1)!] : words).map((word) => [...word][0] ?? "")
  return letters.join("").toUpperCase() || "?"
}

/** Colours in the order of the people. People with equal initials get a number behind them. */
export const badgesOf = (
  people: ReadonlyArray<{ readonly id: string; readonly name: string }>
): ReadonlyMap<string, Badge> => {
  const badges = new Map<string, Badge>()
  const taken = new Map<string, number>()
  for (const { id, name } of people) {
    if (badges.has(id)) continue
    const initials = initialsOf(name)
    const count = (taken.get(initials) ?? 0) + 1
    taken.set(initials, count)
    badges.set(id, {
      series: (badges.size % series) + 1,
      initials: count === 1 ? initials : `${initials}${count}`
    })
  }
  return badges
}

/** Everybody in a schedule, those of its layers first. */
export const peopleIn = (
  layers: ReadonlyArray<{ readonly participants: ReadonlyArray<{ readonly userId: string }> }>,
  shifts: ReadonlyArray<{ readonly userId: string | null }>
): ReadonlyArray<string> => [
  ...new Set([
    ...layers.flatMap(({ participants }) => participants.map(({ userId }) => userId)),
    ...shifts.flatMap(({ userId }) => userId ?? [])
  ])
]
