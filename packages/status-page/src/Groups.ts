/** Groups of monitors, and the part of them in one chunk. */
import { createHash } from "node:crypto"
import type { PublicMonitor } from "@kanmon/domain/PublicPage"
import { type State, summaryOf } from "./State.ts"

/** Consecutive monitors under one heading, or under none. */
export interface Group {
  /** The same in every chunk with a part of this group. */
  readonly id: string
  readonly name: string | null
  /** The state of the whole group, including hidden parts. */
  readonly summary: State
  readonly monitors: ReadonlyArray<PublicMonitor>
}

const idOf = (name: string | null): string =>
  name === null ? "group" : `group-${createHash("sha256").update(name).digest("hex").slice(0, 10)}`

/** All groups of a page, in the page's order. */
export const groupsOf = (monitors: ReadonlyArray<PublicMonitor>): ReadonlyArray<Group> => {
  const members = new Map<string | null, Array<PublicMonitor>>()
  for (const monitor of monitors) {
    const group = members.get(monitor.displayGroup)
    if (group === undefined) members.set(monitor.displayGroup, [monitor])
    else group.push(monitor)
  }
  return Array.from(members, ([name, monitors]) => ({ id: idOf(name), name, summary: summaryOf(monitors), monitors }))
}

/** The groups that have monitors from `cursor` on, with these monitors only. */
export const chunkOf = (groups: ReadonlyArray<Group>, cursor: number, chunk: number): ReadonlyArray<Group> => {
  let before = 0
  return groups.flatMap((group) => {
    const monitors = group.monitors.slice(Math.max(0, cursor - before), Math.max(0, cursor + chunk - before))
    before += group.monitors.length
    return monitors.length === 0 ? [] : [{ ...group, monitors }]
  })
}
