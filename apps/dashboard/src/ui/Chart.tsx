/**
 * Values over time. The crosshair follows the pointer, a finger and the arrow keys and reads the values out in words; dragging
 * chooses a span; the values are there as a table too, and leave as a picture or as CSV.
 */
import { type KeyboardEvent, type PointerEvent, useEffect, useEffectEvent, useMemo, useRef, useState } from "react"
import uPlot from "uplot"
import "uplot/dist/uPlot.min.css"
import { t } from "../locales/text.ts"
import { useScheme } from "../theme/scheme.ts"
import { Button, IconButton } from "./Button.tsx"
import { ChartTable } from "./chart/ChartTable.tsx"
import { colour, height, optionsOf } from "./chart/plot.ts"
import { Readout, readoutWords, Swatch } from "./chart/Readout.tsx"
import { csvOf, type Line, type Mark, nearestOf, type Span } from "./chart/series.ts"
import { Icon } from "./Icon.tsx"
import { Menu } from "./Menu.tsx"
import { save } from "./save.ts"

const noMarks: ReadonlyArray<Mark> = []

/** Each line on the sum of those before it. */
const stackOf = (lines: ReadonlyArray<Line>): ReadonlyArray<Line> => {
  const before: Array<number> = []
  return lines.map((line) => ({
    ...line,
    area: "stack",
    values: line.values.map((value, index) => {
      before[index] = (before[index] ?? 0) + (value ?? 0)
      return value === null && before[index] === 0 ? null : before[index]
    })
  }))
}

export interface ChartProps {
  readonly label: string
  /** Seconds since the epoch. */
  readonly times: ReadonlyArray<number>
  readonly lines: ReadonlyArray<Line>
  readonly format: (value: number) => string
  /** The whole axis, also where there are no values; by default what the values span. */
  readonly span?: Span
  readonly marks?: ReadonlyArray<Mark>
  /** Each line stands on the one before it. */
  readonly isStacked?: boolean
  /** The reader chose a span; without it the chart keeps the choice itself. */
  readonly onSelect?: (span: Span) => void
  /** The subject of the chart, for names of files. */
  readonly name?: string
}

