/** The course of an escalation, one group for each moment of a step. Pure. */
import type { Policy } from "../../../api/policy.ts"
import type { EscalationPreview } from "@kanmon/protocol/EscalationPolicyBody"

export type Entry = (typeof EscalationPreview.Encoded)["entries"][number]

export interface Group {
  readonly at: string
  readonly round: number
  /** Counted from 0; null after the last step. */
  readonly step: number | null
  /** The recipients. */
  readonly pages: ReadonlyArray<Entry>
  /** Those of them that are told at once. */
  readonly sent: ReadonlyArray<Entry>
  /** Those of them that wait for the end of quiet hours, by that end. */
  readonly waiting: ReadonlyMap<string, ReadonlyArray<Entry>>
  readonly reachesNoOne: boolean
  readonly ends: boolean
}

/** Whether the owners are told at the end: without a channel for it, or when no one was ever reached. */
export const ownersAreTold = (entries: ReadonlyArray<Entry>, onExhausted: Policy["onExhausted"]): boolean =>
  onExhausted === null || !entries.some(({ type }) => type === "page")

/** Entries of the same step of the same round at the same time, in their order. */
export const groupsOf = (entries: ReadonlyArray<Entry>): ReadonlyArray<Group> => {
  const groups: Array<{ readonly key: string; readonly entries: Array<Entry> }> = []
  for (const entry of entries) {
    const key = `${entry.at} ${entry.round} ${entry.step}`
    const last = groups.at(-1)
    if (last?.key === key) last.entries.push(entry)
    else groups.push({ key, entries: [entry] })
  }
  return groups.map(({ entries: [first, ...rest] }) => {
    const all = [first!, ...rest]
    const pages = all.filter(({ type }) => type === "page")
    const waiting = Map.groupBy(
      pages.filter(({ heldUntil }) => heldUntil !== null),
      ({ heldUntil }) => heldUntil!
    )
    const has = (type: Entry["type"]) => all.some((each) => each.type === type)
    return {
      at: first!.at,
      round: first!.round,
      step: first!.step,
      pages,
      sent: pages.filter(({ heldUntil }) => heldUntil === null),
      waiting,
      reachesNoOne: has("nobody_reached"),
      ends: has("exhausted")
    }
  })
}
