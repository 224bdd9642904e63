/**
 * From observations to one status. Pure: the same observations in the same order give the same state and the same
 * changes on every machine, which is what makes redelivery and restarts harmless.
 *
 * Each region keeps its failure streak; the monitor's streak is the k-th highest of the regions that vote, k being a
 * strict majority of them. `unknown` results and stale regions do not vote; when nobody votes the status stays and the
 * status history says `unknown`. A new or resumed monitor stays `pending` until a majority of its live regions votes, so
 * that the fastest region does not decide alone; after two intervals those that have reported decide.
 */
import { certificateOf, type CertificateState } from "./Certificate.ts"
import { aheadMillis, evidentAt, type Failure, type Observation } from "./Observation.ts"
import type { MonitorStatus, RegionStatus, TimelineStatus } from "./Status.ts"
import type { EpochMillis } from "./Timestamp.ts"

/** What one region last said. */
export interface RegionState {
  /** Due time of its newest observation: older ones are late and change nothing. */
  readonly scheduledAt: EpochMillis
  /** When its newest observation was made. */
  readonly checkedAt: EpochMillis
  readonly status: RegionStatus
  /** Failures in a row; `unknown` results neither add to it nor end it. */
  readonly streak: number
  /** Results in a row that were not `up`. */
  readonly unwell: number
  /** First failing check of the run, or null. */
  readonly failingSince: EpochMillis | null
  readonly responseTime: number | null
  readonly failure: Failure | null
  /** The newest certificate it was shown; absent where there is none. */
  readonly certificate?: CertificateState
}

/** Everything judging needs to remember of a monitor. */
export interface JudgeState {
  readonly status: MonitorStatus
  /** Since when it stands so. */
  readonly since: EpochMillis
  /** Nobody votes since then; null while somebody does. */
  readonly blindSince: EpochMillis | null
  /** The newest instant a verdict was reached for: no change is ever dated before it. */
  readonly judgedAt: EpochMillis
  readonly lastCheckedAt: EpochMillis | null
  /** When the newest check that was not `unknown` began. Absent from states written before it was kept. */
  readonly resultAt?: EpochMillis | null
  /** Since when results are overdue (`Staleness`); null or absent while they are not. */
  readonly staleSince?: EpochMillis | null
  /** Failures in a row by the majority's count; 0 unless down. */
  readonly streak: number
  /** Results that were not `up` in a row, by the majority's count; 0 when up. */
  readonly unwell: number
  readonly regions: Readonly<Record<string, RegionState>>
}

/** What the monitor's settings say to the judge. */
export interface JudgeSettings {
  readonly intervalMillis: number
  /** Regions that may vote; empty means all. */
  readonly regions: ReadonlyArray<string>
  /** Regions that have a live probe. Those of them that may vote make the quorum of a pending monitor; without them one vote does. */
  readonly liveRegions?: ReadonlyArray<string>
  /** Days before its end from which a certificate counts as expiring. */
  readonly sslExpiryThreshold?: number
}

/** One new entry of the status history. */
export interface StatusChange {
  readonly at: EpochMillis
  readonly status: TimelineStatus
  readonly previous: TimelineStatus
  readonly failure: Failure | null
}

export interface Judgement {
  readonly state: JudgeState
  readonly changes: ReadonlyArray<StatusChange>
}

/** A monitor nobody has looked at yet. */
export const initial = (at: EpochMillis, status: MonitorStatus = "pending"): JudgeState => ({
  status,
  since: at,
  blindSince: null,
  judgedAt: at,
  lastCheckedAt: null,
  streak: 0,
  unwell: 0,
  regions: {}
})

/** A result older than this many intervals is stale. */
export const staleIntervals = 2

/** Until when the newest vote speaks for the monitor. */
export const knownUntil = (state: JudgeState, settings: JudgeSettings): EpochMillis => {
  let newest = Number.NEGATIVE_INFINITY
  for (const [name, region] of Object.entries(state.regions)) {
    if (region.status !== "unknown" && mayVote(name, settings) && region.checkedAt > newest) newest = region.checkedAt
  }
  return newest + staleIntervals * settings.intervalMillis
}

