/**
 * W3C trace contexts, with which another process, or stored work, continues a trace.
 * @see https://www.w3.org/TR/trace-context/
 */
import { Effect, Option, Tracer } from "effect"
import { Headers, HttpTraceContext } from "effect/http"

/** The header that carries a trace context, on the bus as in HTTP. */
export const header = "traceparent"

/** The tracer that exports spans; undefined without one, because spans of Effect's native tracer are not exported. */
export const exporting: Effect.Effect<Tracer.Tracer | undefined> = Effect.map(Tracer.Tracer, (tracer) =>
  tracer === Tracer.nativeTracer ? undefined : tracer
)

/** The `traceparent` of a span. */
export const write = ({ sampled, spanId, traceId }: Tracer.AnySpan): string =>
  `00-${traceId.padStart(32, "0")}-${spanId}-${sampled ? "01" : "00"}`

/** The span of a `traceparent`; undefined when it is missing or malformed. */
export const read = (traceparent: string | null | undefined): Tracer.ExternalSpan | undefined =>
  traceparent === null || traceparent === undefined
    ? undefined
    : Option.getOrUndefined(HttpTraceContext.w3c(Headers.fromInput({ [header]: traceparent })))

/** The `traceparent` of the current span; null without a span. */
export const current: Effect.Effect<string | null> = Effect.match(Effect.currentSpan, {
  onFailure: () => null,
  onSuccess: write
})

/** Runs an effect within the trace of a `traceparent`. */
export const continued =
  (traceparent: string | null) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    const span = read(traceparent)
    return span === undefined ? effect : Effect.withParentSpan(effect, span)
  }

/** The attributes by which spans of one monitor are found. */
export const attributesOf = (about: {
  readonly monitorId: string
  readonly projectId: string
  readonly region: string | null
}): Record<string, string> => ({
  "kanmon.monitor.id": about.monitorId,
  "kanmon.project.id": about.projectId,
  ...(about.region === null ? {} : { "kanmon.region": about.region })
})
