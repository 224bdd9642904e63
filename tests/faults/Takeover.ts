/** How long the monitors of a probe that went away were asked by nobody else. */
import type { Asked, Evidence } from "./Evidence.ts"
import type { Absence } from "./Process.ts"

export interface Takeover {
  readonly absence: Absence
  /** Monitors that it had been asking. */
  readonly monitors: number
  /** Milliseconds until another probe asked the first of them: it had learned that they are its own now. */
  readonly noticed: number | undefined
  /** Milliseconds until the last of them had been asked by another probe, or by this one come back. */
  readonly complete: number | undefined
  /** Of those that another probe asked before this one was back. */
  readonly taken: number
  /** The longest time between two looks at one of them, in milliseconds. */
  readonly longestGap: number
}

/** What followed from each stay away of a probe. */
export const measure = (evidence: Evidence): ReadonlyArray<Takeover> => {
  const { absences, intervalMillis, regions } = evidence
  return absences
    .filter(({ name }) => name in regions)
    .map((absence) => {
      const near = evidence.asked.filter(
        ({ at, probe }) =>
          regions[probe] === regions[absence.name] &&
          at > absence.from - 1.5 * intervalMillis &&
          at < (absence.to ?? absence.from) + 3 * intervalMillis
      )
      return one(
        absence,
        Map.groupBy(near, ({ target }) => target)
      )
    })
}

const one = (absence: Absence, byTarget: ReadonlyMap<number, ReadonlyArray<Asked>>): Takeover => {
  const waits: Array<number> = []
  const others: Array<number> = []
  let longestGap = 0
  for (const asked of byTarget.values()) {
    const before = asked.findLast(({ at }) => at <= absence.from)
    if (before?.probe !== absence.name) continue
    const after = asked.filter(({ at }) => at > absence.from)
    // While it is cut off or frozen it may still ask, or ask again: only what it asks once it is back counts as its own.
    const next = after.find(
      ({ at, probe }) => probe !== absence.name || (absence.how !== "cut" && at >= (absence.to ?? absence.from))
    )
    if (next === undefined) continue
    waits.push(next.at - absence.from)
    if (next.probe !== absence.name) others.push(next.at - absence.from)
    longestGap = Math.max(longestGap, (after[0] ?? next).at - before.at)
  }
  const least = others.length === 0 ? undefined : others.reduce((one, other) => Math.min(one, other))
  const most = waits.length === 0 ? undefined : waits.reduce((one, other) => Math.max(one, other))
  return { absence, monitors: waits.length, noticed: least, complete: most, taken: others.length, longestGap }
}
