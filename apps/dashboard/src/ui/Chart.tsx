/** A line chart of values over time, with marked periods. Dragging zooms; the values are also there as a table. */
import { useEffect, useRef, useState } from "react"
import uPlot from "uplot"
import "uplot/dist/uPlot.min.css"
import { formatLocale, t } from "../locales/text.ts"
import { useScheme } from "../theme/scheme.ts"
import { Button } from "./Button.tsx"
import { ChartTable, type Series } from "./ChartTable.tsx"

/** A period that is shaded behind the lines. */
export interface Mark {
  /** Seconds since the epoch. */
  readonly from: number
  readonly to: number
  readonly tone: "down" | "degraded" | "maintenance" | "accent"
}

/** Colours of lines, as custom properties: distinguishable in both schemes. */
const colours = ["--series-1", "--series-2", "--series-3", "--series-4", "--series-5", "--worse"]

const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

const height = 220

const noMarks: ReadonlyArray<Mark> = []

/** Shades the marks, and draws a line at their beginnings, so that a short one is seen in a long period. */
const drawMarks = (chart: uPlot, marks: ReadonlyArray<Mark>) => {
  const { ctx } = chart
  const { height: tall, left, top, width } = chart.bbox
  ctx.save()
  ctx.beginPath()
  ctx.rect(left, top, width, tall)
  ctx.clip()
  for (const { from, to, tone } of marks) {
    const [start, end] = [chart.valToPos(from, "x", true), chart.valToPos(to, "x", true)]
    ctx.fillStyle = colour(`--${tone}`)
    ctx.globalAlpha = 0.16
    ctx.fillRect(start, top, Math.max(end - start, 2), tall)
    ctx.globalAlpha = 0.9
    ctx.fillRect(start, top, Math.max(end - start, 3), 4)
  }
  ctx.restore()
}

const sums = (series: ReadonlyArray<Series>): ReadonlyArray<ReadonlyArray<number | null>> => {
  const before: Array<number> = []
  return series.map(({ values }) =>
    values.map((value, index) => {
      before[index] = (before[index] ?? 0) + (value ?? 0)
      return value === null && before[index] === 0 ? null : before[index]
    })
  )
}

export interface ChartProps {
  readonly label: string
  /** Seconds since the epoch. */
  readonly times: ReadonlyArray<number>
  readonly series: ReadonlyArray<Series>
  readonly format: (value: number) => string
  readonly marks?: ReadonlyArray<Mark>
  /** Each series stands on the one before it. */
  readonly stacked?: boolean
}

export const Chart = ({ format, label, marks = noMarks, series, stacked = false, times }: ChartProps) => {
  const place = useRef<HTMLDivElement>(null)
  const chartRef = useRef<uPlot | undefined>(undefined)
  /** Kept when new results arrive. */
  const zoom = useRef<{ readonly min: number; readonly max: number } | undefined>(undefined)
  const [isZoomed, setZoomed] = useState(false)
  const scheme = useScheme()

  useEffect(() => {
    const element = place.current
    if (element === null) return
    const axis = { stroke: colour("--soft"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false } }
    const [day, time, second] = [
      new Intl.DateTimeFormat(formatLocale(), { month: "short", day: "numeric" }),
      new Intl.DateTimeFormat(formatLocale(), { hour: "2-digit", minute: "2-digit" }),
      new Intl.DateTimeFormat(formatLocale(), { hour: "2-digit", minute: "2-digit", second: "2-digit" })
    ]
    const values = stacked ? sums(series) : series.map(({ values }) => values)
    const lines = series.map(({ label, values: own }, index): uPlot.Series => {
      const stroke = colour(colours[index % colours.length]!)
      return {
        label,
        stroke,
        width: 1.5,
        points: { show: times.length < 60 },
        value: (_, __, ___, at) => (at === null || own[at] == null ? "–" : format(own[at])),
        ...(stacked ? { fill: stroke } : {})
      }
    })
    // What stands on others is drawn behind them.
    const drawn = stacked ? lines.toReversed() : lines
    const data = stacked ? values.toReversed() : values
    const chart: uPlot = new uPlot(
      {
        width: element.clientWidth,
        height,
        legend: { live: true, show: series.length > 1 },
        cursor: { y: false, drag: { x: true, y: false } },
        scales: { y: { range: (_, _low, high) => [0, Math.max(1, (high ?? 0) * 1.1)] } },
        hooks: {
          drawClear: [(drawn) => drawMarks(drawn, marks)],
          setSelect: [
            (chosen) => {
              if (chosen.select.width < 4) return
              const { left, width } = chosen.select
              zoom.current = { min: chosen.posToVal(left, "x"), max: chosen.posToVal(left + width, "x") }
              setZoomed(true)
            }
          ]
        },
        axes: [
          {
            ...axis,
            space: 64,
            values: (shown, splits, _axis, _space, step) => {
              const { max, min } = shown.scales["x"]!
              const isLong = (max ?? 0) - (min ?? 0) > 2 * 86_400
              return splits.map((at) => (isLong ? day : step < 60 ? second : time).format(new Date(at * 1000)))
            }
          },
          { ...axis, size: 64, values: (_, splits) => splits.map((value) => format(value)) }
        ],
        series: [
          {
            label: t("Time"),
            value: (_, at) =>
              at == null ? "–" : `${day.format(new Date(at * 1000))} ${time.format(new Date(at * 1000))}`
          },
          ...drawn
        ]
      },
      [[...times], ...data.map((each) => [...each])] as uPlot.AlignedData,
      element
    )
    if (zoom.current !== undefined) chart.setScale("x", zoom.current)
    // A double click of uPlot shows everything again.
    const onDoubleClick = () => {
      zoom.current = undefined
      setZoomed(false)
    }
    chart.over.addEventListener("dblclick", onDoubleClick)
    chartRef.current = chart
    const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      chartRef.current = undefined
      chart.destroy()
    }
  }, [series, times, scheme, format, marks, stacked])

  const showAll = () => {
    zoom.current = undefined
    setZoomed(false)
    chartRef.current?.setScale("x", { min: times[0] ?? 0, max: times.at(-1) ?? 0 })
  }

  return (
    <div className="relative">
      <div ref={place} role="img" aria-label={label} className="min-h-56 w-full overflow-hidden text-small text-soft" />
      {isZoomed && (
        <Button onPress={showAll} className="absolute end-2 top-2">
          {t("Show all")}
        </Button>
      )}
      <ChartTable label={label} times={times} series={series} format={format} />
    </div>
  )
}
