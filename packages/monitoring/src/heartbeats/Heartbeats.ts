/**
 * Passive monitors: their signals, and deadlines that pass without one. Pure functions decide what either leads to while the
 * monitor's row is locked, and its observations leave through the outbox in the same transaction: an acknowledged signal is
 * neither lost nor evaluated twice.
 */
import type { Signal } from "@kanmon/domain/Heartbeat"
import type { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import { MonitorNotFound } from "@kanmon/domain/NotFound"
import { message } from "@kanmon/domain/ObservationMessage"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer } from "effect"
import { hashToken } from "@kanmon/platform/database/Secrets"
import { Outbox } from "@kanmon/platform/outbox/Outbox"
import { Transaction } from "@kanmon/platform/Transaction"
import { RegistryRepository } from "../registry/index.ts"
import {
  HeartbeatRepository,
  type HeartbeatUpdate,
  type SignalMetrics,
  type StoredHeartbeat
} from "./HeartbeatRepository.ts"

export interface SentSignal {
  readonly token: string
  readonly signal: Signal
}

export class Heartbeats extends Context.Service<
  Heartbeats,
  {
    /** Stores signals, all in one transaction; returns the unknown tokens. */
    readonly receive: (
      signals: ReadonlyArray<SentSignal>,
      decide: (heartbeat: StoredHeartbeat, signals: ReadonlyArray<Signal>) => HeartbeatUpdate
    ) => Effect.Effect<ReadonlySet<string>>
    /** Computes the deadlines of heartbeats that were created, changed or resumed; returns their number. */
    readonly reckon: (
      deadline: (heartbeat: StoredHeartbeat, now: EpochMillis) => EpochMillis | null
    ) => Effect.Effect<number>
    /** Decides about heartbeats after their deadline; returns their number. */
    readonly overdue: (
      limit: number,
      decide: (heartbeat: StoredHeartbeat, deadline: EpochMillis) => HeartbeatUpdate
    ) => Effect.Effect<number>
    /** Records a look at the deadlines; returns when the one before it was, null when there was none. */
    readonly look: Effect.Effect<EpochMillis | null>
    /** Signals with metrics in `[from, to)`, oldest first. */
    readonly metrics: (
      projectId: ProjectId,
      id: MonitorId,
      from: EpochMillis,
      to: EpochMillis
    ) => Effect.Effect<ReadonlyArray<SignalMetrics>, MonitorNotFound>
  }
>()("@kanmon/monitoring/heartbeats/Heartbeats") {
  static readonly layer = Layer.effect(
    Heartbeats,
    Effect.gen(function* () {
      const repository = yield* HeartbeatRepository
      const registry = yield* RegistryRepository
      const outbox = yield* Outbox
      const transaction = yield* Transaction

      const save = Effect.fnUntraced(function* (updates: ReadonlyArray<HeartbeatUpdate>) {
        yield* repository.update(updates)
        yield* outbox.append(
          updates.flatMap(({ observations }) => observations.map((observation) => message(observation, 1)))
        )
      })

      const receive: Heartbeats["Service"]["receive"] = Effect.fn("Heartbeats.receive")(
        function* (signals, decide) {
          const byHash = Map.groupBy(signals, ({ token }) => hashToken(token))
          const heartbeats = yield* repository.lockByTokens([...byHash.keys()])
          yield* save(
            heartbeats.map((heartbeat) =>
              decide(
                heartbeat,
                (byHash.get(heartbeat.tokenHash) ?? []).map(({ signal }) => signal)
              )
            )
          )
          const known = new Set(heartbeats.map(({ tokenHash }) => tokenHash))
          return new Set(signals.flatMap(({ token }) => (known.has(hashToken(token)) ? [] : [token])))
        },
        (effect) => transaction.run(effect)
      )

      const reckon: Heartbeats["Service"]["reckon"] = Effect.fn("Heartbeats.reckon")(
        function* (deadline) {
          const now = yield* Clock.currentTimeMillis
          const heartbeats = yield* repository.lockChanged(reckonedAtOnce)
          yield* repository.updateDeadlines(
            heartbeats.map((heartbeat) => ({
              id: heartbeat.id,
              at: heartbeat.paused ? null : deadline(heartbeat, now)
            }))
          )
          return heartbeats.length
        },
        (effect) => transaction.run(effect)
      )

      const overdue: Heartbeats["Service"]["overdue"] = Effect.fn("Heartbeats.overdue")(
        function* (limit, decide) {
          const heartbeats = yield* repository.lockOverdue(yield* Clock.currentTimeMillis, limit)
          yield* save(heartbeats.map((heartbeat) => decide(heartbeat, heartbeat.overdueAt)))
          return heartbeats.length
        },
        (effect) => transaction.run(effect)
      )

      const metrics: Heartbeats["Service"]["metrics"] = Effect.fn("Heartbeats.metrics")(
        function* (projectId, id, from, to) {
          if (!(yield* registry.has(projectId, id))) return yield* new MonitorNotFound({ id })
          return yield* repository.findMetrics(id, from, to, maxSignals)
        }
      )

      return Heartbeats.of({
        receive,
        reckon,
        overdue,
        look: Effect.flatMap(Clock.currentTimeMillis, repository.recordLook),
        metrics
      })
    })
  )
}

/** Heartbeats of one transaction that computes deadlines. */
const reckonedAtOnce = 1000

/** The maximum number of signals in a response. */
const maxSignals = 100_000
