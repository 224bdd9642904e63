/**
 * Dependencies between monitors. A monitor with a parent that is down opens no alert of its own. Dependencies form no
 * cycle.
 */
import { Schema } from "effect"
import { MonitorId } from "./Ids.ts"

/** The monitors that a monitor depends on. */
export const DependsOn = Schema.Array(MonitorId).check(
  Schema.isMaxLength(10, { message: "Expected at most 10 monitors" })
)

/** The monitors that each monitor depends on. */
export type Dependencies = ReadonlyMap<string, ReadonlyArray<string>>

/**
 * The shortest cycle that begins and ends with `start`, such as `[a, b, a]`; undefined when there is none. In a graph without
 * cycles, a change of one monitor's dependencies can only make a cycle through that monitor.
 */
export const cycleThrough = (start: string, dependencies: Dependencies): ReadonlyArray<string> | undefined => {
  const cameFrom = new Map<string, string>()
  const queue = [start]
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    for (const next of dependencies.get(at) ?? []) {
      if (next === start) return pathTo(at, start, cameFrom)
      if (cameFrom.has(next)) continue
      cameFrom.set(next, at)
      queue.push(next)
    }
  }
  return undefined
}

const pathTo = (end: string, start: string, cameFrom: ReadonlyMap<string, string>): ReadonlyArray<string> => {
  const path = [start]
  for (let at = end; at !== start; at = cameFrom.get(at)!) path.unshift(at)
  return [start, ...path]
}
