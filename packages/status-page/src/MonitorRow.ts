/** One monitor: status, uptime bar, uptime figures, response times and outages. */
import type { Outage, PublicMonitor } from "@kanmon/domain/PublicPage"
import { duration } from "./Duration.ts"
import { type Html, html } from "./Html.ts"
import { icon } from "./Icons.ts"
import { moment } from "./Moment.ts"
import { percent } from "./Percent.ts"
import { responseTimes } from "./ResponseTimes.ts"
import { type State, stateOf } from "./State.ts"
import { uptimeBar } from "./UptimeBar.ts"

/** Maximum number of outages listed per monitor. */
const maxOutages = 50

/** A state as coloured text with an icon. */
export const badge = ({ tone, words }: State): Html =>
  html`<span class=${`state is-${tone}`}>${icon(tone)}<span>${words}</span></span>`

const figures = (monitor: PublicMonitor): Html => {
  const shown = [
    ["24 hours", monitor.uptime24h],
    ["7 days", monitor.uptime7d],
    ["30 days", monitor.uptime30d],
    ["90 days", monitor.uptime90d]
  ] as const
  return html`
    <dl class="figures">
      ${shown.map(
        ([window, value]) => html`
          <div>
            <dt>${window}</dt>
            <dd>${value === null ? html`<span aria-label="no data">–</span>` : percent(value)}</dd>
          </div>
        `
      )}
    </dl>
  `
}

/** Where less than the 90 days is known, the day from which it is: the figures of longer windows are those of fewer days. */
const measuredSince = ({ days }: PublicMonitor): Html | null => {
  const first = days.find(({ uptime }) => uptime !== null)
  return first === undefined || first === days[0]
    ? null
    : html`<p class="scale">
        <span>Measured since <time datetime=${first.date}>${first.date}</time> (UTC)</span>
      </p>`
}

const outage = ({ endedAt, startedAt }: Outage): Html => html`
  <li>
    ${moment(startedAt)}
    <span>${endedAt === null ? "Not over yet" : duration((endedAt - startedAt) / 1000)}</span>
  </li>
`

const outages = ({ id, outages }: PublicMonitor): Html =>
  outages.length === 0
    ? html`<p class="no-outages">No outages in 90 days</p>`
    : html`
        <details class="outages" id=${`outages-${id}`}>
          <summary>
            ${
              outages.length === 1
                ? "1 outage in 90 days"
                : outages.length < maxOutages
                  ? `${outages.length} outages in 90 days`
                  : `The last ${outages.length} outages`
            }
          </summary>
          <ul role="list">
            ${outages.map(outage)}
          </ul>
        </details>
      `

/** Statuses shown with the time of their beginning. */
const dated: ReadonlySet<PublicMonitor["status"]> = new Set(["down", "degraded", "maintenance", "paused"])

/** @param heading the heading level, which is lower inside a group. */
export const monitorRow = (monitor: PublicMonitor, heading: "h3" | "h4"): Html => html`
  <li class="monitor" id=${monitor.id}>
    <div class="title">
      <${heading} dir="auto">${monitor.name}</${heading}>
      <p>
        ${badge(stateOf(monitor.status))}
        ${
          monitor.since !== null && dated.has(monitor.status)
            ? html`<span class="since"> since ${moment(monitor.since)}</span>`
            : null
        }
      </p>
    </div>
    ${uptimeBar(monitor)}
    <p class="scale" aria-hidden="true"><span>${monitor.days.length} days ago</span><span>Today</span></p>
    <div class="numbers">${figures(monitor)}${responseTimes(monitor.responseTimes)}</div>
    ${measuredSince(monitor)}
    ${outages(monitor)}
  </li>
`
