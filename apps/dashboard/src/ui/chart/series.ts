/** The values of a chart on a grid of equal steps, so that what is missing is seen as a gap. Pure. */
import { csvOfRows } from "../csv.ts"

export interface Series {
  readonly label: string
  readonly values: ReadonlyArray<number | null>
}

/** A part of the time axis, in seconds since the epoch. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** A period behind the values. */
export interface Mark extends Span {
  readonly tone: "down" | "degraded" | "maintenance" | "incident"
  /** In words, for the readout. */
  readonly text: string
}

/** A line, and how it is drawn. */
export interface Line extends Series {
  /** A custom property. */
  readonly colour: string
  /** Faintly filled down to zero, or wholly down to the line below it. */
  readonly area?: "faint" | "stack"
  /** Filled down to the line before it. */
  readonly isBand?: boolean
  /** Whether the series is from another time, for comparison. */
  readonly isDashed?: boolean
}

export interface Point {
  /** Seconds since the epoch. */
  readonly at: number
  readonly value: number | null
}

/** Lengths of steps in seconds. */
const steps = [10, 20, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400, 172_800] as const

/** The smallest step with which a span has at most `most` steps; never shorter than `least` seconds. */
export const stepOf = ({ from, to }: Span, least: number, most: number): number =>
  steps.find((step) => step >= least && (to - from) / step <= most) ?? steps.at(-1)!

/** The beginnings of all steps that touch a span. */
export const gridOf = ({ from, to }: Span, step: number): ReadonlyArray<number> => {
  const first = Math.floor(from / step) * step
  return Array.from({ length: Math.max(1, Math.ceil((to - first) / step)) }, (_, index) => first + index * step)
}

/** The values of the points of each step; points outside the grid are left out. */
export const gathered = (
  points: ReadonlyArray<Point>,
  grid: ReadonlyArray<number>,
  step: number
): ReadonlyArray<ReadonlyArray<number>> => {
  const found: Array<Array<number>> = grid.map(() => [])
  for (const { at, value } of points) if (value !== null) found[Math.floor((at - grid[0]!) / step)]?.push(value)
  return found
}

/** By nearest rank; null of nothing. */
export const quantileOf = (values: ReadonlyArray<number>, share: number): number | null =>
  values.length === 0
    ? null
    : [...values].sort((one, other) => one - other)[Math.max(0, Math.ceil(values.length * share) - 1)]!

/** The upper end of the axis, so that a few spikes do not flatten the rest. Undefined if nothing has to be cut off. */
export const ceilingOf = (values: ReadonlyArray<number | null>): number | undefined => {
  const known = values.filter((value) => value !== null)
  const usual = quantileOf(known, 0.97)
  if (known.length < 20 || usual === null || usual <= 0) return undefined
  return Math.max(...known) > usual * 4 ? usual * 1.6 : undefined
}

/** Three lines at round numbers, the last of them not below `highest`. */
export const linesOf = (highest: number): readonly [number, number, number] => {
  const raw = Math.max(highest, 1e-9) / 3
  const unit = 10 ** Math.floor(Math.log10(raw))
  const step = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find((each) => each * unit >= raw * (1 - 1e-9))! * unit
  return [step, 2 * step, 3 * step]
}

/** The place of the value that is nearest to a moment. */
export const nearestOf = (times: ReadonlyArray<number>, at: number): number => {
  let [low, high] = [0, times.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle]! < at) low = middle + 1
    else high = middle
  }
  return low > 0 && at - times[low - 1]! < times[low]! - at ? low - 1 : Math.max(0, low)
}

/** The values of each moment as a file for spreadsheets, times in ISO 8601. */
export const csvOf = (timeLabel: string, times: ReadonlyArray<number>, series: ReadonlyArray<Series>): string =>
  csvOfRows([
    [timeLabel, ...series.map(({ label }) => label)],
    ...times.map((at, index) => [
      new Date(at * 1000).toISOString(),
      ...series.map(({ values }) => values[index] ?? null)
    ])
  ])

/** The least room beside a plot, in pixels. */
export const leastRoom = 12

/** The room for half of the widest label, and a little between it and the edge. */
export const halfOf = (widths: ReadonlyArray<number>): number =>
  Math.max(leastRoom, Math.ceil(Math.max(0, ...widths) / 2) + 4)
