/** What leaves the process about itself: to an OTLP collector, to Prometheus, and on standard output. Secrets do not. */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { eventually, freePort, make, type Product } from "../support/Product.ts"
import * as Receiver from "../support/Receiver.ts"

/** A product and the collector that it sends to. The last test stops it. */
class Observed extends Context.Service<
  Observed,
  { readonly product: Product; readonly collector: Receiver.Receiver }
>()("@kanmon/tests/e2e/telemetry/Observed") {
  static readonly layer = Layer.effect(
    Observed,
    Effect.gen(function* () {
      const collector = yield* Receiver.make
      const product = yield* make({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } })
      yield* product.healthy
      return { product, collector }
    })
  )
}

describe("telemetry", () => {
  layer(Observed.layer, { timeout: "10 minutes", excludeTestServices: true })((it) => {
    it.effect("exposes process and product metrics to Prometheus", () =>
      Effect.gen(function* () {
        const { product } = yield* Observed
        // The outbox's age is told when the engine has got the job of carrying it.
        const { body } = yield* eventually(product.call("GET", "/../../metrics"), ({ body }) =>
          String(body).includes("kanmon_outbox_age_milliseconds")
        )
        const value = (name: string): number =>
          Number(
            String(body)
              .split("\n")
              .find((line) => line.startsWith(name))
              ?.split(" ")
              .at(-1)
          )
        assert.strictEqual(value("kanmon_build_info"), 1)
        assert.isAbove(value("process_resident_memory_bytes"), 1e7)
        assert.isAbove(value("process_cpu_seconds_total"), 0)
        assert.isAtLeast(value("nodejs_eventloop_lag_p99_seconds"), 0)
        assert.isAbove(value("kanmon_http_request_milliseconds_count"), 0)
        assert.strictEqual(value('kanmon_deliveries{type="webhook",outcome="failed"}'), 0)
        assert.strictEqual(value("kanmon_outbox_age_milliseconds"), 0)
      })
    )

    it.effect("traces a failing check to the message that it causes", () =>
      Effect.gen(function* () {
        const { collector, product } = yield* Observed
        const hook = yield* Receiver.make
        const ada = yield* product.signUp
        yield* ada.call("POST", "/notification-channels", { name: "Hook", type: "webhook", config: { url: hook.url } })
        yield* ada.call("POST", "/alert-rules", { name: "Down", trigger: "monitor_down" })
        const monitor = yield* ada.call("POST", "/monitors", {
          name: "Closed",
          type: "tcp",
          host: "127.0.0.1",
          port: yield* freePort,
          interval: 3600
        })
        assert.strictEqual(monitor.status, 201, JSON.stringify(monitor.body))
        yield* eventually(
          Effect.sync(() => hook.received),
          (received) => received.length > 0
        )
        assert.isUndefined(hook.received[0]!.headers["traceparent"])

        const found = yield* eventually(
          Effect.sync(() => pathOf(spansOf(collector.received))),
          (path) => path.batch !== undefined
        )
        const [batch, check, delivery, evaluation] = [found.batch!, found.check!, found.delivery!, found.evaluation!]
        assert.isUndefined(check.parentSpanId)
        assert.strictEqual(evaluation.parentSpanId, check.spanId)
        assert.strictEqual(delivery.parentSpanId, evaluation.spanId)
        assert.notStrictEqual(batch.traceId, check.traceId)
        assert.include(batch.links, check.spanId)
        const about = {
          "kanmon.monitor.id": monitor.body.id,
          "kanmon.project.id": ada.projectId,
          "kanmon.region": "eu-west"
        }
        const result = { "kanmon.check.status": "down" }
        assert.containSubset(check.attributes, { ...about, ...result, "kanmon.check.type": "tcp" })
        assert.containSubset(evaluation.attributes, { ...about, ...result })
        assert.containSubset(delivery.attributes, { ...about, "kanmon.channel.type": "webhook" })
        assert.isAtLeast(evaluation.start, check.end)
        assert.isAtLeast(delivery.start, evaluation.start)
      }).pipe(Effect.scoped)
    )

    it.effect("sends to a collector, in addition to the log, without secrets", () =>
      Effect.gen(function* () {
        const {
          collector: { received },
          product
        } = yield* Observed
        yield* product.call("GET", "/password=hush/token=hush")
        const told = (signal: string, text: string) =>
          received.some(({ body, path }) => path === signal && JSON.stringify(body).includes(text))
        yield* eventually(
          Effect.sync(() => told("/v1/logs", "password=••••")),
          (isTold) => isTold
        )
        // What it has not sent yet is sent before it ends.
        assert.strictEqual(yield* product.stop("SIGTERM"), "0")
        assert.isTrue(told("/v1/metrics", "kanmon_outbox_age_milliseconds"))
        const printed = product
          .output()
          .split("\n")
          .filter((line) => line.includes("password="))
        assert.isAbove(printed.length, 0)
        for (const line of printed) assert.strictEqual(JSON.parse(line).message, "Request")
        assert.notInclude(product.output(), "hush")
        assert.notInclude(JSON.stringify(received), "hush")
      })
    )
  })
})

interface ExportedSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  /** Nanoseconds since 1970. */
  readonly start: number
  readonly end: number
  readonly attributes: Readonly<Record<string, unknown>>
  /** The ids of the linked spans. */
  readonly links: ReadonlyArray<string>
}

/** The spans that a collector received as OTLP JSON. */
const spansOf = (received: ReadonlyArray<Receiver.Received>): ReadonlyArray<ExportedSpan> =>
  received
    .filter(({ path }) => path === "/v1/traces")
    .flatMap(({ body }) => body.resourceSpans[0].scopeSpans[0].spans)
    .map((span) => ({
      name: span.name,
      traceId: span.traceId,
      spanId: span.spanId,
      parentSpanId: span.parentSpanId,
      start: Number(span.startTimeUnixNano),
      end: Number(span.endTimeUnixNano),
      attributes: Object.fromEntries(
        span.attributes.map(({ key, value }: { key: string; value: object }) => [key, Object.values(value)[0]])
      ),
      links: span.links.map(({ spanId }: { spanId: string }) => spanId)
    }))

/** The spans from a check to the notification that it causes; undefined while they have not arrived. */
const pathOf = (spans: ReadonlyArray<ExportedSpan>) => {
  const delivery = spans.find(({ name }) => name === "Delivery.attempt")
  const one = spans.filter(({ traceId }) => traceId === delivery?.traceId)
  const check = one.find(({ name }) => name === "Check.run")
  const evaluation = one.find(({ name }) => name === "Evaluation.observation")
  const batch = spans.find(({ name, spanId }) => name === "Evaluation.evaluate" && spanId === evaluation?.links[0])
  return { delivery, check, evaluation, batch: check && batch }
}
