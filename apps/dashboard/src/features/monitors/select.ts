/** Which monitors a list shows, and in which order. Pure, but for what it remembers of names. */
import type { MonitorSummary } from "../../live/MonitorStore.ts"
import { byName } from "../../ui/collation.ts"
import { order, type Status } from "../../ui/statusOrder.ts"
import type { ListSearch } from "./listSearch.ts"

const rank = new Map(order.map((status, index) => [status, index]))

/** Text as searches compare it: without case and accents. */
const fold = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036F]/g, "")
    .toLowerCase()

interface Placed {
  readonly name: string
  readonly place: number
}

let places: ReadonlyMap<string, Placed> = new Map()

/** Names are sorted by one number each: comparing thousands of texts by locale on every change takes too long. */
const placesOf = (monitors: ReadonlyArray<MonitorSummary>): ReadonlyMap<string, Placed> => {
  if (monitors.some(({ id, name }) => places.get(id)?.name !== name)) {
    const sorted = [...monitors].sort((one, other) => byName(one.name, other.name))
    places = new Map(sorted.map(({ id, name }, place) => [id, { name, place }]))
  }
  return places
}

/** The sort value of each column: the smallest first; null comes last in both directions. */
const valueOf: Readonly<
  Record<"name" | "status" | "uptime" | "response" | "changed", (monitor: MonitorSummary) => number | null>
> = {
  name: () => 0,
  status: ({ status }) => rank.get(status)!,
  uptime: ({ uptime }) => uptime,
  response: ({ responseTime }) => responseTime,
  changed: ({ since }) => -since
}

const folded = new WeakMap<MonitorSummary, string>()

/** The text that a search looks through. */
const textOf = (monitor: MonitorSummary): string => {
  const known = folded.get(monitor)
  if (known !== undefined) return known
  const { group, id, name, tags, target } = monitor
  const text = fold(`${name}\n${target ?? ""}\n${group ?? ""}\n${tags.join("\n")}\n${id}`)
  folded.set(monitor, text)
  return text
}

type Counts = Readonly<Record<Status, number>> & { readonly all: number }

export interface Selection {
  readonly monitors: ReadonlyArray<MonitorSummary>
  /** The counts by status among the monitors that the other filters leave. */
  readonly counts: Counts
}

const isIn = (group: string | null, wanted: string): boolean =>
  group === wanted || group?.startsWith(`${wanted}/`) === true

export const select = (all: ReadonlyArray<MonitorSummary>, search: ListSearch): Selection => {
  const words = fold(search.q ?? "")
    .split(/\s+/)
    .filter(Boolean)
  const counts = { all: 0, up: 0, degraded: 0, down: 0, maintenance: 0, paused: 0, pending: 0 }
  const sort = search.sort ?? "status"
  const descending = sort.startsWith("-")
  const value = valueOf[(descending ? sort.slice(1) : sort) as keyof typeof valueOf]
  const sign = descending ? -1 : 1
  const placed = placesOf(all)
  const found: Array<{ readonly monitor: MonitorSummary; readonly key: number; readonly place: number }> = []
  for (const monitor of all) {
    if (search.type !== undefined && monitor.type !== search.type) continue
    if (search.tag !== undefined && !monitor.tags.includes(search.tag)) continue
    if (search.group !== undefined && !isIn(monitor.group, search.group)) continue
    if (search.region !== undefined && monitor.regions.length > 0 && !monitor.regions.includes(search.region)) continue
    if (search.results !== undefined && !monitor.stale) continue
    if (words.length > 0) {
      const text = textOf(monitor)
      if (!words.every((word) => text.includes(word))) continue
    }
    counts.all++
    counts[monitor.status]++
    if (search.status !== undefined && monitor.status !== search.status) continue
    const key = value(monitor)
    const place = placed.get(monitor.id)!.place
    found.push({
      monitor,
      key: key === null ? Number.POSITIVE_INFINITY : key * sign,
      place: sort === "-name" ? -place : place
    })
  }
  // Infinity minus itself is no number, which counts as equal here.
  found.sort((one, other) => one.key - other.key || one.place - other.place)
  return { monitors: found.map(({ monitor }) => monitor), counts }
}
