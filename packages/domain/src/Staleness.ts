/**
 * Silence is noticed. Pure: a monitor that should be checked, and has had no result for three intervals plus its timeout, is
 * stale. An `unknown` result is none: nobody looked. Its status stays as it was, its status history says `unknown`.
 */
import { type Judgement, type JudgeSettings, type JudgeState, knownUntil } from "./Judge.ts"
import type { EpochMillis } from "./Timestamp.ts"

/** A monitor's results may be missing for this many intervals, and for its timeout. */
const silentIntervals = 3

export interface StalenessSettings extends JudgeSettings {
  readonly timeoutMillis: number
  /** Silence before this instant does not count: the monitor was changed then, or Kanmon itself was away until then. */
  readonly countsFrom: EpochMillis
}

/** When the newest result that was not `unknown` began, or null where there has been none. */
export const resultAtOf = ({ regions, resultAt }: JudgeState): EpochMillis | null => {
  if (resultAt !== undefined) return resultAt
  // A state written before `resultAt` was kept.
  const known = Object.values(regions).flatMap(({ checkedAt, status }) => (status === "unknown" ? [] : [checkedAt]))
  return known.length === 0 ? null : Math.max(...known)
}

/** When the monitor becomes stale unless a result comes. A pending one is counted from when it was created or resumed. */
export const staleAt = (state: JudgeState, settings: StalenessSettings): EpochMillis => {
  const { countsFrom, intervalMillis, timeoutMillis } = settings
  const begun = state.status === "pending" ? state.since : Number.NEGATIVE_INFINITY
  return (
    Math.max(resultAtOf(state) ?? state.since, begun, countsFrom) + silentIntervals * intervalMillis + timeoutMillis
  )
}

/** Marks a monitor as stale whose time is over at `now`. One that is paused or marked already stays as it is. */
export const markStale = (state: JudgeState, settings: StalenessSettings, now: EpochMillis): Judgement => {
  const staleSince = staleAt(state, settings)
  if (state.status === "paused" || isStale(state) || now < staleSince) return { state, changes: [] }
  if (state.status === "pending" || state.blindSince !== null) return { state: { ...state, staleSince }, changes: [] }
  // As when an observation comes after a gap: what was known ends two intervals after the last vote.
  const blindSince = Math.max(knownUntil(state, settings), state.since, state.judgedAt)
  return {
    state: { ...state, staleSince, blindSince },
    changes: [{ at: blindSince, status: "unknown", previous: state.status, failure: null }]
  }
}

/** Whether results are overdue. */
export const isStale = ({ staleSince }: JudgeState): boolean => (staleSince ?? null) !== null
