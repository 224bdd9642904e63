/** What signals and deadlines do to a stored heartbeat, by the rules of its plugin. */
import type { PreparedPassive } from "@kanmon/core/Check"
import { Catalogue } from "@kanmon/core/PluginHost"
import { afterMissed, missed, receive, type Signal, startedAt } from "@kanmon/domain/Heartbeat"
import type { Observation } from "@kanmon/domain/Observation"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import type { HeartbeatUpdate, StoredHeartbeat } from "./HeartbeatRepository.ts"
import { Effect } from "effect"

export interface Rules {
  readonly receive: (heartbeat: StoredHeartbeat, signals: ReadonlyArray<Signal>) => HeartbeatUpdate
  /** When it is overdue as things stand; null when its plugin cannot say. */
  readonly deadline: (heartbeat: StoredHeartbeat) => EpochMillis | null
  readonly missed: (heartbeat: StoredHeartbeat, deadline: EpochMillis) => HeartbeatUpdate
  /** No signals were received when the deadline passed: it does not count, and the next one does. */
  readonly excused: (heartbeat: StoredHeartbeat, deadline: EpochMillis) => HeartbeatUpdate
}

export const rules: Effect.Effect<Rules, never, Catalogue> = Effect.map(Catalogue, ({ checks }) => {
  /** A third-party plugin may fail; then its monitors wait for signals without a deadline. */
  const prepared = ({ config, type }: StoredHeartbeat): PreparedPassive | undefined => {
    try {
      const result = checks.get(type)?.passive?.(config)
      return result?._tag === "Success" ? result.success : undefined
    } catch {
      return undefined
    }
  }

  const overdueAt = (heartbeat: StoredHeartbeat, state: StoredHeartbeat["state"]): EpochMillis | null => {
    if (heartbeat.paused) return null
    try {
      const at = prepared(heartbeat)?.overdueAt({
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

  return {
    receive: (heartbeat, signals) => {
      let { state } = heartbeat
      const observations: Array<Observation> = []
      const kept: Array<HeartbeatUpdate["signals"][number]> = []
      const objection = prepared(heartbeat)?.objection ?? (() => undefined)
      for (const signal of signals) {
        const taken = receive(heartbeat, state, signal, objection)
        state = taken.state
        kept.push({ ...signal, duration: taken.duration })
        if (taken.observation !== null && !heartbeat.paused) observations.push(taken.observation)
      }
      return { id: heartbeat.id, state, overdueAt: overdueAt(heartbeat, state), observations, signals: kept }
    },
    deadline: (heartbeat) => {
      const { changedAt, state } = heartbeat
      if (heartbeat.overdueAt !== null) return overdueAt(heartbeat, state)
      // After a pause, what went before says nothing: time is reckoned from here.
      const lastSignal = state.lastSignal === null ? null : changedAt
      return overdueAt({ ...heartbeat, createdAt: changedAt }, { ...state, lastSignal, isMissed: true, started: {} })
    },
    missed: (heartbeat, deadline) => {
      const { observation, state } = missed(heartbeat, heartbeat.state, deadline)
      return {
        id: heartbeat.id,
        state,
        overdueAt: overdueAt(heartbeat, state),
        observations: [observation],
        signals: []
      }
    },
    excused: (heartbeat, deadline) => {
      const state = afterMissed(heartbeat.state, deadline)
      return { id: heartbeat.id, state, overdueAt: overdueAt(heartbeat, state), observations: [], signals: [] }
    }
  }
})

/** Instants that a database and a calendar still know. */
const latest = Date.parse("9000-01-01T00:00:00Z")
