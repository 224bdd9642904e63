/**
 * The fields of monitors that users set: the result of a draft, and the differences of two monitors. Pure, but for
 * tokens.
 */
import type { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import type { Monitor, organizing } from "@kanmon/domain/Monitor"
import { Equal } from "effect"
import { newSignalToken } from "@kanmon/platform/database/Secrets"

/** The fields of a monitor that a user sets. */
export type MonitorDraft = Pick<Monitor, "name" | "type" | "interval" | "timeout" | "regions" | "paused" | "config"> & {
  /** It waits for signals: no probe checks it. */
  readonly passive?: boolean
  /** Fields of `config` to store encrypted. */
  readonly writeOnly?: ReadonlyArray<string>
  /** When absent, it stays unchanged; a new monitor gets none. */
  readonly key?: Monitor["key"]
  /** When absent, it stays unchanged; a new monitor gets none. */
  readonly retryInterval?: Monitor["retryInterval"]
} & Partial<Notes>

/** The notes of a monitor. Absent ones stay unchanged; a new monitor gets none. */
type Notes = Pick<Monitor, keyof typeof organizing>

/** The tags that only one of the two has. */
export const changedTags = ({ tags: before }: Monitor, { tags: after }: Monitor): ReadonlyArray<string> => [
  ...before.filter((tag) => !after.includes(tag)),
  ...after.filter((tag) => !before.includes(tag))
]

const noNotes: Notes = { tags: [], group: null, description: null, links: [], dependsOn: [] }

const isSame = Equal.asEquivalence<unknown>()
/** Whether a field has the same value in both. */
export const same = (field: keyof Monitor, one: Monitor, other: Monitor): boolean => isSame(one[field], other[field])

/** The fields that decide how a monitor is checked. */
const checked = ["key", "name", "interval", "retryInterval", "timeout", "regions", "paused", "config"] as const
const notes = Object.keys(noNotes) as ReadonlyArray<keyof Notes>

/** Whether users decided the same in both. */
export const isUnchanged = (before: Monitor, after: Monitor): boolean =>
  [...notes, ...checked].every((field) => same(field, before, after))

/** Whether a change concerns more than notes. A change of nothing at all has the monitor checked at once. */
export const isRespecified = (before: Monitor, after: Monitor): boolean =>
  notes.every((field) => same(field, before, after)) || !checked.every((field) => same(field, before, after))

/** A new monitor. */
export const created = (
  id: MonitorId,
  projectId: ProjectId,
  { key = null, passive = false, retryInterval = null, writeOnly: _writeOnly, ...draft }: MonitorDraft,
  at: number
): Monitor => ({
  ...noNotes,
  ...draft,
  id,
  projectId,
  key,
  retryInterval,
  status: draft.paused ? "paused" : "pending",
  stale: false,
  lastCheckedAt: null,
  lastFailure: null,
  createdAt: at,
  updatedAt: at,
  signalToken: passive ? newSignalToken() : null,
  pausedReason: null,
  wantedInterval: null,
  wantedRetryInterval: null
})

/** The monitor after a change. `paced`: the user chose another interval. `turn`: the user paused or resumed it. */
export const changed = (
  current: Monitor,
  {
    passive: _passive,
    writeOnly: _writeOnly,
    key = current.key,
    retryInterval = current.retryInterval,
    ...draft
  }: MonitorDraft,
  at: number
) => {
  const paced = draft.interval !== current.interval
  const turn = draft.paused === current.paused ? undefined : draft.paused ? ("paused" as const) : ("resumed" as const)
  const status = turn === undefined ? current.status : turn === "paused" ? "paused" : "pending"
  const monitor: Monitor = {
    ...current,
    ...draft,
    key,
    retryInterval,
    status,
    stale: current.stale && turn === undefined,
    pausedReason: turn === undefined ? current.pausedReason : null,
    wantedInterval: paced ? null : current.wantedInterval,
    wantedRetryInterval: retryInterval === current.retryInterval ? current.wantedRetryInterval : null,
    updatedAt: at
  }
  return { monitor, paced, turn }
}

/** Whether the monitor gets a region that did not check it before; empty means all regions. */
export const hasNewRegion = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): boolean =>
  before.length > 0 && (after.length === 0 || after.some((region) => !before.includes(region)))
