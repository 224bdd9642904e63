/** The address of the monitors list: every filter and the order are in it, so that it can be shared. */
import type { Status } from "../../ui/Status.tsx"

const statuses: ReadonlySet<string> = new Set(["up", "degraded", "down", "maintenance", "paused", "pending"])
const orders = ["name", "status", "type", "checked"] as const
export type SortKey = (typeof orders)[number]

export interface ListSearch {
  readonly q?: string | undefined
  readonly status?: Status | undefined
  readonly type?: string | undefined
  readonly tag?: string | undefined
  readonly group?: string | undefined
  /** The column, with `-` before it for the reverse; by default the worst status first. */
  readonly sort?: SortKey | `-${SortKey}` | undefined
}

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
    sort: isSort(sort) ? sort : undefined
  }
}
