/** Decides which messages the engine evaluates, and reports the others: counted by reason, and logged once a minute. */
import type { Incoming } from "@kanmon/core/EventBus"
import * as TraceContext from "@kanmon/core/TraceContext"
import { type Refusal, refused, refusedText } from "@kanmon/domain/Admission"
import type { Observation } from "@kanmon/domain/Observation"
import { read } from "@kanmon/domain/ObservationMessage"
import { dayMillis, type EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, Effect, Metric, type Tracer } from "effect"
import * as Metrics from "./EvaluationMetrics.ts"
import type { CheckSpans } from "./ObservationSpans.ts"

/** The observation of a message, or why it is not evaluated. */
const admit = ({ payload, subject }: Incoming, now: EpochMillis, retentionMillis: number): Observation | Refusal => {
  const unreadable = refusedText(payload)
  if (unreadable !== undefined) return unreadable
  const observation = read(payload)
  if (observation === undefined) return "malformed"
  return refused(observation, subject, { now, retentionMillis }) ?? observation
}

/** Counts observations that were left out. */
export const leftOut = (reason: string, count: number): Effect.Effect<void> =>
  count === 0 ? Effect.void : Metric.update(Metric.withAttributes(Metrics.observationsLeftOut, { reason }), count)

const logMillis = 60_000

/** Observations that are evaluated. */
export interface Admitted {
  readonly observations: ReadonlyArray<Observation>
  /** The spans of their checks; undefined when spans are not exported. */
  readonly checks: CheckSpans | undefined
}

export interface ObservationIntake {
  /** The observations of these messages that are evaluated. The others are reported. */
  readonly admit: (messages: ReadonlyArray<Incoming>) => Effect.Effect<Admitted>
  /** Reports an observation that is not evaluated. */
  readonly refuse: (refusal: Refusal, subject: string) => Effect.Effect<void>
}

/** With `isTraced`, the trace contexts of the messages are read. */
export const make = (retentionDays: number, isTraced: boolean): ObservationIntake => {
  const retentionMillis = retentionDays * dayMillis
  const kinds = new Map<Refusal, { loggedAt: EpochMillis; count: number }>()

  const refuse = Effect.fnUntraced(function* (refusal: Refusal, subject: string) {
    yield* leftOut(refusal, 1)
    const now = yield* Clock.currentTimeMillis
    const kind = kinds.get(refusal) ?? { loggedAt: Number.NEGATIVE_INFINITY, count: 0 }
    kinds.set(refusal, kind)
    kind.count++
    if (now - kind.loggedAt < logMillis) return
    const observations = kind.count
    kind.loggedAt = now
    kind.count = 0
    yield* Effect.logWarning("Observations were refused").pipe(
      Effect.annotateLogs({ reason: refusal, observations, subject })
    )
  })

  return {
    refuse,
    admit: Effect.fnUntraced(function* (messages) {
      const now = yield* Clock.currentTimeMillis
      const observations: Array<Observation> = []
      // Headers are decoded when they are read, so they are not read in vain.
      const checks = isTraced ? new Map<Observation, Tracer.ExternalSpan>() : undefined
      for (const message of messages) {
        const admitted = admit(message, now, retentionMillis)
        if (typeof admitted === "string") {
          yield* refuse(admitted, message.subject)
          continue
        }
        observations.push(admitted)
        const span = checks && TraceContext.read(message.headers[TraceContext.header])
        if (span?.sampled === true) checks?.set(admitted, span)
      }
      return { observations, checks }
    })
  }
}
