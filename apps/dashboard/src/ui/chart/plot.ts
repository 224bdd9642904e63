/** How uPlot draws: no frame, three lines, the axis from zero, states behind the values. */
import type uPlot from "uplot"
import { formatLocale } from "../../locales/text.ts"
import { ceilingOf, halfOf, leastRoom, type Line, linesOf, type Mark, type Span } from "./series.ts"

export const height = 248
const labelWidth = 52
const font = '12px "Inter Variable", system-ui, sans-serif'

export const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

const tones: Readonly<Record<Mark["tone"], string>> = {
  down: "--down",
  degraded: "--minor",
  maintenance: "--maintenance",
  incident: "--minor"
}

/** Lines from lower left to upper right. */
const hatch = (chart: uPlot, stroke: string): CanvasPattern | string => {
  const tile = document.createElement("canvas")
  const size = Math.round(8 * devicePixelRatio)
  tile.width = size
  tile.height = size
  const context = tile.getContext("2d")
  if (context === null) return stroke
  context.strokeStyle = stroke
  context.lineWidth = devicePixelRatio
  for (const shift of [-size, 0, size]) {
    context.moveTo(shift, size)
    context.lineTo(shift + size, 0)
  }
  context.stroke()
  return chart.ctx.createPattern(tile, "repeat") ?? stroke
}

/** At least wide enough to be seen, with a line above, so that a short one is found in a long period. */
const drawMarks = (chart: uPlot, marks: ReadonlyArray<Mark>) => {
  const { ctx } = chart
  const { height: tall, left, top, width } = chart.bbox
  const edge = 2 * devicePixelRatio
  ctx.save()
  ctx.beginPath()
  ctx.rect(left, top, width, tall)
  ctx.clip()
  for (const { from, to, tone } of marks) {
    const [start, end] = [chart.valToPos(from, "x", true), chart.valToPos(to, "x", true)]
    const wide = Math.max(end - start, edge)
    const stroke = colour(tones[tone])
    if (tone !== "incident") {
      ctx.fillStyle = tone === "maintenance" ? hatch(chart, stroke) : stroke
      ctx.globalAlpha = tone === "maintenance" ? 0.35 : 0.13
      ctx.fillRect(start, top, wide, tall)
    }
    ctx.fillStyle = stroke
    ctx.globalAlpha = 1
    ctx.fillRect(start, top, wide, edge)
  }
  ctx.restore()
}

/** A triangle where a value is above the plot. */
const drawCut = (chart: uPlot, lines: ReadonlyArray<Line>, times: ReadonlyArray<number>, ceiling: number) => {
  const { ctx } = chart
  const size = 5 * devicePixelRatio
  ctx.save()
  for (const { colour: name, values } of lines) {
    ctx.fillStyle = colour(name)
    for (const [index, value] of values.entries()) {
      if (value === null || value <= ceiling) continue
      const at = chart.valToPos(times[index]!, "x", true)
      ctx.beginPath()
      ctx.moveTo(at, chart.bbox.top)
      ctx.lineTo(at + size, chart.bbox.top + size * 1.4)
      ctx.lineTo(at - size, chart.bbox.top + size * 1.4)
      ctx.fill()
    }
  }
  ctx.restore()
}

/** Values without a neighbour would be lines of no length. */
const alone = (values: ReadonlyArray<number | null>): Array<number> =>
  values.flatMap((value, index) =>
    value !== null && (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null ? [index] : []
  )

/** Moments on the axis: times of a day, or days. */
const labelsOf = (span: Span) => {
  const isLong = span.to - span.from > 2 * 86_400
  const format = new Intl.DateTimeFormat(
    formatLocale(),
    isLong ? { month: "short", day: "numeric" } : { hour: "2-digit", minute: "2-digit" }
  )
  return (moments: ReadonlyArray<number>) => moments.map((at) => format.format(new Date(at * 1000)))
}

/** Pixels beside the plot for the half of a label at its end. Labels of one axis are about equally long, so some of them are measured. */
const roomFor = (span: Span): number => {
  const context = document.createElement("canvas").getContext("2d")
  if (context === null) return leastRoom
  context.font = font
  const moments = Array.from({ length: 25 }, (_, index) => span.from + ((span.to - span.from) * index) / 24)
  return halfOf(labelsOf(span)(moments).map((label) => context.measureText(label).width))
}

/** The options of a chart of `lines` over `span`. */
export const optionsOf = ({
  format,
  lines,
  marks,
  onCursor,
  onSelect,
  span,
  times,
  width
}: {
  readonly format: (value: number) => string
  readonly lines: ReadonlyArray<Line>
  readonly marks: ReadonlyArray<Mark>
  readonly onCursor: (index: number | undefined) => void
  readonly onSelect: (span: Span) => void
  readonly span: Span
  readonly times: ReadonlyArray<number>
  readonly width: number
}): uPlot.Options => {
  const all = lines.flatMap(({ values }) => values)
  const ceiling = ceilingOf(all)
  const highest = ceiling ?? Math.max(0, ...all.filter((value) => value !== null))
  const grid = linesOf(highest === 0 ? 1 : highest)
  const soft = colour("--soft")
  return {
    width,
    height,
    // Asked again with every layout, when the typeface may be another.
    padding: [8, () => roomFor(span), 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: true, y: false, setScale: false }, points: { size: 7 } },
    scales: { x: { range: [span.from, span.to] }, y: { range: [0, grid[2]] } },
    axes: [
      {
        stroke: soft,
        font,
        size: 28,
        gap: 8,
        space: 72,
        grid: { show: false },
        ticks: { show: false },
        border: { show: true, stroke: colour("--line"), width: 1 },
        values: (_, splits) => labelsOf(span)(splits)
      },
      {
        stroke: soft,
        font,
        size: labelWidth,
        gap: 8,
        grid: { stroke: colour("--line"), width: 1 },
        ticks: { show: false },
        splits: () => [0, ...grid],
        values: (_, splits) => splits.map((value) => (value === 0 ? "0" : format(value)))
      }
    ],
    bands: lines.flatMap(({ colour: name, isBand }, index) =>
      isBand === true ? [{ series: [index + 1, index] as [number, number], fill: `${colour(name)}29` }] : []
    ),
    series: [
      {},
      ...lines.map(({ area, colour: name, isBand, isDashed, label, values }): uPlot.Series => {
        const stroke = colour(name)
        return {
          label,
          stroke: isBand === true ? `${stroke}66` : stroke,
          width: isBand === true || isDashed === true ? 1 : 1.75,
          points: { show: true, size: 4, fill: stroke, filter: () => alone(values) },
          ...(isDashed === true ? { dash: [4, 4] } : {}),
          ...(area === undefined ? {} : { fill: area === "faint" ? `${stroke}1f` : `${stroke}cc` })
        }
      })
    ],
    hooks: {
      drawClear: [(chart) => drawMarks(chart, marks)],
      draw: [(chart) => ceiling !== undefined && drawCut(chart, lines, times, grid[2])],
      setCursor: [({ cursor }) => onCursor(cursor.idx ?? undefined)],
      setSelect: [
        (chart) => {
          const { left, width: wide } = chart.select
          if (wide < 4) return
          onSelect({ from: chart.posToVal(left, "x"), to: chart.posToVal(left + wide, "x") })
          chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
        }
      ]
    }
  }
}
