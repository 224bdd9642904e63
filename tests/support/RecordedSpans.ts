/** A tracer that keeps its spans. */
import { Option, Tracer } from "effect"

export interface RecordedSpans {
  readonly tracer: Tracer.Tracer
  readonly spans: ReadonlyArray<Tracer.Span>
  readonly named: (name: string) => ReadonlyArray<Tracer.Span>
  /** This span, and all that it is an ancestor of. */
  readonly within: (root: Tracer.Span) => ReadonlyArray<Tracer.Span>
}

export const make = (): RecordedSpans => {
  const spans: Array<Tracer.Span> = []
  const isWithin = (span: Tracer.AnySpan, root: Tracer.Span): boolean =>
    span === root || (span._tag === "Span" && Option.isSome(span.parent) && isWithin(span.parent.value, root))
  return {
    spans,
    tracer: Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      }
    }),
    named: (name) => spans.filter((span) => span.name === name),
    within: (root) => spans.filter((span) => isWithin(span, root))
  }
}

/** What a span is about: the monitor, the project and the region, as far as it says. */
export const subjectOf = ({ attributes }: Tracer.Span): ReadonlyArray<unknown> =>
  ["kanmon.monitor.id", "kanmon.project.id", "kanmon.region"].map((name) => attributes.get(name))
