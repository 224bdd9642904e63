/** Uptime by day as bars, by the scale of status pages: a slider, whose tooltip is that of all bars. */
import { barHeight, barWidth, levelOf, pathsOf } from "@kanmon/status-page/DayLevel"
import { duration, percent } from "../locales/time.ts"
import { formatLocale, t } from "../locales/text.ts"

export interface Day {
  /** UTC day, `2026-11-20`. */
  readonly date: string
  /** Percent; null where nothing is known. */
  readonly uptime: number | null
  /** Seconds. */
  readonly downtime: number
}

/** As the tooltip reads it: empty, the percentage, or the percentage and the seconds of downtime. */
const dataOf = ({ downtime, uptime }: Day): string => (uptime === null ? "" : `${uptime}/${downtime}`)

/** A day in lines: the date, the uptime, the downtime. */
export const dayLines = (bar: HTMLElement, index: number): ReadonlyArray<string> => {
  const at = new Date(Date.parse(bar.dataset["from"]!) + index * 86_400_000)
  const date = at.toLocaleDateString(formatLocale(), { dateStyle: "full", timeZone: "UTC" })
  const [uptime, downtime] = bar.dataset["days"]!.split(",")[index]!.split("/")
  if (!uptime) return [date, t("No data")]
  return [
    date,
    `${percent(Number(uptime))} ${t("Uptime")}`,
    Number(downtime) > 0
      ? t("Downtime {duration}", { duration: duration(Math.max(1, Number(downtime))) })
      : t("No downtime")
  ]
}

export const DayBars = ({ days, label }: { readonly days: ReadonlyArray<Day>; readonly label: string }) => (
  <div
    role="slider"
    tabIndex={0}
    aria-label={label}
    aria-valuemin={1}
    aria-valuemax={days.length}
    aria-valuenow={days.length}
    aria-valuetext={t("Arrow keys read the values out")}
    data-from={days[0]?.date}
    data-days={days.map(dataOf).join(",")}
    className="bar"
  >
    <svg
      viewBox={`0 0 ${barWidth(days.length)} ${barHeight}`}
      preserveAspectRatio="none"
      className="block h-9 w-full"
      aria-hidden="true"
      focusable="false"
    >
      {pathsOf(days.map(levelOf)).map(({ d, level }) => (
        <path key={level} d={d} className={`day-${level}`} />
      ))}
    </svg>
  </div>
)
