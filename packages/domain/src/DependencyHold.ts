/**
 * Holds the alerts of a monitor while one that it depends on is down. Pure: takes the conditions of the dependent and what is
 * known of its parents; returns the conditions by which alerts are decided. Checks, status and uptime are not its business, and a
 * condition that is over stays over, so that a recovery is never held.
 *
 * A child often fails some seconds before its parent is known to be down, because both are checked at their own times. The first
 * alert of an outage therefore waits until every parent was checked after the child's first failure, at most
 * {@link patienceMillis}.
 */
import type { Condition } from "./Alerting.ts"
import type { EpochMillis } from "./Timestamp.ts"

/** The state of a monitor that another one depends on. */
export interface Parent {
  /** Whether its checks say that it is down. A stale status, or one that is unknown at present, is not known to be down. */
  readonly isDown: boolean
  /** When the region that looked longest ago looked; null for a parent that is not worth waiting for. */
  readonly checkedAt: EpochMillis | null
}

/** The state of a held outage: the failures that do not count, by majority. */
export interface Hold {
  readonly streak: number
  readonly unwell: number
  /** The wait for the parents' next checks; null while there is none. */
  readonly wait: { readonly from: EpochMillis; readonly until: EpochMillis } | null
}

/** The conditions that alerts are decided by, and what to remember; no hold while there is nothing to remember. */
export interface HeldConditions {
  readonly conditions: ReadonlyArray<Condition>
  readonly hold: Hold | undefined
}

/** The longest wait for the parents' next checks, from the child's first failure. */
export const patienceMillis = 90_000

/** Decides what is held of a monitor's conditions at an instant. */
export const hold = (
  conditions: ReadonlyArray<Condition>,
  parents: ReadonlyArray<Parent>,
  before: Hold | undefined,
  at: EpochMillis
): HeldConditions => {
  if (parents.length === 0) return { conditions, hold: undefined }
  // The conditions of domain registrations come without those of checks, and say nothing about the outage.
  const outage = conditions.find(({ trigger }) => trigger === "monitor_down")
  if (parents.some(({ isDown }) => isDown)) {
    return {
      conditions: conditions.map(unclear),
      hold: outage === undefined ? before : remembered({ ...countsOf(conditions), wait: null })
    }
  }
  const uncounted = outage === undefined ? before : lessened(before, conditions)
  const anew = uncounted === undefined ? conditions : conditions.map((condition) => without(condition, uncounted))
  const wait = before === undefined || before.wait !== null ? waitOf(conditions, parents, at) : null
  return wait === null
    ? { conditions: anew, hold: uncounted === undefined ? undefined : remembered({ ...uncounted, wait: null }) }
    : {
        conditions: anew.map((condition) => (counts(condition) ? unclear(condition) : condition)),
        hold: { streak: uncounted?.streak ?? 0, unwell: uncounted?.unwell ?? 0, wait }
      }
}

const counts = ({ trigger }: Condition): boolean => trigger === "monitor_down" || trigger === "monitor_degraded"

/** An open alert stays open, and none opens. */
const unclear = (condition: Condition): Condition =>
  condition.state === "holds" ? { ...condition, state: "unclear" } : condition

const countsOf = (conditions: ReadonlyArray<Condition>): Pick<Hold, "streak" | "unwell"> => ({
  streak: conditions.find(({ trigger }) => trigger === "monitor_down")?.streak ?? 0,
  unwell: conditions.find(({ trigger }) => trigger === "monitor_degraded")?.streak ?? 0
})

/** The failures that still do not count: never more than there are now, so that a new run begins at its first failure. */
const lessened = (before: Hold | undefined, conditions: ReadonlyArray<Condition>): Hold | undefined => {
  if (before === undefined) return undefined
  const now = countsOf(conditions)
  return { ...before, streak: Math.min(before.streak, now.streak), unwell: Math.min(before.unwell, now.unwell) }
}

const without = (condition: Condition, { streak, unwell }: Hold): Condition => {
  if (!counts(condition)) return condition
  return { ...condition, streak: condition.streak - (condition.trigger === "monitor_down" ? streak : unwell) }
}

const remembered = (hold: Hold): Hold | undefined => (hold.streak > 0 || hold.unwell > 0 ? hold : undefined)

const waitOf = (
  conditions: ReadonlyArray<Condition>,
  parents: ReadonlyArray<Parent>,
  at: EpochMillis
): Hold["wait"] => {
  const from = conditions.find((condition) => counts(condition) && condition.state === "holds")?.since
  if (from === undefined || at >= from + patienceMillis) return null
  const late = parents.some(({ checkedAt }) => checkedAt !== null && checkedAt < from)
  return late ? { from, until: from + patienceMillis } : null
}
