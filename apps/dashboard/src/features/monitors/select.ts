/** Which monitors a list shows, and in which order. Pure. */
import type { MonitorRecord } from "../../live/MonitorStore.ts"
import { order, type Status } from "../../ui/Status.tsx"
import { targetOf } from "./describe.ts"
import type { ListSearch } from "./listSearch.ts"

const rank = new Map(order.map((status, index) => [status, index]))

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" })

/** Names are sorted by one number each: comparing thousands of texts by locale on every change takes too long. */
const positions = new WeakMap<object, number>()

export const placeByName = (monitors: ReadonlyArray<MonitorRecord>): void => {
  const sorted = [...monitors].sort((one, other) => collator.compare(one.name, other.name))
  for (const [index, monitor] of sorted.entries()) positions.set(monitor, index)
}

const byName = (one: MonitorRecord, other: MonitorRecord): number => {
  const [left, right] = [positions.get(one), positions.get(other)]
  return left === undefined || right === undefined ? collator.compare(one.name, other.name) : left - right
}

const compare = {
  name: byName,
  status: (one: MonitorRecord, other: MonitorRecord) => rank.get(one.status)! - rank.get(other.status)!,
  type: (one: MonitorRecord, other: MonitorRecord) => (one.type < other.type ? -1 : one.type > other.type ? 1 : 0),
  checked: (one: MonitorRecord, other: MonitorRecord) => {
    const [left, right] = [one.lastCheckedAt ?? "", other.lastCheckedAt ?? ""]
    return left < right ? 1 : left > right ? -1 : 0
  }
}

const lowered = new WeakMap<object, string>()

/** The text that a search looks through. */
const textOf = (monitor: MonitorRecord): string => {
  const known = lowered.get(monitor)
  if (known !== undefined) return known
  const text =
    `${monitor.name}\n${targetOf(monitor)}\n${monitor.group ?? ""}\n${monitor.tags.join("\n")}\n${monitor.id}`.toLowerCase()
  lowered.set(monitor, text)
  return text
}

type Counts = Readonly<Record<Status, number>> & { readonly all: number }

export interface Selection {
  readonly monitors: ReadonlyArray<MonitorRecord>
  /** Of what the other filters leave, by status. */
  readonly counts: Counts
}

export const select = (all: Iterable<MonitorRecord>, search: ListSearch): Selection => {
  const words = (search.q ?? "").toLowerCase().split(/\s+/).filter(Boolean)
  const counts = { all: 0, up: 0, degraded: 0, down: 0, maintenance: 0, paused: 0, pending: 0 }
  const monitors: Array<MonitorRecord> = []
  for (const monitor of all) {
    if (search.type !== undefined && monitor.type !== search.type) continue
    if (search.tag !== undefined && !monitor.tags.includes(search.tag)) continue
    if (
      search.group !== undefined &&
      monitor.group !== search.group &&
      monitor.group?.startsWith(`${search.group}/`) !== true
    )
      continue
    if (words.length > 0) {
      const text = textOf(monitor)
      if (!words.every((word) => text.includes(word))) continue
    }
    counts.all++
    counts[monitor.status]++
    if (search.status === undefined || monitor.status === search.status) monitors.push(monitor)
  }
  const sort = search.sort ?? "status"
  const key = (sort.startsWith("-") ? sort.slice(1) : sort) as keyof typeof compare
  const sign = sort.startsWith("-") ? -1 : 1
  monitors.sort((one, other) => sign * compare[key](one, other) || byName(one, other))
  return { monitors, counts }
}
