/**
 * Computes a monitor's status from its observations. Pure: the same observations in the same order give the same state and
 * the same changes on every machine, so redelivery and restarts are harmless.
 *
 * Each region keeps its failure streak; the monitor's streak is the k-th highest among the voting regions, where k is a
 * strict majority. `unknown` results and stale regions do not vote; without votes the status stays and the status history
 * says `unknown`. A region that was away votes again from the first result that is not older than the status. A new or resumed monitor stays `pending` until a majority of its live regions has voted, so that the
 * fastest region does not decide alone; after two intervals the regions that have reported decide.
 */
import { certificateOf } from "./Certificate.ts"
import { type MonitorState, recentResults, type RegionState, resultLetters } from "./MonitorState.ts"
import { aheadMillis, evidentAt, type Failure, type Observation } from "./Observation.ts"
import type { MonitorStatus, RegionStatus, TimelineStatus } from "./Status.ts"
import type { EpochMillis } from "./Timestamp.ts"

/** The settings of a monitor that the evaluation needs. */
export interface EvaluationSettings {
  readonly intervalMillis: number
  /** Regions that may vote; empty means all. */
  readonly regions: ReadonlyArray<string>
  /**
   * Regions with a live probe. The voting regions among them form the quorum of a pending monitor; without any, one
   * vote is enough.
   */
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

export interface StatusEvaluation {
  readonly state: MonitorState
  readonly changes: ReadonlyArray<StatusChange>
}

/** The state of a monitor without observations. */
export const initial = (at: EpochMillis, status: MonitorStatus = "pending"): MonitorState => ({
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

/** Until when the newest vote is valid. */
export const knownUntil = (state: MonitorState, settings: EvaluationSettings): EpochMillis => {
  let newest = Number.NEGATIVE_INFINITY
  for (const name in state.regions) {
    const region = state.regions[name]!
    if (region.status !== "unknown" && mayVote(name, settings) && region.checkedAt > newest) newest = region.checkedAt
  }
  return newest + staleIntervals * settings.intervalMillis
}

/** Whether the region's newest result was still current at that due time. A short delay does not make it stale. */
const isCurrent = ({ scheduledAt }: RegionState, due: EpochMillis, { intervalMillis }: EvaluationSettings): boolean =>
  due - scheduledAt <= staleIntervals * intervalMillis

const speaks = (region: RegionState, due: EpochMillis, settings: EvaluationSettings): boolean =>
  region.status !== "unknown" && region.belated !== true && isCurrent(region, due, settings)

const mayVote = (region: string, { regions }: EvaluationSettings): boolean =>
  regions.length === 0 || regions.includes(region)

/** How many of `voters` make a strict majority. */
export const majority = (voters: number): number => Math.floor(voters / 2) + 1

/** A pending monitor waits this many intervals for its quorum, from when it was created, resumed or given a region. */
const quorumIntervals = 2

/** Whether a pending monitor waits for votes of other live regions. */
const awaitsQuorum = (
  { since, status }: MonitorState,
  votes: number,
  now: EpochMillis,
  settings: EvaluationSettings
): boolean =>
  status === "pending" &&
  now < since + quorumIntervals * settings.intervalMillis &&
  votes < majority((settings.liveRegions ?? []).filter((region) => mayVote(region, settings)).length)

const severity: Record<Exclude<RegionStatus, "unknown">, number> = { up: 0, degraded: 1, down: 2 }
const bySeverity = ["up", "degraded", "down"] as const

/**
 * Whether a region that was away tells of the time before the status began: the others, who decided without it, knew more.
 * Otherwise its last success before an outage would end the outage for an instant.
 */
const isBelated = (
  { since, status }: MonitorState,
  before: RegionState | undefined,
  { checkedAt }: Observation,
  newest: EpochMillis,
  settings: EvaluationSettings
): boolean =>
  status !== "pending" &&
  before !== undefined &&
  checkedAt < since &&
  (before.belated === true || !isCurrent(before, newest, settings))

const observed = (
  previous: RegionState | undefined,
  observation: Observation,
  belated: boolean,
  settings: EvaluationSettings
): RegionState => {
  const certificate = certificateOf(observation, settings.sslExpiryThreshold) ?? previous?.certificate
  const failing = observation.status === "down"
  const unknown = observation.status === "unknown"
  const passingSince = passingSinceOf(previous, observation, settings)
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
    ...(belated ? { belated } : {}),
    ...(passingSince === undefined ? {} : { passingSince }),
    ...(certificate === undefined ? {} : { certificate })
  }
}

/** A run of passing checks ends with a check that could not run, and with a gap: nothing says that the target was up then. */
const passingSinceOf = (
  previous: RegionState | undefined,
  observation: Observation,
  settings: EvaluationSettings
): EpochMillis | undefined => {
  if (observation.status !== "up") return undefined
  const passed = previous?.status === "up" && isCurrent(previous, observation.scheduledAt, settings)
  return passed ? previous.passingSince : evidentAt(observation)
}

/** Applies one observation. Late and repeated observations, and observations of a paused monitor, change nothing. */
export const evaluate = (
  state: MonitorState,
  observation: Observation,
  settings: EvaluationSettings
): StatusEvaluation => {
  const before = state.regions[observation.region]
  if (
    state.status === "paused" ||
    !mayVote(observation.region, settings) ||
    (before !== undefined && observation.scheduledAt <= before.scheduledAt)
  ) {
    return { state, changes: [] }
  }

  // Never before the newest evaluation: the buffered results of a probe that was cut off must not change the present.
  const now = Math.max(observation.checkedAt, state.judgedAt)
  const changes: Array<StatusChange> = []
  let blindSince = state.blindSince

  // A gap since the last vote counts as unknown, not as up-time.
  const known = knownUntil(state, settings)
  if (state.status !== "pending" && blindSince === null && now > known && !anySpeaks(state, observation, settings)) {
    blindSince = Math.max(known, state.since, state.judgedAt)
    changes.push({ at: blindSince, status: "unknown", previous: state.status, failure: null })
  }

  const regions: Record<string, RegionState> = {}
  let newest = observation.scheduledAt
  for (const name in state.regions) {
    if (!mayVote(name, settings)) continue
    const region = (regions[name] = state.regions[name]!)
    if (name !== observation.region && region.scheduledAt > newest) newest = region.scheduledAt
  }
  const belated = isBelated(state, before, observation, newest, settings)
  const own = (regions[observation.region] = observed(before, observation, belated, settings))
  const voters = Object.values(regions).filter((region) => speaks(region, newest, settings))

  // One copy, changed in place below: this runs for every check.
  const next: Mutable<MonitorState> = {
    ...state,
    regions,
    lastCheckedAt: Math.max(state.lastCheckedAt ?? observation.checkedAt, observation.checkedAt),
    recent: (state.recent ?? "").slice(1 - recentResults) + resultLetters[observation.status],
    // A pending monitor has no status yet, so its first one may be dated back to its first check.
    judgedAt: state.status === "pending" ? state.judgedAt : now
  }
  const lastFailure = failed(state, observation)
  if (lastFailure !== undefined) next.lastFailure = lastFailure
  if (observation.status !== "unknown") {
    next.resultAt = Math.max(state.resultAt ?? observation.checkedAt, observation.checkedAt)
    next.staleSince = null
  }

  if (voters.length === 0) {
    if (blindSince === null && state.status !== "pending") {
      blindSince = now
      changes.push({ at: blindSince, status: "unknown", previous: state.status, failure: observation.failure })
    }
    next.blindSince = blindSince
    return { state: next, changes }
  }
  if (awaitsQuorum(state, voters.length, now, settings)) return { state: next, changes }

  const k = majority(voters.length)
  const kth = (count: (region: RegionState) => number): number =>
    voters.length === 1 ? count(voters[0]!) : voters.map(count).sort((a, b) => b - a)[k - 1]!
  const status = bySeverity[kth((region) => severity[region.status as Exclude<RegionStatus, "unknown">])]!

  next.status = status
  next.streak = kth((region) => (region.status === "down" ? region.streak : 0))
  next.unwell = kth((region) => region.unwell)
  next.blindSince = null
  next.judgedAt = now
  if (status !== state.status || blindSince !== null) {
    const recovers = state.status === "down" && status === "up"
    const evident =
      status === "down"
        ? majorityFailedAt(voters, k, now)
        : recovers
          ? Math.min(majorityPassedAt(voters, k), evidentAt(observation))
          : evidentAt(observation)
    const turns = status === "down" ? failingRuns(regions) : recovers ? passingRuns(regions) : undefined
    const since = Math.max(
      evident,
      turns === undefined ? state.judgedAt : settled(state, regions, turns, settings),
      blindSince ?? 0
    )
    next.judgedAt = Math.max(now, since)
    changes.push({
      at: since,
      status,
      previous: blindSince === null ? state.status : "unknown",
      failure: status === "up" ? null : reason(status, [own, ...voters])
    })
    next.changedAt = since
    // The status did not change during the gap, so it keeps its start.
    if (status !== state.status) next.since = since
  }
  return { state: next, changes }
}

/** The runs that make a new status: when each region's began, and how many of so many voters it takes. */
interface Runs {
  readonly began: ReadonlyMap<string, EpochMillis>
  readonly needed: (voters: number) => number
}

const failingRuns = (regions: Readonly<Record<string, RegionState>>): Runs => ({
  began: runs(regions, ({ failingSince, status }) => (status === "down" ? failingSince : null)),
  needed: majority
})

/** A failing majority leaves no runs, so a tie recovers. */
const passingRuns = (regions: Readonly<Record<string, RegionState>>): Runs => ({
  began: runs(regions, ({ passingSince, status }) =>
    status === "up" ? (passingSince ?? Number.NEGATIVE_INFINITY) : null
  ),
  needed: (voters) => voters - majority(voters) + 1
})

const runs = (
  regions: Readonly<Record<string, RegionState>>,
  began: (region: RegionState) => EpochMillis | null
): ReadonlyMap<string, EpochMillis> =>
  new Map(
    Object.entries(regions).flatMap(([name, region]) => {
      const at = region.belated === true ? null : began(region)
      return at === null ? [] : [[name, at] as const]
    })
  )

/**
 * The instant until which the status before an outage, or before its end, is final. Regions that were cut off report
 * one after the other, and the report of the first cannot be evaluated before the others arrive. So the change is dated
 * before the newest evaluation if enough of the regions that were current then had changed. It is never dated before
 * the newest change.
 */
const settled = (
  { blindSince, changedAt, judgedAt, since }: MonitorState,
  regions: Readonly<Record<string, RegionState>>,
  { began, needed }: Runs,
  settings: EvaluationSettings
): EpochMillis => {
  if (blindSince !== null || changedAt === undefined) return judgedAt
  const turned = [...began.values()]
  const others = Object.entries(regions).flatMap(([name, { belated, checkedAt, scheduledAt, status }]) => {
    if (belated === true || began.has(name)) return []
    return status === "unknown" ? checkedAt : scheduledAt + staleIntervals * settings.intervalMillis
  })
  const found = [...turned, ...others]
    .sort((a, b) => a - b)
    .find((at) => {
      const voters = turned.length + others.filter((until) => at <= until).length
      return turned.filter((from) => from <= at).length >= needed(voters)
    })
  return Math.max(Math.min(found ?? judgedAt, judgedAt), since, changedAt)
}

type Mutable<A> = { -readonly [Key in keyof A]: A[Key] }

/** Whether a region had a valid vote when the observation was due. */
const anySpeaks = ({ regions }: MonitorState, { scheduledAt }: Observation, settings: EvaluationSettings): boolean => {
  for (const name in regions) if (mayVote(name, settings) && speaks(regions[name]!, scheduledAt, settings)) return true
  return false
}

/** The newest failing check, when this is it. It is kept in the state, which every check writes anyway. */
const failed = (
  { lastFailure }: MonitorState,
  { checkedAt, failure, region, status }: Observation
): MonitorState["lastFailure"] =>
  status !== "down" || failure === null || (lastFailure !== undefined && lastFailure.at > checkedAt)
    ? undefined
    : { ...failure, region, at: checkedAt }

/**
 * Removes from the state what is so far ahead of the engine's clock that no observation can be that new. Otherwise every
 * observation of the region would count as late and the monitor would freeze. Returns the same state when there is nothing
 * to remove.
 */
export const healed = (state: MonitorState, now: EpochMillis): MonitorState => {
  const latest = now + aheadMillis
  const isTrue = ({ checkedAt, scheduledAt }: RegionState): boolean => Math.max(checkedAt, scheduledAt) <= latest
  const { blindSince, changedAt, judgedAt, lastCheckedAt, lastFailure, resultAt, since, staleSince } = state
  const dates = [judgedAt, since, blindSince, changedAt, lastCheckedAt, resultAt, staleSince, lastFailure?.at]
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
    ...(changedAt === undefined ? {} : { changedAt: capped(changedAt) }),
    ...(lastFailure === undefined ? {} : { lastFailure: { ...lastFailure, at: capped(lastFailure.at) } }),
    regions: Object.fromEntries(all.filter(([, region]) => isTrue(region)))
  }
}

/** When the k-th region began to fail, which completed the majority. */
const majorityFailedAt = (voters: ReadonlyArray<RegionState>, k: number, now: EpochMillis): EpochMillis =>
  voters
    .flatMap((region) => (region.status === "down" && region.failingSince !== null ? [region.failingSince] : []))
    .sort((a, b) => a - b)[k - 1] ?? now

/** When enough regions had begun to pass. A run without a date is older than its state's release. */
const majorityPassedAt = (voters: ReadonlyArray<RegionState>, k: number): EpochMillis =>
  voters
    .flatMap(({ passingSince, status }) => (status === "up" ? [passingSince ?? Number.NEGATIVE_INFINITY] : []))
    .sort((a, b) => a - b)[voters.length - k] ?? Number.POSITIVE_INFINITY

/** The failure of a region that has the monitor's status. */
const reason = (status: RegionStatus, regions: ReadonlyArray<RegionState>): Failure | null =>
  regions.find((region) => region.status === status && region.failure !== null)?.failure ?? null
