/** Applies signals and deadlines to a stored heartbeat, by the rules of its plugin. */
import type { PreparedPassive } from "@kanmon/core/Check"
import { Catalogue } from "@kanmon/core/PluginHost"
import { reason } from "@kanmon/domain/Reason"
import { InvalidFields } from "@kanmon/domain/FieldErrors"
import { afterMissed, missed, receive, type Signal, startedAt } from "@kanmon/domain/Heartbeat"
import type { Failure, Observation } from "@kanmon/domain/Observation"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import type { HeartbeatUpdate, StoredHeartbeat } from "./HeartbeatRepository.ts"
import { Effect, Result } from "effect"

export interface HeartbeatRules {
  readonly receive: (heartbeat: StoredHeartbeat, signals: ReadonlyArray<Signal>) => HeartbeatUpdate
  /** When it is overdue as things stand: at once if its configuration cannot be read; null when its plugin cannot say. */
  readonly deadline: (heartbeat: StoredHeartbeat, now: EpochMillis) => EpochMillis | null
  readonly missed: (heartbeat: StoredHeartbeat, deadline: EpochMillis) => HeartbeatUpdate
  /** No signals were received when the deadline passed: it does not count, and the next one does. */
  readonly excused: (heartbeat: StoredHeartbeat, deadline: EpochMillis) => HeartbeatUpdate
}

type Checks = Catalogue["Service"]["checks"]
type Configured = Pick<StoredHeartbeat, "config" | "type">

/** A third-party plugin may fail; then its monitors wait for signals without a deadline. */
const prepare = (checks: Checks, { config, type }: Configured): PreparedPassive | InvalidFields | undefined => {
  try {
    const result = checks.get(type)?.passive?.(config)
    return result === undefined ? undefined : Result.merge(result)
  } catch {
    return undefined
  }
}

/** Why the settings cannot be read: an earlier release accepted them. The owner is told, because no deadline is known. */
export const unreadable = (checks: Checks, monitor: Configured): Failure | undefined => {
  const found = prepare(checks, monitor)
  return found instanceof InvalidFields ? failureOf(found) : undefined
}

export const make: Effect.Effect<HeartbeatRules, never, Catalogue> = Effect.map(Catalogue, ({ checks }) => {
  const overdueAt = (heartbeat: StoredHeartbeat, state: StoredHeartbeat["state"]): EpochMillis | null => {
    if (heartbeat.paused) return null
    try {
      const plugin = prepare(checks, heartbeat)
      if (plugin === undefined || plugin instanceof InvalidFields) return null
      const at = plugin.overdueAt({
        interval: heartbeat.interval,
        lastSignal: state.lastSignal,
        isMissed: state.isMissed ?? false,
        createdAt: heartbeat.createdAt,
        startedAt: startedAt(state)
      })
      return typeof at !== "number" || !Number.isFinite(at) || at > latest ? null : at
    } catch {
      return null
    }
  }

  const miss: HeartbeatRules["missed"] = (heartbeat, deadline) => {
    const { observation, state } = missed(heartbeat, heartbeat.state, deadline)
    return {
      id: heartbeat.id,
      state,
      overdueAt: overdueAt(heartbeat, state),
      observations: [{ ...observation, failure: unreadable(checks, heartbeat) ?? observation.failure }],
      signals: []
    }
  }

  return {
    receive: (heartbeat, signals) => {
      let { state } = heartbeat
      const observations: Array<Observation> = []
      const kept: Array<HeartbeatUpdate["signals"][number]> = []
      const plugin = prepare(checks, heartbeat)
      const objection =
        plugin instanceof InvalidFields
          ? () => ({ status: "down" as const, ...failureOf(plugin) })
          : (plugin?.objection ?? (() => undefined))
      for (const signal of signals) {
        const taken = receive(heartbeat, state, signal, objection)
        state = taken.state
        kept.push({ ...signal, duration: taken.duration })
        if (taken.observation !== null && !heartbeat.paused) observations.push(taken.observation)
      }
      return { id: heartbeat.id, state, overdueAt: overdueAt(heartbeat, state), observations, signals: kept }
    },
    deadline: (heartbeat, now) => {
      const { changedAt, state } = heartbeat
      if (unreadable(checks, heartbeat) !== undefined) return heartbeat.paused ? null : now
      if (heartbeat.overdueAt !== null) return overdueAt(heartbeat, state)
      // After a pause, what went before says nothing: time is reckoned from here.
      const lastSignal = state.lastSignal === null ? null : changedAt
      return overdueAt({ ...heartbeat, createdAt: changedAt }, { ...state, lastSignal, isMissed: true, started: {} })
    },
    missed: miss,
    excused: (heartbeat, deadline) => {
      if (unreadable(checks, heartbeat) !== undefined) return miss(heartbeat, deadline)
      const state = afterMissed(heartbeat.state, deadline)
      return { id: heartbeat.id, state, overdueAt: overdueAt(heartbeat, state), observations: [], signals: [] }
    }
  }
})

const failureOf = ({ errors }: InvalidFields): Failure => ({
  code: "configuration_unreadable",
  ...reason("settings_unreadable", { problems: errors.map(({ message, path }) => `${path}: ${message}`).join("; ") })
})

/** Instants that a database and a calendar still know. */
const latest = Date.parse("9000-01-01T00:00:00Z")
