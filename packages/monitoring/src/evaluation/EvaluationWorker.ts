/**
 * The way of observations through the engine, in order: they are consumed from the bus, gathered in batches, admitted, evaluated
 * in one transaction, and acknowledged. After a crash a batch is delivered again, which changes nothing. Observations that are
 * refused do not stop the others.
 */
import { type Consumer, EventBus, type Incoming } from "@kanmon/core/EventBus"
import * as Recurring from "@kanmon/core/Recurring"
import * as TraceContext from "@kanmon/core/TraceContext"
import { check as subjectOf, checksOf, checksStream, partitions } from "@kanmon/domain/Subjects"
import { Clock, type Duration, Effect, Layer, Metric } from "effect"
import type { Sharding } from "effect/cluster"
import * as Cluster from "@kanmon/platform/cluster/Cluster"
import { isDataError } from "@kanmon/platform/DependencyUnavailable"
import * as Metrics from "./EvaluationMetrics.ts"
import { Regions } from "../regions/index.ts"
import * as BatchCoalescer from "./BatchCoalescer.ts"
import { Evaluation } from "./Evaluation.ts"
import * as ObservationIntake from "./ObservationIntake.ts"

export interface EvaluationOptions {
  /** Maximum number of observations in one transaction. */
  readonly batch: number
  /** How long a batch waits for more. It bounds how late an alert may be. */
  readonly maxWait: Duration.Input
  /** Older observations are refused: they would be deleted anyway. */
  readonly retentionDays: number
}

const defaults: EvaluationOptions = { batch: 1000, maxWait: "50 millis", retentionDays: 90 }

/** While PostgreSQL works on one batch, this process works on the other. */
const lanes = 2

/** Whether a result may be the news that somebody waits for. */
const isUrgent = ({ payload }: Incoming): boolean => !payload.includes('"status":"up"')

/** Observations of one partition that are delivered at once. */
const partitionBatch = 250

/** The consumer of a partition's observations. */
export const consumerOf = (partition: number): Consumer => ({
  durable: `engine-${partition}`,
  filter: [checksOf(partition)]
})

/** The consumers of all partitions. */
export const consumers: ReadonlyArray<Consumer> = Array.from({ length: partitions }, (_, partition) =>
  consumerOf(partition)
)

/** Returns how to consume a partition until interrupted. All partitions share the batches while the scope is open. */
export const make = (given: Partial<EvaluationOptions> = {}) =>
  Effect.gen(function* () {
    const options = { ...defaults, ...given }
    const bus = yield* EventBus
    const evaluation = yield* Evaluation
    const regions = yield* Regions
    const isTraced = (yield* TraceContext.exporting) !== undefined
    const intake = ObservationIntake.make(options.retentionDays, isTraced)

    /** Partitions that this engine has: with all of them there is no other engine. */
    let held = 0
    // 1. The messages of a partition are consumed in their order.
    const consume = (partition: number): Effect.Effect<never> => {
      const reading = {
        ...consumerOf(partition),
        stream: checksStream.name,
        batch: partitionBatch,
        maxWait: 0,
        isAlone: () => held === partitions,
        // News would wait behind the results of its partition that wait for company.
        arrives: announce
      }
      return Effect.acquireUseRelease(
        Effect.sync(() => void held++),
        () => bus.consume(reading, submit),
        () => Effect.sync(() => void held--)
      )
    }

    // 2. What arrives is gathered in batches, in which all partitions take part.
    const { watch } = Recurring.failureLog("Observation evaluation")
    const { announce, submit } = yield* BatchCoalescer.make(
      { limit: options.batch, wait: options.maxWait, lanes, isUrgent },
      (messages: ReadonlyArray<Incoming>) => watch(handle(messages))
    )

    const handle = Effect.fnUntraced(function* (messages: ReadonlyArray<Incoming>) {
      const began = yield* Clock.currentTimeMillis
      // 3. What a probe may not say is left out.
      const admitted = yield* intake.admit(messages)
      // 4. The others are evaluated in one transaction, of which `Evaluation` has the order.
      if (admitted.observations.length > 0) yield* evaluateAll(admitted)
      // 5. The batch is measured, and its consumers go on: the bus counts their messages as processed.
      yield* Metric.update(Metrics.batchDuration, (yield* Clock.currentTimeMillis) - began)
    })

    /** Evaluates what can be evaluated: an observation that the database refuses is found by bisection and left out. */
    const evaluateAll = ({ checks, observations }: ObservationIntake.Admitted): Effect.Effect<void> =>
      Effect.catchCause(evaluate({ checks, observations }), (cause) => {
        if (!isDataError(cause)) return Effect.failCause(cause)
        const half = observations.length >> 1
        return half === 0
          ? intake.refuse("malformed", subjectOf(observations[0]!))
          : Effect.andThen(
              evaluateAll({ checks, observations: observations.slice(0, half) }),
              evaluateAll({ checks, observations: observations.slice(half) })
            )
      })

    const evaluate = Effect.fnUntraced(function* ({ checks, observations }: ObservationIntake.Admitted) {
      const liveRegions = Object.keys((yield* regions.current).probes)
      const { entries, fresh, orphaned, repeated } = yield* evaluation.evaluate(observations, {
        liveRegions,
        ...(checks === undefined ? {} : { checks })
      })
      for (const { change } of entries) {
        yield* Metric.update(Metric.withAttributes(Metrics.statusChanges, { status: change.status }), 1)
      }
      yield* Metric.update(Metrics.observationsJudged, fresh)
      yield* ObservationIntake.leftOut("repeated", repeated)
      yield* ObservationIntake.leftOut("orphaned", orphaned)
    })

    return consume
  })

export const layer = (
  options: Partial<EvaluationOptions> = {}
): Layer.Layer<never, never, EventBus | Evaluation | Regions | Sharding.Sharding> =>
  Layer.unwrap(Effect.map(make(options), (consume) => Cluster.partitioned("evaluation", consume)))
