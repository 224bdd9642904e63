/** What leaves the process about itself: to an OTLP collector, to Prometheus, and on standard output. Secrets do not. */
import { createServer } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { eventually, make } from "../support/Product.ts"

interface Collected {
  readonly signal: string
  readonly body: any
}

/** A collector on loopback. */
const collector: Effect.Effect<
  { readonly url: string; readonly collected: ReadonlyArray<Collected> },
  never,
  Scope.Scope
> = Effect.gen(function* () {
  const collected: Array<Collected> = []
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      collected.push({ signal: request.url!, body: JSON.parse(Buffer.concat(chunks).toString()) })
      response.setHeader("content-type", "application/json")
      response.end("{}")
    })
  })
  const url = yield* Effect.acquireRelease(
    Effect.callback<string>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(Effect.succeed(`http://127.0.0.1:${typeof address === "object" ? address!.port : 0}`))
      })
    }),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )
  return { url, collected }
})

describe("telemetry", () => {
  it.live("goes to a collector, beside the lines that are printed, and without secrets", () =>
    Effect.gen(function* () {
      const { collected, url } = yield* collector
      const product = yield* make({ withoutNats: true, env: { OTEL_EXPORTER_OTLP_ENDPOINT: url } })
      yield* product.healthy
      yield* product.call("GET", "/password=hush/token=hush")
      const told = (signal: string, text: string) =>
        collected.some((one) => one.signal === signal && JSON.stringify(one.body).includes(text))
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
      assert.notInclude(JSON.stringify(collected), "hush")
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