/** Whether the region's newest result still speaks for it when another one was due at that instant. A moment's lateness is no age. */
const speaks = ({ scheduledAt, status }: RegionState, due: EpochMillis, { intervalMillis }: JudgeSettings): boolean =>
  status !== "unknown" && due - scheduledAt <= staleIntervals * intervalMillis

const mayVote = (region: string, { regions }: JudgeSettings): boolean =>
  regions.length === 0 || regions.includes(region)

/** How many of `voters` make a strict majority. */
export const majority = (voters: number): number => Math.floor(voters / 2) + 1

/** A pending monitor waits this many intervals for its quorum, from when it was created, resumed or given a region. */
const quorumIntervals = 2

/** Whether a pending monitor goes on waiting for the votes of its other live regions. */
const awaitsQuorum = (
  { since, status }: JudgeState,
  votes: number,
  now: EpochMillis,
  settings: JudgeSettings
): boolean =>
  status === "pending" &&
  now < since + quorumIntervals * settings.intervalMillis &&
  votes < majority((settings.liveRegions ?? []).filter((region) => mayVote(region, settings)).length)

const severity: Record<Exclude<RegionStatus, "unknown">, number> = { up: 0, degraded: 1, down: 2 }
const bySeverity = ["up", "degraded", "down"] as const

const observed = (
  previous: RegionState | undefined,
  observation: Observation,
  settings: JudgeSettings
): RegionState => {
  const certificate = certificateOf(observation, settings.sslExpiryThreshold) ?? previous?.certificate
  const failing = observation.status === "down"
  const unknown = observation.status === "unknown"
  return {
    scheduledAt: observation.scheduledAt,
    checkedAt: observation.checkedAt,
    status: observation.status,
    streak: failing ? (previous?.streak ?? 0) + 1 : unknown ? (previous?.streak ?? 0) : 0,
    unwell: observation.status === "up" ? 0 : (previous?.unwell ?? 0) + (unknown ? 0 : 1),
    failingSince: failing
      ? (previous?.failingSince ?? observation.checkedAt)
      : unknown
        ? (previous?.failingSince ?? null)
        : null,
    responseTime: observation.responseTime,
    failure: observation.failure,
    ...(certificate === undefined ? {} : { certificate })
  }
}

