/**
 * Evaluations derive the status of monitors and their alerts from observations or from missing ones. Each is one
 * transaction that saves everything or nothing, so that a redelivered batch changes nothing.
 */
import * as TraceContext from "@kanmon/core/TraceContext"
import { isOf } from "@kanmon/domain/Admission"
import {
  currentMoment,
  type EvaluatedMonitor,
  evaluateBatch,
  type EvaluationResult,
  type HistoryEntry,
  type Moment
} from "@kanmon/domain/BatchEvaluation"
import type { MonitorId } from "@kanmon/domain/Ids"
import type { MonitorState } from "@kanmon/domain/MonitorState"
import { aheadMillis, type Observation } from "@kanmon/domain/Observation"
import { evaluateStaleness, type Watching } from "@kanmon/domain/StalenessEvaluation"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer } from "effect"
import { Alerts, type Moment as AlertMoment, OpenAlerts } from "../alerts/index.ts"
import { Outbox } from "@kanmon/platform/outbox/Outbox"
import { Transaction } from "@kanmon/platform/Transaction"
import { CaptureRepository, type NewCapture } from "./CaptureRepository.ts"
import { EvaluationRepository } from "./EvaluationRepository.ts"
import * as ObservationSpans from "./ObservationSpans.ts"
import { Rollups } from "./Rollups.ts"

export interface EvaluateOptions {
  /** Regions with a live probe; without any, the first vote decides. */
  readonly liveRegions?: ReadonlyArray<string>
  /** The spans of the checks, which the evaluation and the deliveries continue. */
  readonly checks?: ObservationSpans.CheckSpans
}

export interface EvaluatedBatch {
  /** New observations. */
  readonly fresh: number
  /** Observations that were already stored, or twice in the batch. */
  readonly repeated: number
  /** Observations that do not belong to a monitor of their project and region. */
  readonly orphaned: number
  readonly entries: ReadonlyArray<HistoryEntry>
}

export class Evaluation extends Context.Service<
  Evaluation,
  {
    /** Stores a batch of observations with everything that follows from it. */
    readonly evaluate: (batch: ReadonlyArray<Observation>, options?: EvaluateOptions) => Effect.Effect<EvaluatedBatch>
    /** Marks those of the monitors that are stale, and returns them. */
    readonly markStale: (
      ids: ReadonlyArray<MonitorId>,
      watching: Watching
    ) => Effect.Effect<ReadonlyArray<EvaluatedMonitor>>
    /** Decides the alerts of monitors as they are now, without a new observation. */
    readonly reviewAlerts: (ids: ReadonlyArray<MonitorId>) => Effect.Effect<void>
  }
