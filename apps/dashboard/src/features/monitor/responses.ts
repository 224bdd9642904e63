/** Response times as lines of a chart, on a grid of equal steps. Pure. */
import type { Timing } from "@kanmon/domain/Observation"
import type { PhasesReport } from "@kanmon/protocol/LogBody"
import { seriesColour } from "../../ui/chart/colours.ts"
import { gathered, gridOf, type Line, quantileOf, type Span, stepOf } from "../../ui/chart/series.ts"

export interface Response {
  readonly timestamp: string
  readonly responseTime: number | null
  readonly region: string
}

type Report = typeof PhasesReport.Encoded
type Stage = keyof typeof Timing.Type

export interface Shown {
  readonly times: ReadonlyArray<number>
  readonly lines: ReadonlyArray<Line>
}

/** From so many results of a region on, the API answers with means, which have no percentiles. */
const exactResults = 2000
const mostSteps = 180

/** Whether results of so many seconds come one by one. */
export const isExact = (seconds: number, interval: number): boolean => seconds / interval <= exactResults

const secondOf = (timestamp: string): number => Math.floor(Date.parse(timestamp) / 1000)

/** A step holds a result of each check: shorter ones would be gaps where there are none. */
const gridFor = (span: Span, interval: number) => {
  const step = stepOf(span, interval * 1.5, mostSteps)
  return { step, times: gridOf(span, step) }
}

interface Words {
  readonly median: string
  readonly p95: string
  readonly before: string
}

/** Median and 95th percentile of all regions; `earlier` are the results of a time before, `ago` seconds earlier. */
export const spreadOf = (
  points: ReadonlyArray<Response>,
  span: Span,
  interval: number,
  words: Words,
  earlier?: { readonly points: ReadonlyArray<Response>; readonly ago: number }
): Shown => {
  const { step, times } = gridFor(span, interval)
  const inSteps = (of: ReadonlyArray<Response>, ago: number) =>
    gathered(
      of.map(({ responseTime, timestamp }) => ({ at: secondOf(timestamp) + ago, value: responseTime })),
      times,
      step
    )
  const now = inSteps(points, 0)
  return {
    times,
    lines: spreadLines(
      words,
      now.map((values) => quantileOf(values, 0.5)),
      now.map((values) => quantileOf(values, 0.95)),
      earlier && inSteps(earlier.points, earlier.ago).map((values) => quantileOf(values, 0.5))
    )
  }
}

const spreadLines = (
  words: Words,
  median: ReadonlyArray<number | null>,
  p95: ReadonlyArray<number | null>,
  before: ReadonlyArray<number | null> | undefined
): ReadonlyArray<Line> => [
  { label: words.median, values: median, colour: "--series-1", area: "faint" },
  { label: words.p95, values: p95, colour: "--series-1", isBand: true },
  ...(before === undefined ? [] : [{ label: words.before, values: before, colour: "--quiet", isDashed: true }])
]

/** The periods of a report, with those that have no checks. */
const periodsOf = ({ from, points, resolution, to }: Report) => {
  const step = resolution === "hour" ? 3600 : 86_400
  const times = gridOf({ from: secondOf(from), to: secondOf(to) }, step)
  const known = new Map(points.map((point) => [secondOf(point.timestamp), point]))
  return { times, points: times.map((at) => known.get(at)) }
}

/** The same from percentiles that are kept by hour or day. */
export const keptSpreadOf = (report: Report, words: Words, earlier?: Report): Shown => {
  const { points, times } = periodsOf(report)
  const before = earlier && periodsOf(earlier).points
  return {
    times,
    lines: spreadLines(
      words,
      points.map((point) => point?.responseTime?.p50 ?? null),
      points.map((point) => point?.responseTime?.p95 ?? null),
      before && times.map((_, index) => before[index]?.responseTime?.p50 ?? null)
    )
  }
}

/** A line for each region: the median of each step. */
export const regionsOf = (points: ReadonlyArray<Response>, span: Span, interval: number): Shown => {
  const { step, times } = gridFor(span, interval)
  const regions = [...new Set(points.map(({ region }) => region))].toSorted()
  return {
    times,
    lines: regions.map((label, index) => ({
      label,
      colour: seriesColour(index),
      values: gathered(
        points.flatMap(({ region, responseTime, timestamp }) =>
          region === label ? [{ at: secondOf(timestamp), value: responseTime }] : []
        ),
        times,
        step
      ).map((values) => quantileOf(values, 0.5))
    }))
  }
}

/** A line for each phase that was measured. */
export const phasesOf = (report: Report, all: ReadonlyArray<Stage>, nameOf: (stage: Stage) => string): Shown => {
  const { points, times } = periodsOf(report)
  return {
    times,
    lines: all
      .filter((stage) => report.overall[stage] !== null)
      .map((stage) => ({
        label: nameOf(stage),
        colour: seriesColour(all.indexOf(stage)),
        values: points.map((point) => point?.[stage]?.p50 ?? null)
      }))
  }
}
