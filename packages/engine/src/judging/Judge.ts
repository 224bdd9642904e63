/**
 * The engine's loop: takes the observations of its partitions from the bus, judges them in batches of one transaction each,
 * acknowledges. A crash anywhere brings a batch again, and what was already stored changes nothing. What a probe may not say
 * (`Admission`) is left out and counted, and no observation keeps the others from being judged.
 */
import { EventBus, type Incoming, type Taker } from "@kanmon/core/EventBus"
import { type Refusal, refused, refusedText } from "@kanmon/domain/Admission"
import { Observation } from "@kanmon/domain/Observation"
import { check as subjectOf, checksOf, checksStream, partitions } from "@kanmon/domain/Subjects"
import { dayMillis, type EpochMillis } from "@kanmon/domain/Timestamp"
import { isDataError } from "@kanmon/store/database/Outage"
import { Judging } from "@kanmon/store/history/Judging"
import { Clock, type Duration, Effect, Layer, Metric, Result, Schema } from "effect"
import type { Sharding } from "effect/cluster"
import { Alerts, type Moment } from "../alerts/Alerts.ts"
import * as Cluster from "../Cluster.ts"
import * as Metrics from "../EngineMetrics.ts"
import { Regions } from "../Regions.ts"
import * as JointBatch from "./JointBatch.ts"
import * as Trouble from "../Trouble.ts"
import { decide, type Judged, type Step } from "./Verdict.ts"

export interface JudgeOptions {
  /** Most observations of one transaction. */
  readonly batch: number
  /** How long a batch waits for more. It bounds how late an alert may be. */
  readonly maxWait: Duration.Input
  /** Observations that are older are deleted anyway. */
  readonly retentionDays: number
}

export const defaults: JudgeOptions = { batch: 1000, maxWait: "50 millis", retentionDays: 90 }

const decodeObservation = Schema.decodeUnknownResult(Schema.fromJsonString(Observation))

const leftOut = (reason: string, count: number) =>
  count === 0 ? Effect.void : Metric.update(Metric.withAttributes(Metrics.observationsLeftOut, { reason }), count)

/** What a judged step means for the alerts. */
export const momentOf = ({ certificate, conditions, monitorId, observation, state }: Step): Moment => ({
  monitorId,
  // A pending monitor has no verdict yet.
  at: Math.max(state.judgedAt, observation.checkedAt),
  conditions,
  evidence: { state, observation, ...(certificate === undefined ? {} : { certificate }) }
})

/** Observations of one partition that are handed out at once. */
const partitionBatch = 250

/** Who takes a partition's observations from the bus. */
export const takerOf = (partition: number): Taker => ({ durable: `engine-${partition}`, filter: [checksOf(partition)] })

/** All of them. */
export const takers: ReadonlyArray<Taker> = Array.from({ length: partitions }, (_, partition) => takerOf(partition))

/** An observation that may be judged, or why it may not. */
const admitted = (
  { payload, subject }: Incoming,
  now: EpochMillis,
  retentionDays: number
): Result.Result<Observation, Refusal> => {
  const unreadable = refusedText(payload)
  if (unreadable !== undefined) return Result.fail(unreadable)
  const decoded = decodeObservation(payload)
  if (Result.isFailure(decoded)) return Result.fail("malformed")
  const refusal = refused(decoded.success, subject, { now, retentionMillis: retentionDays * dayMillis })
  return refusal === undefined ? Result.succeed(decoded.success) : Result.fail(refusal)
}

/** Tells the log of refusals: the first of a kind at once, and then how many there were, once a minute. */
const refusalLog = () => {
  const kinds = new Map<Refusal, { told: EpochMillis; untold: number }>()
  return (refusal: Refusal, subject: string, now: EpochMillis): Effect.Effect<void> => {
    const kind = kinds.get(refusal) ?? { told: Number.NEGATIVE_INFINITY, untold: 0 }
    kinds.set(refusal, kind)
    kind.untold++
    if (now - kind.told < logMillis) return Effect.void
    const observations = kind.untold
    kind.told = now
    kind.untold = 0
    return Effect.logWarning("Observations were refused").pipe(
      Effect.annotateLogs({ reason: refusal, observations, subject })
    )
  }
}

const logMillis = 60_000

/** How to consume a partition until interrupted; what the partitions bring is judged together, as long as the scope is open. */
export const make = (given: Partial<JudgeOptions> = {}) =>
  Effect.gen(function* () {
    const options = { ...defaults, ...given }
    const bus = yield* EventBus
    const judging = yield* Judging
    const alerts = yield* Alerts
    const regions = yield* Regions
    const tellRefusal = refusalLog()

    const leaveOut = Effect.fnUntraced(function* (refusal: Refusal, subject: string, now: EpochMillis) {
      yield* leftOut(refusal, 1)
      yield* tellRefusal(refusal, subject, now)
    })

    const judge = Effect.fnUntraced(function* (observations: ReadonlyArray<Observation>) {
      let verdicts: Judged | undefined
      const liveRegions = Object.keys((yield* regions.current).probes)
      const now = yield* Clock.currentTimeMillis
      const outcome = yield* judging.judge(
        observations,
        (monitors, fresh) => (verdicts = decide(monitors, fresh, { liveRegions, now })),
        ({ steps }, book) => alerts.decide(steps.map(momentOf), book)
      )
      for (const { change } of verdicts?.changes ?? []) {
        yield* Metric.update(Metric.withAttributes(Metrics.statusChanges, { status: change.status }), 1)
      }
      yield* Metric.update(Metrics.observationsJudged, outcome.fresh)
      yield* leftOut("repeated", outcome.repeated)
      yield* leftOut("orphaned", outcome.orphaned)
    })

    /** Judges what can be judged: an observation that the database refuses is found by halves and left out. */
    const judgeAll = (observations: ReadonlyArray<Observation>): Effect.Effect<void> =>
      Effect.catchCause(judge(observations), (cause) => {
        if (!isDataError(cause)) return Effect.failCause(cause)
        const half = observations.length >> 1
        return half === 0
          ? Effect.flatMap(Clock.currentTimeMillis, (now) => leaveOut("malformed", subjectOf(observations[0]!), now))
          : Effect.andThen(judgeAll(observations.slice(0, half)), judgeAll(observations.slice(half)))
      })

    const handle = Effect.fnUntraced(function* (messages: ReadonlyArray<Incoming>) {
      const began = yield* Clock.currentTimeMillis
      const observations: Array<Observation> = []
      for (const message of messages) {
        const found = admitted(message, began, options.retentionDays)
        if (Result.isSuccess(found)) observations.push(found.success)
        else yield* leaveOut(found.failure, message.subject, began)
      }
      if (observations.length > 0) yield* judgeAll(observations)
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
  options: Partial<JudgeOptions> = {}
): Layer.Layer<never, never, Alerts | EventBus | Judging | Regions | Sharding.Sharding> =>
  Layer.unwrap(Effect.map(make(options), (consume) => Cluster.spread("judge", consume)))
