/** The parts of a monitor's page, as its address names them. */
import type { Text } from "../../locales/text.ts"

export const views = {
  overview: "Overview",
  signals: "Signals",
  checks: "Checks",
  outages: "Outages",
  alerts: "Alerts",
  code: "As code"
} as const satisfies Record<string, Text>

export type View = keyof typeof views

export const isView = (name: unknown): name is View => typeof name === "string" && name in views
