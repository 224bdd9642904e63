/** States in words, and the tone (colour and icon) that goes with them. */
import type { Indicator, PublicMonitor, PublicPage } from "@kanmon/domain/PublicPage"
import type { MonitorStatus } from "@kanmon/domain/Status"

/** A colour and an icon. `quiet`: nothing to say of it. */
export type Tone = "up" | "degraded" | "down" | "maintenance" | "quiet"

/** A state as it is shown. */
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

/** How a monitor stands. */
export const stateOf = (status: MonitorStatus): State => states[status]

/** From the one that matters most. */
const order: ReadonlyArray<MonitorStatus> = ["down", "degraded", "maintenance", "up", "pending", "paused"]

const inGroups: Record<MonitorStatus, string> = {
  down: "down",
  degraded: "degraded",
  maintenance: "under maintenance",
  up: "operational",
  pending: "waiting for the first check",
  paused: "paused"
}

/** What the monitors of a group amount to: the worst of them, and how many stand so. */
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

/** How the whole stands. A page without monitors is not well, it is empty. */
export const overall = (page: Pick<PublicPage, "status" | "monitors">): State => ({
  tone: page.monitors.length === 0 && page.status.indicator === "operational" ? "quiet" : tones[page.status.indicator],
  words: page.status.description
})