>()("@kanmon/monitoring/evaluation/Evaluation") {
  static readonly layer = Layer.effect(
    Evaluation,
    Effect.gen(function* () {
      const repository = yield* EvaluationRepository
      const captures = yield* CaptureRepository
      const rollups = yield* Rollups
      const alerts = yield* Alerts
      const openAlerts = yield* OpenAlerts
      const outbox = yield* Outbox
      const transaction = yield* Transaction

      const save = Effect.fnUntraced(function* (result: EvaluationResult, now: EpochMillis) {
        yield* repository.deleteAfter(result.healed, now + aheadMillis)
        yield* repository.saveStates(result.states, now)
        yield* repository.insertEntries(result.entries, now)
        yield* rollups.reopenDays(
          result.entries.map(({ change, monitorId }) => ({ monitorId, at: change.at })),
          now
        )
        yield* outbox.append(result.events)
      })

      /** The states of these monitors are locked, so that no other transaction decides the same alerts. */
      const decideAlerts = Effect.fnUntraced(function* (moments: ReadonlyArray<AlertMoment>, now: EpochMillis) {
        if (moments.length === 0) return
        const context = yield* openAlerts.context([...new Set(moments.map(({ monitorId }) => monitorId))])
        yield* openAlerts.save(yield* alerts.decide(moments, context), now)
      })

      const evaluateAll = Effect.fnUntraced(function* (
        batch: ReadonlyArray<Observation>,
        liveRegions: ReadonlyArray<string>,
        traces: ObservationSpans.ObservationTraces
      ) {
        const now = yield* Clock.currentTimeMillis
        // 1. The states of their monitors are locked; others of the batch have no such monitor, project or region.
        const locked = yield* repository.lockMonitors([...new Set(batch.map(({ monitorId }) => monitorId))])
        const monitors = new Map(locked.map((monitor) => [monitor.id, monitor]))
        const known = batch.filter((observation) => {
          const monitor = monitors.get(observation.monitorId)
          return monitor !== undefined && isOf(monitor, observation)
        })
        // 2. They are stored; a known one is not evaluated again.
        const fresh = yield* repository.insertNew(known, now)
        // 3. A pure function decides what they mean, and that is saved: states, status history, and events in the outbox.
        const result = evaluateBatch(monitors, fresh, { now, liveRegions })
        yield* save(result, now)
        yield* captures.insert(capturesOf(fresh, (id) => result.states.get(id) ?? monitors.get(id)?.state))
        // 4. Alerts open and close, and their deliveries are queued.
        yield* decideAlerts(traced(result.moments, traces), now)
        // 5. Closed hours that got observations are aggregated again.
        yield* rollups.reopenHours(fresh, now)
        return {
          fresh: fresh.length,
          repeated: known.length - fresh.length,
          orphaned: batch.length - known.length,
          entries: result.entries
        }
      })

      const evaluate: Evaluation["Service"]["evaluate"] = Effect.fn("Evaluation.evaluate")(
        function* (batch, { checks, liveRegions = [] } = {}) {
          // Outside of the transaction, so that the spans include its commit.
          const traces = yield* ObservationSpans.start(batch, checks)
          return yield* transaction.run(evaluateAll(batch, liveRegions, traces))
        },
        Effect.scoped,
        (effect, batch) => TraceContext.about(TraceContext.shared(batch))(effect)
      )

      const markStale = Effect.fn("Evaluation.markStale")(
        function* (ids: ReadonlyArray<MonitorId>, watching: Watching) {
          const result = evaluateStaleness(yield* repository.lockWatched(ids), watching)
          yield* save(result, watching.now)
          yield* decideAlerts(result.moments, watching.now)
          return result.marked
        },
        (effect) => transaction.run(effect)
      )

      const reviewAlerts = Effect.fn("Evaluation.reviewAlerts")(
        function* (ids: ReadonlyArray<MonitorId>) {
          if (ids.length === 0) return
          const now = yield* Clock.currentTimeMillis
          const monitors = yield* repository.lockMonitors(ids)
          yield* decideAlerts(
            monitors.map((monitor) => currentMoment(monitor, now)),
            now
          )
        },
        (effect) => transaction.run(effect)
      )

      return Evaluation.of({ evaluate, markStale, reviewAlerts })
    })
  )
}

/** The moments, with the traces of their observations. */
const traced = (
  moments: ReadonlyArray<Moment>,
  traces: ObservationSpans.ObservationTraces
): ReadonlyArray<AlertMoment> =>
  traces.size === 0
    ? moments
    : moments.map((moment) => {
        const { observation } = moment.evidence
        return observation === undefined ? moment : { ...moment, trace: traces.get(observation) }
      })

/** The captures among new observations, each with the beginning of its outage, of the monitor or of one region. */
const capturesOf = (
  fresh: ReadonlyArray<Observation>,
  stateOf: (id: MonitorId) => MonitorState | undefined
): ReadonlyArray<NewCapture> =>
  fresh.flatMap(({ capture, checkedAt, monitorId, region, scheduledAt }) => {
    if (capture === undefined) return []
    const state = stateOf(monitorId)
    const outageSince = state?.status === "down" ? state.since : (state?.regions[region]?.failingSince ?? checkedAt)
    return [{ monitorId, region, scheduledAt, checkedAt, capture, outageSince: Math.min(outageSince, checkedAt) }]
  })
