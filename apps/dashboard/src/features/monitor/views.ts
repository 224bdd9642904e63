/** The parts of a monitor's page, as its address names them. */
import type { Text } from "../../locales/catalogue.ts"

export const views = {
  overview: "Overview",
  signals: "Signals",
  checks: "Checks",
  outages: "Outages",
  alerts: "Alerts",
  code: "As code"
} as const satisfies Record<string, Text>

export type View = keyof typeof views

/** Seconds that a chart shows. */
export const periods = {
  "1h": 3600,
  "24h": 86_400,
  "7d": 7 * 86_400,
  "30d": 30 * 86_400,
  "90d": 90 * 86_400,
  "1y": 365 * 86_400
} as const
export type Period = keyof typeof periods

export const isPeriod = (id: unknown): id is Period => typeof id === "string" && Object.hasOwn(periods, id)

/** How the chart splits response times: not, or by region or phase. */
type Split = "region" | "phase"

/** The address of a monitor's page: its part, and what the chart shows. */
export interface MonitorSearch {
  readonly view?: View
  readonly period?: Period
  readonly by?: Split
  /** A span that the reader chose in the chart, in seconds since the epoch. */
  readonly from?: number
  readonly to?: number
  /** With the time before. */
  readonly compare?: true
}

const longest = periods["1y"]

export const parseMonitorSearch = (search: Record<string, unknown>): MonitorSearch => {
  const { by, compare, from, period, to, view } = search
  const isSpan =
    typeof from === "number" && typeof to === "number" && from > 0 && to - from >= 1 && to - from <= longest
  return {
    ...(isView(view) && view !== "overview" ? { view } : {}),
    ...(isPeriod(period) && period !== "24h" ? { period } : {}),
    ...(by === "region" || by === "phase" ? { by } : {}),
    ...(compare === true ? { compare } : {}),
    ...(isSpan ? { from: Math.floor(from), to: Math.ceil(to) } : {})
  }
}

const isView = (name: unknown): name is View => typeof name === "string" && Object.hasOwn(views, name)

export const viewNames = Object.keys(views).filter(isView)
