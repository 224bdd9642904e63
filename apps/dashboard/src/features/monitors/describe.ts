/** Words about a monitor that need no knowledge of its type. */
import type { MonitorRecord } from "../../live/MonitorStore.ts"

/** Fields that say what is checked, for the types that have them; the first that a record has is its target. */
const targetFields = ["url", "host", "hostname", "domain"]

/** What is checked, in short; empty for monitors that wait for signals. */
export const targetOf = (monitor: MonitorRecord): string => {
  if (monitor.heartbeatUrl !== undefined) return ""
  for (const field of targetFields) {
    const value = monitor[field]
    if (typeof value !== "string") continue
    const port = monitor["port"]
    return typeof port === "number"
      ? `${value}:${port}`
      : value.replace(/^https?:\/\/([^/]+)\/$/, "$1").replace(/^https?:\/\//, "")
  }
  return ""
}
