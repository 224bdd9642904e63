/**
 * Heartbeats: what signals do to a passive monitor. Pure; when a signal is overdue and what its metrics mean is the plugin's
 * to say.
 */
import { Schema } from "effect"
import type { MonitorId, ProjectId } from "./Ids.ts"
import { aheadMillis, type Failure, type Observation } from "./Observation.ts"
import { inbox } from "./Region.ts"
import { type EpochMillis, toIso } from "./Timestamp.ts"

/** What a signal says. `log` says nothing of how the job is. */
export type SignalKind = "success" | "start" | "fail" | "log"

/** A signal as it was received. */
export interface Signal {
  readonly kind: SignalKind
  readonly at: EpochMillis
  /** Names the run, so that a start finds its end when several overlap. */
  readonly rid: string
  readonly exitCode: number | null
  readonly message: string | null
  readonly metrics: Readonly<Record<string, number>>
}

/** What is remembered between signals. */
export const HeartbeatState = Schema.Struct({
  /** The newest signal that ended a run, or the deadline that was missed last. */
  lastSignal: Schema.NullOr(Schema.Finite),
  /** When the newest run ended well; null before the first. */
  lastSuccess: Schema.NullOr(Schema.Finite),
  /** Runs that have begun, by their rid. */
  started: Schema.Record(Schema.String, Schema.Finite),
  /** The newest instant that an observation was made for: each needs one of its own. */
  observedAt: Schema.Finite
})
export type HeartbeatState = typeof HeartbeatState.Type

export const fresh: HeartbeatState = { lastSignal: null, lastSuccess: null, started: {}, observedAt: 0 }

/** The place that observations of passive monitors come from. */
export { inbox } from "./Region.ts"

/** Characters of a message that its observation repeats, from the end: the whole is kept with the signal. */
const factLength = 500

/** Runs that never end must not pile up. */
const mostRuns = 20

export interface HeartbeatMonitor {
  readonly id: MonitorId
  readonly projectId: ProjectId
}

type Objection = (
  metrics: Readonly<Record<string, number>>
) => { readonly status: "degraded" | "down"; readonly code: string; readonly message: string } | undefined

/** Takes a signal: the new state, the run's duration in milliseconds, and the observation it makes, if any. */
export const receive = (
  monitor: HeartbeatMonitor,
  state: HeartbeatState,
  signal: Signal,
  objection: Objection
): { readonly state: HeartbeatState; readonly duration: number | null; readonly observation: Observation | null } => {
  const { at, kind, rid } = signal
  if (kind === "log") return { state, duration: null, observation: null }
  if (kind === "start") {
    const runs = Object.entries({ ...state.started, [rid]: at })
      .sort(([, one], [, other]) => other - one)
      .slice(0, mostRuns)
    return { state: { ...state, started: Object.fromEntries(runs) }, duration: null, observation: null }
  }
  const { [rid]: began, ...started } = state.started
  const duration = began === undefined ? null : Math.max(0, at - began)
  const failed = kind === "fail"
  const broken = failed ? undefined : objection(signal.metrics)
  const failure: Failure | null = failed ? failureOf(signal) : (broken ?? null)
  const observedAt = instantFor(at, state)
  const observation = observe(monitor, observedAt, {
    status: failed ? "down" : (broken?.status ?? "up"),
    responseTime: duration,
    failure: failure === null ? null : { code: failure.code, message: failure.message },
    facts: {
      ...(signal.message === null ? {} : { message: signal.message.slice(-factLength).toWellFormed() }),
      ...(signal.exitCode === null ? {} : { exitCode: signal.exitCode }),
      ...(Object.keys(signal.metrics).length === 0 ? {} : { metrics: { ...signal.metrics } })
    }
  })
  return {
    state: { lastSignal: at, lastSuccess: failed ? state.lastSuccess : at, started, observedAt },
    duration,
    observation
  }
}

/** Each observation needs an instant of its own. One that lies in the future was made by a clock that was wrong. */
const instantFor = (at: EpochMillis, { observedAt }: HeartbeatState): EpochMillis =>
  observedAt > at + aheadMillis ? at : Math.max(at, observedAt + 1)

/** When the newest run that has not ended began. */
export const startedAt = ({ started }: HeartbeatState): EpochMillis | null => {
  const times = Object.values(started)
  return times.length === 0 ? null : Math.max(...times)
}

/** Nothing came in time. The deadline takes the signal's place: the next one is reckoned from it. */
export const missed = (
  monitor: HeartbeatMonitor,
  state: HeartbeatState,
  deadline: EpochMillis
): { readonly state: HeartbeatState; readonly observation: Observation } => {
  const began = startedAt(state)
  const observedAt = instantFor(deadline, state)
  const last =
    state.lastSuccess === null ? "There has been none so far" : `The last one came at ${say(state.lastSuccess)}`
  const failure: Failure =
    began === null
      ? { code: "heartbeat_missed", message: `No signal came by ${say(deadline)}. ${last}` }
      : {
          code: "heartbeat_stuck",
          message: `The run that began at ${say(began)} had not ended by ${say(deadline)}. ${last}`
        }
  return {
    state: { ...state, lastSignal: deadline, started: {}, observedAt },
    observation: observe(monitor, observedAt, { status: "down", responseTime: null, failure, facts: {} })
  }
}

const say = (at: EpochMillis): string => `${toIso(at).slice(0, 19).replace("T", " ")} UTC`

const failureOf = ({ exitCode, message }: Signal): Failure => {
  const said = message === null ? "" : `: ${message.split("\n")[0]!.slice(0, 200).toWellFormed()}`
  const how = exitCode === null ? "The job reports that it failed" : `The job ended with exit code ${exitCode}`
  return { code: "heartbeat_failed", message: `${how}${said}` }
}

const observe = (
  { id, projectId }: HeartbeatMonitor,
  at: EpochMillis,
  result: Pick<Observation, "status" | "responseTime" | "failure" | "facts">
): Observation => ({
  monitorId: id,
  projectId,
  region: inbox,
  slot: at,
  scheduledAt: at,
  checkedAt: at,
  timing: {},
  ...result
})
