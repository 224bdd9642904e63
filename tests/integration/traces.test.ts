/** Deliveries continue the trace of the check that caused them, also when a batch has checks of several traces. */
import { assert, layer } from "@effect/vitest"
import * as TraceContext from "@kanmon/core/TraceContext"
import { Evaluation } from "@kanmon/monitoring/evaluation"
import { Effect, Tracer } from "effect"
import { SqlClient } from "effect/sql"
import { at, environment, evaluate, minute, noon, observed, stage } from "../support/Stage.ts"

const externalSpan = (digit: string): Tracer.ExternalSpan =>
  Tracer.externalSpan({ traceId: digit.repeat(32), spanId: digit.repeat(16) })

/** A tracer that keeps its spans. */
const recording = () => {
  const spans: Array<Tracer.Span> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  return { spans, tracer }
}

const queued = (channel: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql<{ readonly purpose: string; readonly trace: string | null }>`SELECT purpose, trace FROM deliveries
        WHERE channel_id = ${channel} ORDER BY id`
  )

layer(environment, { timeout: "60 seconds" })("traces", (it) => {
  it.effect("continues the trace of the check in its evaluation and in the deliveries that it causes", () =>
    Effect.gen(function* () {
      const { channels, monitor } = yield* stage({ channels: 1 })
      const evaluation = yield* Evaluation
      const { spans, tracer } = recording()
      yield* evaluate(monitor, 0, "up")
      const batch = [observed(monitor, 1, "down"), observed(monitor, 2, "up"), observed(monitor, 3, "up")] as const
      const checks = new Map([
        [batch[0], externalSpan("a")],
        [batch[1], externalSpan("b")]
      ])
      yield* evaluation.evaluate(batch, { checks }).pipe(at(noon + 3 * minute), Effect.withTracer(tracer))

      const observations = spans.filter(({ name }) => name === "Evaluation.observation")
      const whole = spans.find(({ name }) => name === "Evaluation.evaluate")!
      assert.deepStrictEqual(
        observations.map(({ status, traceId }) => [traceId, status._tag]),
        [
          ["a".repeat(32), "Ended"],
          ["b".repeat(32), "Ended"]
        ]
      )
      assert.deepStrictEqual(
        whole.links.map(({ span }) => span.spanId),
        ["a".repeat(16), "b".repeat(16)]
      )
      for (const { links } of observations) assert.strictEqual(links[0]!.span.spanId, whole.spanId)
      assert.deepStrictEqual(yield* queued(channels[0]!), [
        { purpose: "open", trace: TraceContext.write(observations[0]!) },
        { purpose: "close", trace: TraceContext.write(observations[1]!) }
      ])
    })
  )

  it.effect("continues the trace of the evaluation where the check has none", () =>
    Effect.gen(function* () {
      const { channels, monitor } = yield* stage({ channels: 1 })
      const evaluation = yield* Evaluation
      const { spans, tracer } = recording()
      const batch = [observed(monitor, 0, "up"), observed(monitor, 1, "down")]
      yield* evaluation.evaluate(batch).pipe(at(noon + minute), Effect.withTracer(tracer))
      const [delivery] = yield* queued(channels[0]!)
      assert.include(delivery!.trace!, spans.find(({ name }) => name === "Evaluation.evaluate")!.traceId)
      assert.isUndefined(spans.find(({ name }) => name === "Evaluation.observation"))
    })
  )
})
