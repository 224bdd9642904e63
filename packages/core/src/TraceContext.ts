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

/** What a span is about, as far as it is known. */
export interface Subject {
  readonly monitorId?: string | undefined
  readonly projectId?: string | undefined
  readonly region?: string | null | undefined
}

/** The attributes by which spans of a monitor, a project or a region are found. */
export const attributesOf = ({ monitorId, projectId, region }: Subject): Record<string, string> => {
  const attributes: Record<string, string> = {}
  if (monitorId !== undefined) attributes["kanmon.monitor.id"] = monitorId
  if (projectId !== undefined) attributes["kanmon.project.id"] = projectId
  if (region !== undefined && region !== null) attributes["kanmon.region"] = region
  return attributes
}

/** Gives these attributes to the current span, and to every span within the effect. For the entrance of a way, not for its parts. */
export const about = (subject: Subject): (<A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>) => {
  const attributes = attributesOf(subject)
  return (effect) => Effect.andThen(Effect.annotateCurrentSpan(attributes), Effect.annotateSpans(effect, attributes))
}

/** What all of these are about: nothing where they differ. */
export const shared = (subjects: ReadonlyArray<Subject>): Subject => {
  const [first = {}, ...others] = subjects
  const common = <Key extends keyof Subject>(key: Key) =>
    others.every((other) => other[key] === first[key]) ? first[key] : undefined
  return { monitorId: common("monitorId"), projectId: common("projectId"), region: common("region") }
}