export const Chart = ({
  format,
  isStacked = false,
  label,
  lines,
  marks = noMarks,
  name = label,
  onSelect,
  span: whole,
  times
}: ChartProps) => {
  const place = useRef<HTMLDivElement>(null)
  const chartRef = useRef<uPlot | undefined>(undefined)
  const [chosen, setChosen] = useState<Span | undefined>(undefined)
  const [at, setAt] = useState<{ readonly index: number; readonly left: number; readonly wide: number } | undefined>()
  const [isTable, setTable] = useState(false)
  const scheme = useScheme()
  const from = chosen?.from ?? whole?.from ?? times[0] ?? 0
  const to = chosen?.to ?? whole?.to ?? times.at(-1) ?? 1
  const drawn = useMemo(() => (isStacked ? stackOf(lines).toReversed() : lines), [lines, isStacked])
  const select = useEffectEvent(onSelect ?? setChosen)

  const onCursor = useEffectEvent((index: number | undefined) => {
    const chart = chartRef.current
    if (chart === undefined) return
    if (index === undefined || times[index] === undefined) return setAt(undefined)
    const over = chart.over.getBoundingClientRect()
    const start = over.left - place.current!.getBoundingClientRect().left
    const [left, wide] = [start + chart.valToPos(times[index], "x"), start + over.width]
    // Most moves of a pointer stay within a step.
    setAt((old) => (old?.index === index && old.left === left && old.wide === wide ? old : { index, left, wide }))
  })

  useEffect(() => {
    const element = place.current
    if (element === null) return
    const chart: uPlot = new uPlot(
      optionsOf({
        format,
        lines: drawn,
        marks,
        times,
        span: { from, to },
        width: element.clientWidth,
        onCursor,
        onSelect: select
      }),
      [[...times], ...drawn.map(({ values }) => [...values])] as uPlot.AlignedData,
      element
    )
    chartRef.current = chart
    const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }))
    observer.observe(element)
    // Words of the axes were measured in another typeface while this one was on its way.
    void document.fonts.ready.then(() => chartRef.current === chart && chart.redraw(false, true))
    return () => {
      observer.disconnect()
      chartRef.current = undefined
      chart.destroy()
    }
  }, [drawn, times, scheme, format, marks, from, to])

  const point = (index: number | undefined) => {
    const chart = chartRef.current
    if (chart === undefined) return
    const left = index === undefined ? -10 : chart.valToPos(times[index]!, "x")
    chart.setCursor({ left, top: index === undefined ? -10 : 1 })
  }
  /** A finger that moves sideways leads the crosshair; up and down, the page scrolls. */
  const onTouch = ({ clientX, pointerType }: PointerEvent) => {
    const chart = chartRef.current
    if (pointerType === "mouse" || chart === undefined) return
    point(nearestOf(times, chart.posToVal(clientX - chart.over.getBoundingClientRect().left, "x")))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const last = times.length - 1
    const now = at?.index ?? (event.key === "ArrowLeft" ? times.length : -1)
    const goal = {
      ArrowLeft: now - 1,
      ArrowRight: now + 1,
      PageUp: now - Math.ceil(last / 10),
      PageDown: now + Math.ceil(last / 10),
      Home: 0,
      End: last
    }[event.key]
    if (goal !== undefined) point(Math.min(Math.max(goal, 0), last))
    else if (event.key === "Escape" && at !== undefined) point(undefined)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  const savePicture = () => {
    const source = chartRef.current?.ctx.canvas
    const copy = document.createElement("canvas")
    const context = copy.getContext("2d")
    if (source === undefined || context === null) return
    copy.width = source.width
    copy.height = source.height
    context.fillStyle = colour("--ground")
    context.fillRect(0, 0, copy.width, copy.height)
    context.drawImage(source, 0, 0)
    copy.toBlob((blob) => blob !== null && save(blob, `${name}.png`))
  }
  const saveValues = () => save(new Blob([csvOf(t("Time"), times, lines)], { type: "text/csv" }), `${name}.csv`)

  const shown = at !== undefined && times[at.index] !== undefined ? at : undefined
  const step = times.length > 1 ? times[1]! - times[0]! : 1
  const readout = shown && { at: times[shown.index]!, index: shown.index, step, lines, marks, format }
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-1 text-small text-soft pointer-coarse:min-h-11">
        {lines.map((line) => (
          <span key={line.label} className="flex min-w-0 items-center gap-1.5">
            <Swatch line={line} />
            <bdi className="truncate">{line.label}</bdi>
          </span>
        ))}
        <span className="flex flex-1 items-center justify-end gap-1">
          {chosen !== undefined && <Button onPress={() => setChosen(undefined)}>{t("Show all")}</Button>}
          <Menu
            label={t("Values of the chart")}
            button={
              <IconButton aria-label={t("Values of the chart")}>
                <Icon name="download" />
              </IconButton>
            }
            groups={[
              [
                { id: "table", label: t("Show as a table"), checked: isTable, onAction: () => setTable(!isTable) },
                { id: "png", label: t("Save as a picture (PNG)"), onAction: savePicture },
                { id: "csv", label: t("Save the values (CSV)"), onAction: saveValues }
              ]
            ]}
          />
        </span>
      </div>
      <div
        ref={place}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, times.length - 1)}
        aria-valuenow={shown?.index ?? Math.max(0, times.length - 1)}
        aria-valuetext={readout === undefined ? t("Arrow keys read the values out") : readoutWords(readout)}
        onKeyDown={onKeyDown}
        onPointerDown={onTouch}
        onPointerMove={onTouch}
        onBlur={() => point(undefined)}
        className="relative w-full touch-pan-y overflow-hidden text-soft"
        style={{ minHeight: height }}
      >
        {shown !== undefined && readout !== undefined && (
          <Readout {...readout} left={shown.left} isRight={shown.left > shown.wide / 2} />
        )}
      </div>
      <ChartTable label={label} times={times} series={lines} format={format} isShown={isTable} />
    </div>
  )
}
