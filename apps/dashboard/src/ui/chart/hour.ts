/** The values and the line of the small picture of an hour. Pure. */
import { gathered, gridOf, type Point, quantileOf, type Span } from "./series.ts"

/** The size of the picture, in its own units. */
export const wide = 240
export const high = 48

const step = 60

/** The median of each minute; null where nothing answered. */
export const minutesOf = (points: ReadonlyArray<Point>, span: Span): ReadonlyArray<number | null> =>
  gathered(points, gridOf(span, step), step).map((found) => quantileOf(found, 0.5))

const round = (value: number): number => Math.round(value * 10) / 10

/** The line through the values, lifted where there is none; a value without neighbours is a short stroke. */
export const hourPath = (values: ReadonlyArray<number | null>, highest: number): string => {
  const across = wide / Math.max(1, values.length)
  return values
    .map((value, index) => {
      if (value === null) return ""
      const y = round(high - 2 - (value / highest) * (high - 6))
      const isFirst = (values[index - 1] ?? null) === null
      if (isFirst && (values[index + 1] ?? null) === null) return `M${round(index * across)} ${y}h${round(across)}`
      return `${isFirst ? "M" : "L"}${round((index + 0.5) * across)} ${y}`
    })
    .join("")
}
