/** The values of a chart as a table for screen readers, and for all when it is asked for: at most so many rows, each the mean of its period. */
import { memo } from "react"
import { moment } from "../../locales/time.ts"
import { t } from "../../locales/text.ts"
import type { Series } from "./series.ts"

const maxRows = 24

const meanOf = (values: ReadonlyArray<number | null>): number | undefined => {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0) / known.length
}

/** Memoized, so that it is not rendered again while the crosshair moves. */
export const ChartTable = memo(function ChartTable({
  format,
  isShown,
  label,
  series,
  times
}: {
  readonly label: string
  readonly times: ReadonlyArray<number>
  readonly series: ReadonlyArray<Series>
  readonly format: (value: number) => string
  readonly isShown: boolean
}) {
  const size = Math.max(1, Math.ceil(times.length / maxRows))
  const starts = Array.from({ length: Math.ceil(times.length / size) }, (_, index) => index * size)
  return (
    <div className={isShown ? "overflow-x-auto text-small" : "sr-only"}>
      <table className="[&_td]:pe-4 [&_td]:text-end [&_th]:pe-4 [&_th]:text-start [&_th]:font-normal">
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col">{t("Time")}</th>
            {series.map(({ label }) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {starts.map((start) => (
            <tr key={start}>
              <th scope="row">{moment(times[start]! * 1000)}</th>
              {series.map(({ label, values }) => {
                const mean = meanOf(values.slice(start, start + size))
                return <td key={label}>{mean === undefined ? "–" : format(mean)}</td>
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
})
