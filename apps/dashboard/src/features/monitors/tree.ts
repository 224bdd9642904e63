/** The rows of a list: monitors, or groups with their monitors below them. Pure. */
import type { MonitorSummary } from "../../live/MonitorStore.ts"
import { byName } from "../../ui/collation.ts"
import { order, type Status } from "../../ui/statusOrder.ts"

export type Item =
  | { readonly kind: "monitor"; readonly key: string; readonly id: string; readonly depth: number }
  | {
      readonly kind: "group"
      readonly key: string
      /** Such as `Shop/Payments`; null: monitors without a group. */
      readonly path: string | null
      readonly name: string
      readonly depth: number
      /** The number of monitors in it and below it. */
      readonly count: number
      readonly worst: Status
      /** How many of them are down or degraded. */
      readonly failing: number
      readonly isOpen: boolean
    }

export const flat = (monitors: ReadonlyArray<MonitorSummary>): ReadonlyArray<Item> =>
  monitors.map(({ id }) => ({ kind: "monitor", key: id, id, depth: 0 }))

interface Node {
  readonly path: string | null
  readonly name: string
  readonly children: Map<string, Node>
  readonly monitors: Array<MonitorSummary>
  count: number
  failing: number
  worst: number
}

const nodeOf = (path: string | null, name: string): Node => ({
  path,
  name,
  children: new Map(),
  monitors: [],
  count: 0,
  failing: 0,
  worst: order.length - 1
})

const rank = new Map(order.map((status, index) => [status, index]))

const add = (node: Node, { status }: MonitorSummary) => {
  node.count++
  if (status === "down" || status === "degraded") node.failing++
  node.worst = Math.min(node.worst, rank.get(status)!)
}

/** The key of a group, which no id of a monitor can be. */
const keyOf = (path: string | null): string => (path === null ? "group" : `group:${path}`)

/** Groups by name, each with its monitors in their given order. Monitors without a group are last. */
export const inGroups = (
  monitors: ReadonlyArray<MonitorSummary>,
  closed: ReadonlySet<string>,
  nameOfNone: string
): ReadonlyArray<Item> => {
  const root = nodeOf("", "")
  const none = nodeOf(null, nameOfNone)
  for (const monitor of monitors) {
    if (monitor.group === null) {
      add(none, monitor)
      none.monitors.push(monitor)
      continue
    }
    let node = root
    let path = ""
    for (const name of monitor.group.split("/")) {
      path = path === "" ? name : `${path}/${name}`
      const child = node.children.get(name) ?? nodeOf(path, name)
      node.children.set(name, child)
      add(child, monitor)
      node = child
    }
    node.monitors.push(monitor)
  }
  const items: Array<Item> = []
  const list = (node: Node, depth: number) => {
    const key = keyOf(node.path)
    const isOpen = !closed.has(key)
    const { count, failing, name, path, worst } = node
    items.push({ kind: "group", key, path, name, depth, count, failing, worst: order[worst]!, isOpen })
    if (!isOpen) return
    for (const { id } of node.monitors) items.push({ kind: "monitor", key: id, id, depth: depth + 1 })
    listAll(node.children, depth + 1)
  }
  const listAll = (nodes: ReadonlyMap<string, Node>, depth: number) => {
    for (const node of [...nodes.values()].sort((one, other) => byName(one.name, other.name))) list(node, depth)
  }
  listAll(root.children, 0)
  if (none.count > 0) list(none, 0)
  return items
}
