/** A line chart of values over time. The points are also there as a table. */
import { useEffect, useRef } from "react"
import uPlot from "uplot"
import "uplot/dist/uPlot.min.css"
import { formatLocale } from "../locales/text.ts"
import { useScheme } from "../theme/scheme.ts"

export interface Series {
  readonly label: string
  readonly values: ReadonlyArray<number | null>
}

/** Colours of lines, as custom properties: distinguishable in both schemes. */
const colours = ["--accent", "--good", "--minor", "--worse", "--quiet", "--down"]

const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

export const Chart = ({
  format,
  label,
  series,
  times
}: {
  readonly label: string
  /** Seconds since the epoch. */
  readonly times: ReadonlyArray<number>
  readonly series: ReadonlyArray<Series>
  readonly format: (value: number) => string
}) => {
  const place = useRef<HTMLDivElement>(null)
  const scheme = useScheme()

  useEffect(() => {
    const element = place.current
    if (element === null) return
    const axis = { stroke: colour("--soft"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false } }
    const [day, time] = [
      new Intl.DateTimeFormat(formatLocale(), { month: "short", day: "numeric" }),
      new Intl.DateTimeFormat(formatLocale(), { hour: "2-digit", minute: "2-digit" })
    ]
    const span = (times.at(-1) ?? 0) - (times[0] ?? 0)
    const chart = new uPlot(
      {
        width: element.clientWidth,
        height: 220,
        legend: { live: true, show: series.length > 1 },
        cursor: { y: false, drag: { x: true, y: false } },
        scales: { y: { range: (_, _low, high) => [0, Math.max(1, (high ?? 0) * 1.1)] } },
        axes: [
          {
            ...axis,
            space: 80,
            values: (_, splits) => splits.map((at) => (span > 2 * 86_400 ? day : time).format(new Date(at * 1000)))
          },
          { ...axis, size: 64, values: (_, splits) => splits.map((value) => format(value)) }
        ],
        series: [
          {
            value: (_, at) =>
              at == null ? "" : `${day.format(new Date(at * 1000))} ${time.format(new Date(at * 1000))}`
          },
          ...series.map(({ label }, index) => ({
            label,
            stroke: colour(colours[index % colours.length]!),
            width: 1.5,
            points: { show: times.length < 60 },
            value: (_: uPlot, value: number | null) => (value === null ? "–" : format(value))
          }))
        ]
      },
      [[...times], ...series.map(({ values }) => [...values])] as uPlot.AlignedData,
      element
    )
    const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: 220 }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      chart.destroy()
    }
  }, [series, times, scheme, format])

  return (
    <div
      ref={place}
      role="img"
      aria-label={label}
      className="min-h-56 w-full overflow-hidden text-[0.8125rem] text-soft"
    />
  )
}
