/** The bar of daily uptime: a column per day, drawn as one path per level. */
import type { DayOfUptime, PublicMonitor } from "@kanmon/domain/PublicPage"
import { type Html, html } from "./Html.ts"
import { figure, percent } from "./Percent.ts"

/** The level of a day: `good` without downtime, `minor` from 99 %, `worse` from 95 %, `bad` below; `none` without data. */
export type Level = "none" | "good" | "minor" | "worse" | "bad"

/** Better levels are lower columns, so that bad days stand out in any colour. */
const heights: Record<Level, number> = { none: 4, good: 22, minor: 26, worse: 29, bad: 32 }

const height = 32
const step = 4

export const levelOf = ({ downtime, uptime }: Pick<DayOfUptime, "downtime" | "uptime">): Level =>
  uptime === null
    ? "none"
    : uptime >= 100 && downtime <= 0
      ? "good"
      : uptime >= 99
        ? "minor"
        : uptime >= 95
          ? "worse"
          : "bad"

const levels = Object.keys(heights) as ReadonlyArray<Level>

const column = (day: number, level: Level): string => `M${day * step + 1.5} ${height}v-${heights[level]}`

const path = (level: Level, days: ReadonlyArray<Level>): Html | null => {
  const columns = days.flatMap((one, day) => (one === level ? [column(day, level)] : []))
  return columns.length === 0 ? null : html`<path class=${`day-${level}`} d=${columns.join("")} />`
}

/** A day's data for the script: empty, the percentage, or the percentage and the seconds of downtime. */
const dayData = ({ downtime, uptime }: DayOfUptime): string =>
  uptime === null ? "" : downtime > 0 ? `${figure(uptime)}/${Math.ceil(downtime)}` : figure(uptime)

const label = ({ days, uptime90d }: PublicMonitor): string => {
  const hurt = days.filter((day) => day.downtime > 0).length
  if (uptime90d === null) return `Daily uptime over ${days.length} days: nothing is known yet`
  const downtime = hurt === 0 ? "no downtime" : `downtime on ${hurt} ${hurt === 1 ? "day" : "days"}`
  return `Daily uptime over ${days.length} days: ${percent(uptime90d)}, ${downtime}`
}

/** Renders the bar. The script turns it into a slider over its days. */
export const uptimeBar = (monitor: PublicMonitor): Html => {
  const days = monitor.days.map(levelOf)
  return html`
    <div
      class="bar"
      role="img"
      aria-label=${label(monitor)}
      data-from=${monitor.days[0]?.date}
      data-days=${monitor.days.map(dayData).join(",")}
    >
      <svg viewBox=${`0 0 ${days.length * step - 1} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        ${levels.map((level) => path(level, days))}
      </svg>
    </div>
  `
}

const words: Record<Level, string> = {
  good: "No downtime",
  minor: "99% and more",
  worse: "95% and more",
  bad: "Below 95%",
  none: "No data"
}

/** The legend of the columns. */
export const legend = (): Html => html`
  <ul class="legend" role="list" aria-label="What the bars show">
    ${(["good", "minor", "worse", "bad", "none"] as const).map(
      (level) => html`
        <li>
          <svg viewBox=${`0 0 3 ${height}`} width="4" height="16" preserveAspectRatio="none" aria-hidden="true">
            <path class=${`day-${level}`} d=${column(0, level)} />
          </svg>
          ${words[level]}
        </li>
      `
    )}
  </ul>
`
