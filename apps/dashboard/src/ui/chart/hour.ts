/** The values and the line of the small picture of an hour. Pure. */
import { gathered, gridOf, type Point, quantileOf, type Span } from "./series.ts"

/** The size of the picture, in its own units. */
export const wide = 240
export const high = 48

const step = 60

/** What is known of a minute: the response time, null where nothing answered, undefined where nothing was checked. */
export type Minute = number | null | undefined

/** The median of each minute. */
export const minutesOf = (points: ReadonlyArray<Point>, span: Span): ReadonlyArray<Minute> => {
  const grid = gridOf(span, step)
  const checked = new Set(points.map(({ at }) => Math.floor((at - grid[0]!) / step)))
  return gathered(points, grid, step).map((found, minute) => (checked.has(minute) ? quantileOf(found, 0.5) : undefined))
}

/** How many minutes apart neighbours on one line are, at most: results that are rarer than usual are a gap. */
const reachOf = (minutes: ReadonlyArray<number>): number =>
  3 *
  (quantileOf(
    minutes.slice(1).map((minute, index) => minute - minutes[index]!),
    0.75
  ) ?? 1)

const round = (value: number): number => Math.round(value * 10) / 10

interface Dot {
  readonly minute: number
  readonly x: number
  readonly y: number
}

/** The stretches of the line: each ends where nothing answered, or where results are missing. */
export const stretchesOf = (values: ReadonlyArray<Minute>, highest: number): ReadonlyArray<ReadonlyArray<Dot>> => {
  const across = wide / Math.max(1, values.length)
  const reach = reachOf(values.flatMap((value, minute) => (value === undefined ? [] : [minute])))
  const stretches: Array<Array<Dot>> = []
  let isBroken = true
  for (const [minute, value] of values.entries()) {
    if (value === null) isBroken = true
    if (typeof value !== "number") continue
    const last = stretches.at(-1)
    const dot = {
      minute,
      x: round((minute + 0.5) * across),
      y: round(high - 4 - (value / highest) * (high - 8))
    }
    if (last !== undefined && !isBroken && minute - last.at(-1)!.minute <= reach) last.push(dot)
    else stretches.push([dot])
    isBroken = false
  }
  return stretches
}

/** The line of a stretch. */
export const pathOf = (stretch: ReadonlyArray<Dot>): string =>
  stretch.map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${x} ${y}`).join("")

/** What lies below a stretch. */
export const areaOf = (stretch: ReadonlyArray<Dot>): string =>
  `${pathOf(stretch)}L${stretch.at(-1)!.x} ${high}L${stretch[0]!.x} ${high}Z`

/** So many are drawn as dots on the line: with more of them, the line alone is clearer. */
const maxDots = 20

/** A stroke without length for each value, which a round end makes a dot; none where there are many values. */
export const dotsOf = (stretches: ReadonlyArray<ReadonlyArray<Dot>>): string => {
  const all = stretches.flat()
  const shown = all.length <= maxDots ? all : stretches.flatMap((stretch) => (stretch.length === 1 ? stretch : []))
  return shown.map(({ x, y }) => `M${x} ${y}h0`).join("")
}
