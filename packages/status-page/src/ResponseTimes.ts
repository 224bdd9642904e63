/** Response times of the last 24 hours, as a line chart and as text. */
import { type Html, html } from "./Html.ts"

const width = 10
const height = 36

/** `4.2 ms`, `182 ms`, `1.25 s`. */
export const milliseconds = (value: number): string =>
  value >= 999.5
    ? `${(value / 1000).toFixed(2)}\u00a0s`
    : `${value >= 10 ? Math.round(value) : value.toFixed(1)}\u00a0ms`

/** The axis begins at 0, so that the line does not exaggerate; hours without results are gaps. */
const line = (times: ReadonlyArray<number | null>, highest: number): string => {
  const at = (hour: number, time: number) =>
    `${hour * width} ${(height - 2 - (time / highest) * (height - 4)).toFixed(1)}`
  return times
    .map((time, hour) =>
      time === null
        ? ""
        : (times[hour - 1] ?? null) !== null
          ? `L${at(hour, time)}`
          : `M${at(hour, time)}${(times[hour + 1] ?? null) === null ? "h.01" : ""}`
    )
    .join("")
}

/** Null if nothing was measured. */
export const responseTimes = (times: ReadonlyArray<number | null>): Html | null => {
  const known = times.filter((time) => time !== null)
  if (known.length === 0) return null
  const mean = known.reduce((sum, time) => sum + time, 0) / known.length
  const [lowest, highest] = [Math.min(...known), Math.max(...known)]
  return html`
    <div class="speed">
      <svg viewBox=${`0 0 ${(times.length - 1) * width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        <path d=${line(times, Math.max(highest, 1))} />
      </svg>
      <p>
        <span>Response time, 24 hours</span>
        <span><b>${milliseconds(mean)}</b> mean, ${milliseconds(lowest)} to ${milliseconds(highest)}</span>
      </p>
    </div>
  `
}
