/**
 * The engine's loop: takes observations from the bus in batches, judges each batch in one transaction, acknowledges.
 * A crash anywhere brings the batch again, and what was already stored changes nothing.
 */
import { EventBus, type Incoming } from "@kanmon/core/EventBus"
import { Observation } from "@kanmon/domain/Observation"
import { checksStream } from "@kanmon/domain/Subjects"
import { Judging } from "@kanmon/store/history/Judging"
import { Clock, type Duration, Effect, Layer, Metric, Result, Schema } from "effect"
import { Alerts, type Moment } from "./Alerts.ts"
import * as Metrics from "./EngineMetrics.ts"
import { decide, type Judged, type Step } from "./Verdict.ts"

export interface JudgeOptions {
  /** Most observations of one transaction. */
  readonly batch: number
  /** How long a batch waits for more. It bounds how late an alert may be. */
  readonly maxWait: Duration.Input
}

export const defaults: JudgeOptions = { batch: 1000, maxWait: "50 millis" }

/** By this name the engines share the observations, and what they have judged is told from what they have not. */
export const consumer = { stream: checksStream.name, durable: "engine" } as const

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

/** Consumes observations until interrupted. */
export const run = (options: JudgeOptions = defaults): Effect.Effect<never, never, Alerts | EventBus | Judging> =>
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

    return yield* bus.consume({ ...consumer, batch: options.batch, maxWait: options.maxWait }, (messages) =>
      handle(messages).pipe(
        Effect.catchCause((cause) =>
          Effect.logError("A batch of observations could not be judged; it will come again", cause).pipe(
            Effect.andThen(Effect.failCause(cause))
          )
        )
      )
    )
  })

export const layer = (options: JudgeOptions = defaults): Layer.Layer<never, never, Alerts | EventBus | Judging> =>
  Layer.effectDiscard(Effect.forkScoped(run(options)))
