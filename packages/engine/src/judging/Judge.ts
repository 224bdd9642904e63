/**
 * The engine's loop: takes the observations of its partitions from the bus, judges them in batches of one transaction each,
 * acknowledges. A crash anywhere brings a batch again, and what was already stored changes nothing.
 */
import { EventBus, type Incoming, type Taker } from "@kanmon/core/EventBus"
import { Observation } from "@kanmon/domain/Observation"
import { checksOf, checksStream, partitions } from "@kanmon/domain/Subjects"
import { Judging } from "@kanmon/store/history/Judging"
import { Clock, type Duration, Effect, Layer, Metric, Result, Schema } from "effect"
import type { Sharding } from "effect/cluster"
import { Alerts, type Moment } from "../alerts/Alerts.ts"
import * as Cluster from "../Cluster.ts"
import * as Metrics from "../EngineMetrics.ts"
import * as JointBatch from "./JointBatch.ts"
import * as Trouble from "../Trouble.ts"
import { decide, type Judged, type Step } from "./Verdict.ts"

export interface JudgeOptions {
  /** Most observations of one transaction. */
  readonly batch: number
  /** How long a batch waits for more. It bounds how late an alert may be. */
  readonly maxWait: Duration.Input
}

export const defaults: JudgeOptions = { batch: 1000, maxWait: "50 millis" }

const decodeObservation = Schema.decodeUnknownResult(Schema.fromJsonString(Observation))

const leftOut = (reason: string, count: number) =>
  count === 0 ? Effect.void : Metric.update(Metric.withAttributes(Metrics.observationsLeftOut, { reason }), count)

/** What a judged step means for the alerts. */
export const momentOf = ({ certificate, conditions, monitorId, observation, state }: Step): Moment => ({
  monitorId,
  at: state.judgedAt,
  conditions,
  evidence: { state, observation, ...(certificate === undefined ? {} : { certificate }) }
})

/** Observations of one partition that are handed out at once. */
const partitionBatch = 250

/** Who takes a partition's observations from the bus. */
export const takerOf = (partition: number): Taker => ({ durable: `engine-${partition}`, filter: [checksOf(partition)] })

/** All of them. */
export const takers: ReadonlyArray<Taker> = Array.from({ length: partitions }, (_, partition) => takerOf(partition))

/** How to consume a partition until interrupted; what the partitions bring is judged together, as long as the scope is open. */
export const make = (options: JudgeOptions = defaults) =>
  Effect.gen(function* () {
    const bus = yield* EventBus
    const judging = yield* Judging
    const alerts = yield* Alerts

    const handle = Effect.fnUntraced(function* (messages: ReadonlyArray<Incoming>) {
      const began = yield* Clock.currentTimeMillis
      const observations: Array<Observation> = []
      let malformed = 0
      for (const message of messages) {
        const decoded = decodeObservation(message.payload)
        if (Result.isSuccess(decoded)) {
          observations.push(decoded.success)
          continue
        }
        malformed++
        yield* Effect.logWarning("An observation could not be read; it was left out").pipe(
          Effect.annotateLogs({ subject: message.subject, problem: decoded.failure.message })
        )
      }
      if (observations.length > 0) {
        let verdicts: Judged | undefined
        const outcome = yield* judging.judge(
          observations,
          (monitors, fresh) => (verdicts = decide(monitors, fresh)),
          ({ steps }, book) => alerts.decide(steps.map(momentOf), book)
        )
        for (const { change } of verdicts?.changes ?? []) {
          yield* Metric.update(Metric.withAttributes(Metrics.statusChanges, { status: change.status }), 1)
        }
        yield* Metric.update(Metrics.observationsJudged, outcome.fresh)
        yield* leftOut("repeated", outcome.repeated)
        yield* leftOut("orphaned", outcome.orphaned)
      }
      yield* leftOut("malformed", malformed)
      yield* Metric.update(Metrics.batchDuration, (yield* Clock.currentTimeMillis) - began)
    })

    const { watch } = Trouble.make("Judging observations")
    const judged = yield* JointBatch.make(
      { most: options.batch, wait: options.maxWait },
      (messages: ReadonlyArray<Incoming>) => watch(handle(messages))
    )
    return (partition: number): Effect.Effect<never> =>
      bus.consume({ ...takerOf(partition), stream: checksStream.name, batch: partitionBatch, maxWait: 0 }, judged)
  })

export const layer = (
  options: JudgeOptions = defaults
): Layer.Layer<never, never, Alerts | EventBus | Judging | Sharding.Sharding> =>
  Layer.unwrap(Effect.map(make(options), (consume) => Cluster.spread("judge", consume)))
