/** States as text with a tone (colour and icon). */
import type { Indicator, PublicMonitor, PublicPage } from "@kanmon/domain/PublicPage"
import type { MonitorStatus } from "@kanmon/domain/Status"

/** A colour and an icon. `quiet`: neutral. */
export type Tone = "up" | "degraded" | "down" | "maintenance" | "quiet"

/** A displayed state. */
export interface State {
  readonly tone: Tone
  readonly words: string
}

const states: Record<MonitorStatus, State> = {
  up: { tone: "up", words: "Operational" },
  degraded: { tone: "degraded", words: "Degraded" },
  down: { tone: "down", words: "Down" },
  maintenance: { tone: "maintenance", words: "Under maintenance" },
  paused: { tone: "quiet", words: "Paused" },
  pending: { tone: "quiet", words: "Waiting for the first check" }
}

/** The state of a monitor. */
export const stateOf = (status: MonitorStatus): State => states[status]

/** Most severe first. */
const order: ReadonlyArray<MonitorStatus> = ["down", "degraded", "maintenance", "up", "pending", "paused"]

/** The higher, the more severe. */
export const severityOf = (status: MonitorStatus): number => -order.indexOf(status)

const inGroups: Record<MonitorStatus, string> = {
  down: "down",
  degraded: "degraded",
  maintenance: "under maintenance",
  up: "operational",
  pending: "waiting for the first check",
  paused: "paused"
}

/** The state of a group: the worst status of its monitors, and how many have it. */
export const summaryOf = (monitors: ReadonlyArray<Pick<PublicMonitor, "status">>): State => {
  const worst = order.find((status) => monitors.some((monitor) => monitor.status === status)) ?? "pending"
  const count = monitors.filter(({ status }) => status === worst).length
  const { tone, words } = states[worst]
  return worst === "up" || count === monitors.length
    ? { tone, words: monitors.length > 1 && worst !== "pending" ? `All ${inGroups[worst]}` : words }
    : { tone, words: `${count} of ${monitors.length} ${inGroups[worst]}` }
}

const tones: Record<Indicator, Tone> = {
  operational: "up",
  maintenance: "maintenance",
  degraded: "degraded",
  partial_outage: "down",
  major_outage: "down"
}

/** The state of the page. A page without monitors is empty, not operational. */
export const overall = (page: Pick<PublicPage, "status" | "monitors">): State => ({
  tone: page.monitors.length === 0 && page.status.indicator === "operational" ? "quiet" : tones[page.status.indicator],
  words: page.status.description
})
