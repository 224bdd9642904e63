/**
 * Detects missing results. Pure: a monitor without a result for three intervals plus its timeout is stale. `unknown` is not
 * a result. The status stays, and the status history says `unknown`.
 */
import { type StatusEvaluation, type EvaluationSettings, knownUntil } from "./StatusEvaluation.ts"
import type { MonitorState } from "./MonitorState.ts"
import type { EpochMillis } from "./Timestamp.ts"

/** Results may be missing for this many intervals plus the timeout. */
const silentIntervals = 3

export interface StalenessSettings extends EvaluationSettings {
  readonly timeoutMillis: number
  /** Silence before this instant does not count: the monitor was changed then, or Kanmon was down until then. */
  readonly countsFrom: EpochMillis
}

/** When the newest result that was not `unknown` began; null without one. */
export const resultAtOf = ({ regions, resultAt }: MonitorState): EpochMillis | null => {
  if (resultAt !== undefined) return resultAt
  // States written before `resultAt` existed.
  const known = Object.values(regions).flatMap(({ checkedAt, status }) => (status === "unknown" ? [] : [checkedAt]))
  return known.length === 0 ? null : Math.max(...known)
}

/** When the monitor becomes stale if no result arrives. For a pending monitor, counted from its creation or resumption. */
export const staleAt = (state: MonitorState, settings: StalenessSettings): EpochMillis => {
  const { countsFrom, intervalMillis, timeoutMillis } = settings
  const begun = state.status === "pending" ? state.since : Number.NEGATIVE_INFINITY
  return (
    Math.max(resultAtOf(state) ?? state.since, begun, countsFrom) + silentIntervals * intervalMillis + timeoutMillis
  )
}

/** Marks a monitor as stale if its deadline has passed at `now`. Paused and stale monitors stay as they are. */
export const markStale = (state: MonitorState, settings: StalenessSettings, now: EpochMillis): StatusEvaluation => {
  const staleSince = staleAt(state, settings)
  if (state.status === "paused" || isStale(state) || now < staleSince) return { state, changes: [] }
  if (state.status === "pending" || state.blindSince !== null) return { state: { ...state, staleSince }, changes: [] }
  // The same as after a gap between observations: the status is known until two intervals after the last vote.
  const blindSince = Math.max(knownUntil(state, settings), state.since, state.judgedAt)
  return {
    state: { ...state, staleSince, blindSince },
    changes: [{ at: blindSince, status: "unknown", previous: state.status, failure: null }]
  }
}

/** Whether results are overdue. */
export const isStale = ({ staleSince }: MonitorState): boolean => (staleSince ?? null) !== null
