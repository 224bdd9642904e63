/** Uptime by day as bars, with a table for screen readers. */
import { percent } from "../locales/time.ts"
import { formatLocale, t } from "../locales/text.ts"

export interface Day {
  /** UTC day, `2026-11-20`. */
  readonly date: string
  /** Percent; undefined where nothing is known. */
  readonly uptime: number | undefined
}

const tone = (uptime: number | undefined): string =>
  uptime === undefined
    ? "stroke-faint/35"
    : uptime >= 99.9
      ? "stroke-good"
      : uptime >= 99
        ? "stroke-minor"
        : "stroke-down"

const word = ({ date, uptime }: Day): string => {
  const day = new Date(`${date}T00:00:00Z`).toLocaleDateString(formatLocale(), { dateStyle: "medium", timeZone: "UTC" })
  return uptime === undefined
    ? t("{date}: no data", { date: day })
    : t("{date}: {uptime}", { date: day, uptime: percent(uptime) })
}

export const DayBars = ({ days, label }: { readonly days: ReadonlyArray<Day>; readonly label: string }) => (
  <figure aria-label={label}>
    <svg
      viewBox={`0 0 ${days.length * 10} 32`}
      preserveAspectRatio="none"
      className="h-9 w-full"
      aria-hidden="true"
      focusable="false"
    >
      {days.map((day, index) => (
        <g key={day.date}>
          <title>{word(day)}</title>
          <rect x={index * 10} width="10" height="32" fill="transparent" />
          <path d={`M${index * 10 + 5} 0V32`} className={tone(day.uptime)} strokeWidth="7" fill="none" />
        </g>
      ))}
    </svg>
    <ul className="sr-only">
      {days
        .filter(({ uptime }) => uptime !== undefined && uptime < 100)
        .map((day) => (
          <li key={day.date}>{word(day)}</li>
        ))}
    </ul>
  </figure>
)
