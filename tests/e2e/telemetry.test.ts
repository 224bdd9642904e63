/** What leaves the process about itself: to an OTLP collector, to Prometheus, and on standard output. Secrets do not. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { eventually, make } from "../support/Product.ts"
import * as Receiver from "../support/Receiver.ts"

describe("telemetry", () => {
  it.live("goes to a collector, beside the lines that are printed, and without secrets", () =>
    Effect.gen(function* () {
      const { received, url } = yield* Receiver.make
      const product = yield* make({ withoutNats: true, env: { OTEL_EXPORTER_OTLP_ENDPOINT: url } })
      yield* product.healthy
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
    }).pipe(Effect.scoped)
  )

  it.live("is told to Prometheus: the process, and what it does", () =>
    Effect.gen(function* () {
      const product = yield* make({ withoutNats: true })
      yield* product.healthy
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
    }).pipe(Effect.scoped)
  )
})
