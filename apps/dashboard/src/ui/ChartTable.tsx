/** The values of a chart as a table for screen readers: at most so many rows, each the mean of its period. */
import { moment } from "../locales/time.ts"
import { t } from "../locales/text.ts"

export interface Series {
  readonly label: string
  readonly values: ReadonlyArray<number | null>
}

const maxRows = 24

const meanOf = (values: ReadonlyArray<number | null>): number | undefined => {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0) / known.length
}

export const ChartTable = ({
  format,
  label,
  series,
  times
}: {
  readonly label: string
  readonly times: ReadonlyArray<number>
  readonly series: ReadonlyArray<Series>
  readonly format: (value: number) => string
}) => {
  const size = Math.max(1, Math.ceil(times.length / maxRows))
  const starts = Array.from({ length: Math.ceil(times.length / size) }, (_, index) => index * size)
  return (
    <div className="sr-only">
      <table>
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
}
