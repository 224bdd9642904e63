/**
 * The state of a monitor between evaluations. It is stored with the monitor and outlives releases: a new field must be
 * optional, and any other change needs a conversion where the state is read.
 */
import { Schema } from "effect"
import { CertificateState } from "./Certificate.ts"
import { Failure } from "./Observation.ts"
import { MonitorStatus, RegionStatus } from "./Status.ts"

/** Milliseconds since the epoch. */
const Instant = Schema.Finite

/** The newest result of one region. */
export const RegionState = Schema.Struct({
  /** Due time of its newest observation; older observations are late and ignored. */
  scheduledAt: Instant,
  /** When its newest observation was made. */
  checkedAt: Instant,
  status: RegionStatus,
  /** Consecutive failures; `unknown` results neither extend nor reset it. */
  streak: Schema.Finite,
  /** Consecutive results that were not `up`. */
  unwell: Schema.Finite,
  /** First failing check of the streak, or null. */
  failingSince: Schema.NullOr(Instant),
  /** First response of the run of passing checks. Absent without one, and from runs that began before it was kept. */
  passingSince: Schema.optionalKey(Instant),
  responseTime: Schema.NullOr(Schema.Finite),
  failure: Schema.NullOr(Failure),
  /** True while its newest result is from before the status began and came after it: it does not vote. Absent otherwise. */
  belated: Schema.optionalKey(Schema.Boolean),
  /** The newest certificate it saw; absent without one. */
  certificate: Schema.optionalKey(CertificateState)
})
export type RegionState = typeof RegionState.Type

/** How many results lists show of each monitor. */
export const recentResults = 30
/** One letter for each result, so that a list of thousands of monitors stays small. */
export const resultLetters: Readonly<Record<RegionStatus, string>> = { up: "u", degraded: "g", down: "d", unknown: "x" }

/** The state kept per monitor. */
export const MonitorState = Schema.Struct({
  status: MonitorStatus,
  /** Since when the status holds. */
  since: Instant,
  /** Since when no region votes; null while one does. */
  blindSince: Schema.NullOr(Instant),
  /** The newest evaluation; no change but the begin and the end of an outage is dated before it. */
  judgedAt: Instant,
  /** Date of the newest change of the status history. Absent from states written before it was kept. */
  changedAt: Schema.optionalKey(Instant),
  lastCheckedAt: Schema.NullOr(Instant),
  /** When the newest check that was not `unknown` began. Absent from states written before it was kept. */
  resultAt: Schema.optionalKey(Schema.NullOr(Instant)),
  /** Since when results are overdue (see `Staleness`); null or absent while they are not. */
  staleSince: Schema.optionalKey(Schema.NullOr(Instant)),
  /** Consecutive failures by majority; 0 unless down. */
  streak: Schema.Finite,
  /** Consecutive results that were not `up`, by majority; 0 when up. */
  unwell: Schema.Finite,
  /** The newest failing check. Absent while there was none. */
  lastFailure: Schema.optionalKey(Schema.Struct({ ...Failure.fields, region: Schema.String, at: Instant })),
  /** The last {@link recentResults} results of all regions, oldest first, a letter of {@link resultLetters} each. */
  recent: Schema.optionalKey(Schema.String),
  regions: Schema.Record(Schema.String, RegionState)
})
export type MonitorState = typeof MonitorState.Type
