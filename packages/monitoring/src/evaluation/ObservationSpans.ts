/**
 * Evaluations in the traces of the checks. A batch has observations of many traces, so its own span only links to them; each
 * traced observation gets a span in the trace of its check, which the deliveries that it causes continue.
 */
import * as TraceContext from "@kanmon/core/TraceContext"
import type { Observation } from "@kanmon/domain/Observation"
import { Effect, type Scope, type Tracer } from "effect"

/** The spans of the checks behind observations, as far as they are traced. */
export type CheckSpans = ReadonlyMap<Observation, Tracer.ExternalSpan>

/** The `traceparent` of the spans of observations. */
export type ObservationTraces = ReadonlyMap<Observation, string>

const none: ObservationTraces = new Map()

/** Links of one span: the default limit of OpenTelemetry. */
const maxLinks = 128

/** Starts the spans of a batch's observations; they end with the scope. */
export const start = (
  batch: ReadonlyArray<Observation>,
  checks: CheckSpans | undefined
): Effect.Effect<ObservationTraces, never, Scope.Scope> =>
  checks === undefined || checks.size === 0 ? Effect.succeed(none) : startAll(batch, checks)

const startAll = Effect.fnUntraced(function* (batch: ReadonlyArray<Observation>, checks: CheckSpans) {
  const whole = yield* Effect.orDie(Effect.currentSpan)
  const traces = new Map<Observation, string>()
  const links: Array<Tracer.SpanLink> = []
  for (const observation of batch) {
    const parent = checks.get(observation)
    if (parent === undefined) continue
    const span = yield* Effect.makeSpanScoped("Evaluation.observation", {
      kind: "consumer",
      parent,
      links: [{ span: whole, attributes: {} }],
      attributes: { ...TraceContext.attributesOf(observation), "kanmon.check.status": observation.status }
    })
    traces.set(observation, TraceContext.write(span))
    if (links.length < maxLinks) links.push({ span: parent, attributes: {} })
  }
  whole.addLinks(links)
  whole.attribute("kanmon.observations", batch.length)
  return traces
})
