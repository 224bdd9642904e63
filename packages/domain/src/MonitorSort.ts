/** The orders in which monitors can be listed. */
import { Schema } from "effect"

/** A field to sort by, ascending; `-` reverses. */
export const MonitorSort = Schema.Literals([
  "name",
  "-name",
  "status",
  "-status",
  "uptime",
  "-uptime",
  "responseTime",
  "-responseTime",
  "lastChange",
  "-lastChange"
])
export type MonitorSort = typeof MonitorSort.Type

/** The sort fields. */
export type SortField = "name" | "status" | "uptime" | "responseTime" | "lastChange"

const fields: Readonly<Record<MonitorSort, readonly [field: SortField, descending: boolean]>> = {
  name: ["name", false],
  "-name": ["name", true],
  status: ["status", false],
  "-status": ["status", true],
  uptime: ["uptime", false],
  "-uptime": ["uptime", true],
  responseTime: ["responseTime", false],
  "-responseTime": ["responseTime", true],
  lastChange: ["lastChange", false],
  "-lastChange": ["lastChange", true]
}

export const readSort = (sort: MonitorSort): { readonly field: SortField; readonly descending: boolean } => {
  const [field, descending] = fields[sort]
  return { field, descending }
}

/** Statuses from the one that needs attention first to the one that needs none. */
export const statusOrder = ["down", "degraded", "pending", "maintenance", "up", "paused"] as const
