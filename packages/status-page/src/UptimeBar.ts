/** The bar of daily uptime: a column per day, drawn as one path per level. */
import type { DayOfUptime, PublicMonitor } from "@kanmon/domain/PublicPage"
import { barHeight, barWidth, column, type Level, levelOf, pathsOf, step } from "./DayLevel.ts"
import { duration } from "./Duration.ts"
import { type Html, html } from "./Html.ts"
import { figure, percent } from "./Percent.ts"

/** A day's data for the script: empty, the percentage, or the percentage and the seconds of downtime. */
const dayData = ({ downtime, uptime }: DayOfUptime): string =>
  uptime === null ? "" : downtime > 0 ? `${figure(uptime)}/${Math.ceil(downtime)}` : figure(uptime)

const label = ({ days, uptime90d }: PublicMonitor): string => {
  const hurt = days.filter((day) => day.downtime > 0).length
  if (uptime90d === null) return `Daily uptime over ${days.length} days: nothing is known yet`
  const downtime = hurt === 0 ? "no downtime" : `downtime on ${hurt} ${hurt === 1 ? "day" : "days"}`
  return `Daily uptime over ${days.length} days: ${percent(uptime90d)}, ${downtime}`
}

/** Without the script, days with downtime say by themselves how long it was. */
const hint = ({ date, downtime, uptime }: DayOfUptime, day: number): Html | null =>
  downtime > 0
    ? html`<rect x=${day * step} y="0" width=${step} height=${barHeight} fill="none" pointer-events="all">
        <title>${date}: ${percent(uptime)} up, down for ${duration(downtime)}</title>
      </rect>`
    : null

/** Renders the bar. The script turns it into a slider over its days. */
export const uptimeBar = (monitor: PublicMonitor): Html => html`
  <div
    class="bar"
    role="img"
    aria-label=${label(monitor)}
    data-from=${monitor.days[0]?.date}
    data-days=${monitor.days.map(dayData).join(",")}
  >
    <svg viewBox=${`0 0 ${barWidth(monitor.days.length)} ${barHeight}`} preserveAspectRatio="none" aria-hidden="true">
      ${pathsOf(monitor.days.map(levelOf)).map(({ d, level }) => html`<path class=${`day-${level}`} d=${d} />`)}
      ${monitor.days.map(hint)}
    </svg>
  </div>
`

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
          <svg viewBox=${`0 0 3 ${barHeight}`} width="4" height="16" preserveAspectRatio="none" aria-hidden="true">
            <path class=${`day-${level}`} d=${column(0, level)} />
          </svg>
          ${words[level]}
        </li>
      `
    )}
  </ul>
`
