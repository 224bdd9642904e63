/**
 * Heartbeats: how signals change a passive monitor. Pure. The plugin decides when a signal is overdue and what its metrics
 * mean.
 */
import { Schema } from "effect"
import type { Explanation } from "./Explanation.ts"
import { reason } from "./Reason.ts"
import type { MonitorId, ProjectId } from "./Ids.ts"
import { aheadMillis, type Failure, type Observation } from "./Observation.ts"
import { inbox } from "./Region.ts"
import { type EpochMillis, toIso } from "./Timestamp.ts"

/** The kind of a signal. `log` does not change the job's status. */
export const SignalKind = Schema.Literals(["success", "start", "fail", "log"])
export type SignalKind = typeof SignalKind.Type

/** A signal as it was received. */
export interface Signal {
  readonly kind: SignalKind
  readonly at: EpochMillis
  /** Identifies the run, so that overlapping runs are told apart. */
  readonly rid: string
  readonly exitCode: number | null
  readonly message: string | null
  readonly metrics: Readonly<Record<string, number>>
  /** Milliseconds that the job says it took. */
  readonly took?: number | null
  /** The body as it was sent, if it is not the message. */
  readonly body?: string | null
  /** Bytes that were sent, and whether only a part of them is kept. */
  readonly size?: number
  readonly truncated?: boolean
  /** The IP address that it came from. */
  readonly address?: string | null
}

/** Characters of a first line. */
const lineLength = 200

/** The first line of a text that is not blank, at most 200 characters; null when there is none. */
export const firstLineOf = (text: string | null): string | null => {
  const line = /\S.*/.exec(text ?? "")?.[0] ?? ""
  return line === "" ? null : line.slice(0, lineLength).toWellFormed().trimEnd()
}

/** State kept between signals. */
export const HeartbeatState = Schema.Struct({
  /** The newest signal that ended a run, or the deadline missed last. */
  lastSignal: Schema.NullOr(Schema.Finite),
  /** Whether `lastSignal` is a missed deadline. */
  isMissed: Schema.optionalKey(Schema.Boolean),
  /** When a run last succeeded; null before the first success. */
  lastSuccess: Schema.NullOr(Schema.Finite),
  /** Start times of running jobs, by `rid`. */
  started: Schema.Record(Schema.String, Schema.Finite),
  /** The newest instant used for an observation; each needs its own. */
  observedAt: Schema.Finite
})
export type HeartbeatState = typeof HeartbeatState.Type

export const fresh: HeartbeatState = { lastSignal: null, lastSuccess: null, started: {}, observedAt: 0 }

/** The region of passive monitors' observations. */
export { inbox } from "./Region.ts"

/** Characters from the end of a message that the observation repeats; the full message is stored with the signal. */
const factLength = 500

/** Bounds the runs that started and never end. */
const maxRuns = 20

export interface HeartbeatMonitor {
  readonly id: MonitorId
  readonly projectId: ProjectId
}

/** The text of a signal that is stored: its message and its body. */
const saidBy = ({ body, message }: Signal): string => [message, body].filter((text) => text != null).join("\n")

type Objection = (
  metrics: Readonly<Record<string, number>>,
  said: string
) =>
  | {
      readonly status: "degraded" | "down"
      readonly code: string
      readonly message: string
      readonly explanation?: Explanation | undefined
    }
  | undefined

/** Applies a signal: returns the new state, the run's duration in milliseconds, and the observation if there is one. */
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
      .slice(0, maxRuns)
    return { state: { ...state, started: Object.fromEntries(runs) }, duration: null, observation: null }
  }
  const { [rid]: began, ...started } = state.started
  const duration = signal.took ?? (began === undefined ? null : Math.max(0, at - began))
  const failed = kind === "fail"
  const broken = failed ? undefined : objection(signal.metrics, saidBy(signal))
  const failure = failed ? failureOf(signal) : broken === undefined ? null : objected(broken)
  const observedAt = instantFor(at, state)
  const observation = observe(monitor, observedAt, {
    status: failed ? "down" : (broken?.status ?? "up"),
    responseTime: duration,
    failure,
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

/** Each observation needs its own instant. One in the future was made by a clock that was wrong. */
const instantFor = (at: EpochMillis, { observedAt }: HeartbeatState): EpochMillis =>
  observedAt > at + aheadMillis ? at : Math.max(at, observedAt + 1)

/** When the newest running job started. */
export const startedAt = ({ started }: HeartbeatState): EpochMillis | null => {
  const times = Object.values(started)
  return times.length === 0 ? null : Math.max(...times)
}

/** The state after a deadline that passed without a signal, whether or not that counts. */
export const afterMissed = (state: HeartbeatState, deadline: EpochMillis): HeartbeatState => ({
  ...state,
  lastSignal: deadline,
  isMissed: true,
  started: {}
})

/** Handles a missed deadline. It takes the signal's place: the next deadline is computed from it. */
export const missed = (
  monitor: HeartbeatMonitor,
  state: HeartbeatState,
  deadline: EpochMillis
): { readonly state: HeartbeatState; readonly observation: Observation } => {
  const began = startedAt(state)
  const observedAt = instantFor(deadline, state)
  const last =
    state.lastSuccess === null
      ? ({ last: "none" } as const)
      : ({ last: "known", lastAt: toIso(state.lastSuccess) } as const)
  const failure: Failure =
    began === null
      ? { code: "heartbeat_missed", ...reason("signal_missed", { deadline: toIso(deadline), ...last }) }
      : {
          code: "heartbeat_stuck",
          ...reason("run_stuck", { started: toIso(began), deadline: toIso(deadline), ...last })
        }
  return {
    state: { ...afterMissed(state, deadline), observedAt },
    observation: observe(monitor, observedAt, { status: "down", responseTime: null, failure, facts: {} })
  }
}

const failureOf = ({ exitCode, message }: Signal): Failure => {
  const line = firstLineOf(message)
  const said = line === null ? {} : ({ output: "said", text: line } as const)
  const words = exitCode === null ? reason("job_failed", said) : reason("job_ended", { exitCode, ...said })
  return { code: "heartbeat_failed", ...words }
}

const objected = ({ code, explanation, message }: NonNullable<ReturnType<Objection>>): Failure => ({
  code,
  message,
  ...(explanation === undefined ? {} : { explanation })
})

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
