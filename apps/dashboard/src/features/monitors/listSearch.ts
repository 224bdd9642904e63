/** The address of the monitors list: every filter and the order are in it, so that it can be shared. */
import type { Status } from "../../ui/statusOrder.ts"

const statuses: ReadonlySet<string> = new Set(["up", "degraded", "down", "maintenance", "paused", "pending"])
const orders = ["name", "status", "uptime", "response", "changed"] as const
export type SortKey = (typeof orders)[number]

export interface ListSearch {
  readonly q?: string | undefined
  readonly status?: Status | undefined
  readonly type?: string | undefined
  readonly tag?: string | undefined
  /** A group, with all below it. */
  readonly group?: string | undefined
  /** Monitors that are checked from there. */
  readonly region?: string | undefined
  /** Monitors with late results. */
  readonly results?: "overdue" | undefined
  /** The column, with `-` before it for the reverse; by default the worst status first. */
  readonly sort?: SortKey | `-${SortKey}` | undefined
  /** Shown below the groups that they are in. */
  readonly by?: "group" | undefined
}

/** The parts that leave monitors out. */
const filters = ["q", "status", "type", "tag", "group", "region", "results"] as const

export const isFiltered = (search: ListSearch): boolean => filters.some((name) => search[name] !== undefined)

const text = (value: unknown): string | undefined => {
  const found = typeof value === "number" ? String(value) : value
  return typeof found === "string" && found !== "" ? found : undefined
}

const isStatus = (value: string | undefined): value is Status => value !== undefined && statuses.has(value)

const isSort = (value: string | undefined): value is NonNullable<ListSearch["sort"]> =>
  value !== undefined && orders.some((order) => value === order || value === `-${order}`)

export const parseListSearch = (search: Record<string, unknown>): ListSearch => {
  const status = text(search["status"])
  const sort = text(search["sort"])
  return {
    q: text(search["q"]),
    status: isStatus(status) ? status : undefined,
    type: text(search["type"]),
    tag: text(search["tag"]),
    group: text(search["group"]),
    region: text(search["region"]),
    results: search["results"] === "overdue" ? "overdue" : undefined,
    sort: isSort(sort) ? sort : undefined,
    by: search["by"] === "group" ? "group" : undefined
  }
}