/** Judges one observation. A late or repeated one, or one of a paused monitor, changes nothing. */
export const judge = (state: JudgeState, observation: Observation, settings: JudgeSettings): Judgement => {
  const before = state.regions[observation.region]
  if (
    state.status === "paused" ||
    !mayVote(observation.region, settings) ||
    (before !== undefined && observation.scheduledAt <= before.scheduledAt)
  ) {
    return { state, changes: [] }
  }

  // Not before the newest verdict: a probe that was cut off tells its past, and the past does not vote on the present.
  const now = Math.max(observation.checkedAt, state.judgedAt)
  const changes: Array<StatusChange> = []
  let blindSince = state.blindSince

  // A gap since the last vote: the time in between is nobody's up-time.
  const known = knownUntil(state, settings)
  const anySpeaks = Object.entries(state.regions).some(
    ([name, region]) => mayVote(name, settings) && speaks(region, observation.scheduledAt, settings)
  )
  if (state.status !== "pending" && blindSince === null && now > known && !anySpeaks) {
    blindSince = Math.max(known, state.since, state.judgedAt)
    changes.push({ at: blindSince, status: "unknown", previous: state.status, failure: null })
  }

  const regions: Record<string, RegionState> = {}
  for (const [name, region] of Object.entries(state.regions)) {
    if (mayVote(name, settings)) regions[name] = region
  }
  regions[observation.region] = observed(before, observation, settings)

  const lastCheckedAt = Math.max(state.lastCheckedAt ?? observation.checkedAt, observation.checkedAt)
  const base: JudgeState = {
    ...state,
    regions,
    lastCheckedAt,
    // A pending monitor has no verdict yet: its first one may be dated to its first check.
    judgedAt: state.status === "pending" ? state.judgedAt : now,
    ...(observation.status === "unknown"
      ? {}
      : { resultAt: Math.max(state.resultAt ?? observation.checkedAt, observation.checkedAt), staleSince: null })
  }
  const newest = Math.max(...Object.values(regions).map(({ scheduledAt }) => scheduledAt))
  const voters = Object.values(regions).filter((region) => speaks(region, newest, settings))

  if (voters.length === 0) {
    if (blindSince === null && state.status !== "pending") {
      blindSince = now
      changes.push({ at: blindSince, status: "unknown", previous: state.status, failure: observation.failure })
    }
    return { state: { ...base, blindSince }, changes }
  }
  if (awaitsQuorum(state, voters.length, now, settings)) return { state: base, changes }

  const k = majority(voters.length)
  const ranked = voters
    .map((region) => severity[region.status as Exclude<RegionStatus, "unknown">])
    .sort((a, b) => b - a)
  const status = bySeverity[ranked[k - 1]!]!
  const kth = (count: (region: RegionState) => number): number => voters.map(count).sort((a, b) => b - a)[k - 1]!
  const streak = kth((region) => (region.status === "down" ? region.streak : 0))
  const unwell = kth((region) => region.unwell)

  let { since } = state
  let judgedAt = now
  if (status !== state.status || blindSince !== null) {
    const evident = status === "down" ? majorityFailedAt(voters, k, now) : evidentAt(observation)
    since = Math.max(evident, state.judgedAt, blindSince ?? 0)
    judgedAt = Math.max(now, since)
    changes.push({
      at: since,
      status,
      previous: blindSince === null ? state.status : "unknown",
      failure: status === "up" ? null : reason(status, [regions[observation.region]!, ...voters])
    })
    // The status itself did not change while nobody looked: it stands since it began.
    if (status === state.status) since = state.since
  }
  return {
    state: { ...base, judgedAt, status, since, streak, unwell, blindSince: null },
    changes
  }
}

/**
 * The state without what lies so far ahead of the engine's clock that no observation is admitted with it. Such a region would
 * take every observation to come for a late one and freeze the monitor; without it the next observation counts. Returns the
 * state itself when there is nothing to undo.
 */
export const healed = (state: JudgeState, now: EpochMillis): JudgeState => {
  const latest = now + aheadMillis
  const isTrue = ({ checkedAt, scheduledAt }: RegionState): boolean => Math.max(checkedAt, scheduledAt) <= latest
  const { blindSince, judgedAt, lastCheckedAt, resultAt, since, staleSince } = state
  const dates = [judgedAt, since, blindSince, lastCheckedAt, resultAt, staleSince]
  const all = Object.entries(state.regions)
  if (dates.every((at) => (at ?? 0) <= latest) && all.every(([, region]) => isTrue(region))) return state
  const capped = <At extends EpochMillis | null>(at: At): At => (at === null || at <= latest ? at : (now as At))
  return {
    ...state,
    judgedAt: capped(judgedAt),
    since: capped(since),
    blindSince: capped(blindSince),
    lastCheckedAt: capped(lastCheckedAt),
    resultAt: capped(resultAt ?? null),
    staleSince: capped(staleSince ?? null),
    regions: Object.fromEntries(all.filter(([, region]) => isTrue(region)))
  }
}

/** When the k-th region began to fail: from then on a majority did. */
const majorityFailedAt = (voters: ReadonlyArray<RegionState>, k: number, now: EpochMillis): EpochMillis =>
  voters
    .flatMap((region) => (region.status === "down" && region.failingSince !== null ? [region.failingSince] : []))
    .sort((a, b) => a - b)[k - 1] ?? now

/** Why the monitor stands so, in the words of a region that does. */
const reason = (status: RegionStatus, regions: ReadonlyArray<RegionState>): Failure | null =>
  regions.find((region) => region.status === status && region.failure !== null)?.failure ?? null
