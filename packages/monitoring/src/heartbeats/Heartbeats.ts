/**
 * Passive monitors: their signals, and deadlines that pass without one. In one transaction, in this order: the rows of the
 * monitors are locked, the rules of their plugins decide what a signal or a deadline leads to, that is stored, and its
 * observations go into the outbox. So an acknowledged signal is neither lost nor evaluated twice.
 */
import * as TraceContext from "@kanmon/core/TraceContext"
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
import { HeartbeatRepository, type HeartbeatUpdate, type StoredHeartbeat } from "./HeartbeatRepository.ts"
import * as HeartbeatRules from "./HeartbeatRules.ts"

export interface SentSignal {
  readonly token: string
  readonly signal: Signal
}

export class Heartbeats extends Context.Service<Heartbeats>()("@kanmon/monitoring/heartbeats/Heartbeats", {
  make: Effect.gen(function* () {
    const repository = yield* HeartbeatRepository
    const registry = yield* RegistryRepository
    const outbox = yield* Outbox
    const transaction = yield* Transaction
    const rules = yield* HeartbeatRules.make

    const save = Effect.fnUntraced(function* (updates: ReadonlyArray<HeartbeatUpdate>) {
      yield* repository.update(updates)
      yield* outbox.append(
        updates.flatMap(({ observations }) => observations.map((observation) => message(observation, 1)))
      )
    })

    /** Stores signals, all in one transaction; returns the unknown tokens. */
    const receive = Effect.fn("Heartbeats.receive")(
      function* (signals: ReadonlyArray<SentSignal>) {
        const byHash = Map.groupBy(signals, ({ token }) => hashToken(token))
        const heartbeats = yield* repository.lockByTokens([...byHash.keys()])
        const received = (hash: string) => (byHash.get(hash) ?? []).map(({ signal }) => signal)
        yield* save(heartbeats.map((heartbeat) => rules.receive(heartbeat, received(heartbeat.tokenHash)))).pipe(
          spansAbout(heartbeats)
        )
        const known = new Set(heartbeats.map(({ tokenHash }) => tokenHash))
        return new Set(signals.flatMap(({ token }) => (known.has(hashToken(token)) ? [] : [token])))
      },
      (effect) => transaction.run(effect)
    )

    /** Computes the deadlines of heartbeats that were created, changed or resumed; returns their number. */
    const reckon = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const heartbeats = yield* repository.lockChanged(reckonedAtOnce)
      yield* repository.updateDeadlines(
        heartbeats.map((heartbeat) => ({
          id: heartbeat.id,
          at: heartbeat.paused ? null : rules.deadline(heartbeat, now)
        }))
      )
      return heartbeats.length
    }).pipe(transaction.run, Effect.withSpan("Heartbeats.reckon"))

    /**
     * Decides about heartbeats after their deadline; returns their number. Deadlines up to `excusedUntil` do not count,
     * because no signals were received then.
     */
    const overdue = Effect.fn("Heartbeats.overdue")(
      function* (limit: number, excusedUntil: EpochMillis) {
        const heartbeats = yield* repository.lockOverdue(yield* Clock.currentTimeMillis, limit)
        yield* save(
          heartbeats.map((heartbeat) => {
            const deadline = heartbeat.overdueAt
            return deadline <= excusedUntil ? rules.excused(heartbeat, deadline) : rules.missed(heartbeat, deadline)
          })
        ).pipe(spansAbout(heartbeats))
        return heartbeats.length
      },
      (effect) => transaction.run(effect)
    )

    /** Signals with metrics in `[from, to)`, oldest first. */
    const metrics = Effect.fn("Heartbeats.metrics")(function* (
      projectId: ProjectId,
      id: MonitorId,
      from: EpochMillis,
      to: EpochMillis
    ) {
      if (!(yield* registry.has(projectId, id))) return yield* new MonitorNotFound({ id })
      return yield* repository.findMetrics(id, from, to, maxSignals)
    })

    return {
      receive,
      reckon,
      overdue,
      /** Records a look at the deadlines; returns when the one before it was, null when there was none. */
      look: Effect.flatMap(Clock.currentTimeMillis, repository.recordLook),
      /** Whether there are heartbeats in this installation. */
      exist: repository.exist,
      metrics
    }
  })
}) {
  static readonly layer = Layer.effect(Heartbeats, Heartbeats.make)
}

const spansAbout = (heartbeats: ReadonlyArray<StoredHeartbeat>) =>
  TraceContext.about(TraceContext.shared(heartbeats.map(({ id, projectId }) => ({ monitorId: id, projectId }))))

/** Heartbeats of one transaction that computes deadlines. */
const reckonedAtOnce = 1000

/** The maximum number of signals in a response. */
const maxSignals = 100_000
