/** Every span on the way of a check, of its observation and of a delivery says which monitor, project and region it is about. */
import { assert, describe, it, layer } from "@effect/vitest"
import { eventually } from "@kanmon/testkit/Eventually"
import { Heartbeats } from "@kanmon/monitoring/testing/heartbeats/Heartbeats.ts"
import { Catalogue } from "@kanmon/core/PluginHost"
import { Evaluation } from "@kanmon/monitoring/evaluation"
import { Monitors } from "@kanmon/monitoring/testing/monitors/Monitors.ts"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { bundled } from "../../apps/server/src/plugins.gen.ts"
import * as Deliverer from "../support/Deliverer.ts"
import * as Receiver from "../support/Receiver.ts"
import * as RecordedSpans from "../support/RecordedSpans.ts"
import { at, environment, evaluate, minute, noon, observed, stage } from "../support/Stage.ts"
import { listen, makeBus, projectId, region, spec, startProbe } from "./probe/Lab.ts"

const { subjectOf } = RecordedSpans

/** Says of each of the spans that it is about this. */
const allAbout = (spans: ReturnType<RecordedSpans.RecordedSpans["within"]>, subject: ReadonlyArray<unknown>) => {
  for (const span of spans) assert.deepStrictEqual(subjectOf(span), subject, span.name)
}

describe("the spans of a probe", () => {
  it.effect("are about the monitor, the project and the region of their check", () =>
    Effect.gen(function* () {
      const { bus, put } = yield* makeBus
      const heard = yield* listen(bus)
      const recorded = RecordedSpans.make()
      yield* put(spec("one", { config: { millis: 1, act: "fail" } }))
      yield* put(spec("two"))
      yield* Effect.withTracer(startProbe(bus, { traceShare: 1 }), recorded.tracer)
      yield* TestClock.adjust(20_000)
      assert.isAbove(heard.of("two").length, 0)
      const checks = recorded.named("Check.run")
      const subjects = new Map(checks.map((span) => [subjectOf(span)[0], subjectOf(span)]))
      assert.deepStrictEqual(
        [...subjects.values()].toSorted(),
        ["mon_one", "mon_two"].map((id) => [id, projectId, region])
      )
    })
  )
})

layer(environment, { timeout: "60 seconds", excludeTestServices: true })("the spans of an engine", (it) => {
  it.effect("are about the monitor of a delivery, down to the plugin that sends it", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.make
      const recorded = RecordedSpans.make()
      const { monitor, project } = yield* stage({ channels: 1, url: receiver.url })
      yield* evaluate(monitor, 0, "up", "down")
      // The first delivery of this engine: other tests leave theirs in the queue.
      const worker = Deliverer.layer({
        engine: "spans",
        now: () => noon + 2 * minute,
        recipients: { confirm: false, phonePrefixes: [], perHour: { email: 100, phone: 3 } }
      })
      yield* Effect.withTracer(Layer.build(worker), recorded.tracer)
      const [attempt] = yield* eventually(
        Effect.sync(() => recorded.named("Delivery.attempt").filter(({ status }) => status._tag === "Ended")),
        (attempts) => attempts.length > 0
      )
      const spans = recorded.within(attempt!)
      assert.includeMembers(
        spans.map(({ name }) => name),
        ["ChannelRunner.deliver", "notify-webhook.deliver", "Deliveries.conclude"]
      )
      allAbout(spans, [monitor.id, project.id, "eu-west"])
      assert.strictEqual(attempt!.attributes.get("kanmon.channel.type"), "webhook")
    })
  )

  it.effect("are about the monitor, the project and the region of the observation that they evaluate", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({ channels: 1 })
      const evaluation = yield* Evaluation
      const recorded = RecordedSpans.make()
      yield* evaluate(monitor, 0, "up")
      yield* evaluation
        .evaluate([observed(monitor, 1, "down"), observed(monitor, 2, "down")])
        .pipe(at(noon + 2 * minute), Effect.withTracer(recorded.tracer))
      const [whole] = recorded.named("Evaluation.evaluate")
      const spans = recorded.within(whole!)
      assert.isAbove(spans.length, 10)
      allAbout(spans, [monitor.id, project.id, "eu-west"])
    })
  )

  it.effect("are about what the observations of a batch have in common", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({ channels: 0 })
      const monitors = yield* Monitors
      const { id: _, ...draft } = monitor
      const other = yield* monitors.create(project.id, { ...draft, key: null, name: "Other" }).pipe(at(noon))
      const evaluation = yield* Evaluation
      const recorded = RecordedSpans.make()
      yield* evaluation
        .evaluate([observed(monitor, 1, "up"), { ...observed(other, 1, "up"), region: "us-east" }])
        .pipe(at(noon + minute), Effect.withTracer(recorded.tracer))
      allAbout(recorded.within(recorded.named("Evaluation.evaluate")[0]!), [undefined, project.id, undefined])
    })
  )

  it.effect("are about the monitor of a signal", () =>
    Effect.gen(function* () {
      const { monitor: shop, project } = yield* stage({ channels: 0 })
      const monitors = yield* Monitors
      const { id: _, ...draft } = shop
      const job = { ...draft, key: null, name: "Backup", type: "heartbeat", config: {}, passive: true }
      const monitor = yield* monitors.create(project.id, job).pipe(at(noon))
      const heartbeats = yield* Heartbeats
      const recorded = RecordedSpans.make()
      const signal = { kind: "success", at: noon, rid: "", exitCode: null, message: null, metrics: {} } as const
      yield* heartbeats
        .receive([{ token: monitor.signalToken!, signal }])
        .pipe(at(noon), Effect.withTracer(recorded.tracer))
      const written = recorded.spans.find(({ attributes }) =>
        String(attributes.get("db.query.text")).startsWith("INSERT INTO outbox")
      )
      assert.isDefined(written)
      allAbout([written!], [monitor.id, project.id, undefined])
    }).pipe(Effect.provide(Heartbeats.layer.pipe(Layer.provide(Catalogue.layer(bundled)))))
  )
})
