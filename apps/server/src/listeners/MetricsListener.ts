/**
 * Health and metrics of this process on a separate port, also for processes without the API. It contains no user data and
 * requires no key; expose it only to operators.
 */
import { createServer } from "node:http"
import { basePath } from "@kanmon/protocol/BasePath"
import { Effect, Layer } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { listen } from "./Listening.ts"
import * as NodeServer from "./NodeServer.ts"
import * as SlowReaders from "./SlowReaders.ts"
import { HealthCheck } from "@kanmon/platform/ProcessHealth"

export interface MetricsListenerOptions {
  readonly host: string
  readonly port: number
}

interface MetricsResponse {
  readonly status: number
  readonly type: string
  readonly body: string
}

const json = (status: number, body: unknown): MetricsResponse => ({
  status,
  type: "application/json",
  body: JSON.stringify(body)
})

const answerTo = (path: string): Effect.Effect<MetricsResponse, never, HealthCheck> => {
  switch (path) {
    case "/metrics":
      return Effect.map(PrometheusMetrics.format(), (body) => ({
        status: 200,
        type: "text/plain; version=0.0.4; charset=utf-8",
        body
      }))
    case `${basePath}/health`:
      return Effect.gen(function* () {
        const health = yield* (yield* HealthCheck).look
        return json(health.status === "ok" ? 200 : 503, health)
      })
    case `${basePath}/health/live`:
      return Effect.succeed(json(200, { status: "ok" }))
    default:
      return Effect.succeed({
        status: 404,
        type: "text/plain",
        body: `Here are /metrics, ${basePath}/health and ${basePath}/health/live\n`
      })
  }
}

export const layer = ({ host, port }: MetricsListenerOptions) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const context = yield* Effect.context<HealthCheck>()
      const server = createServer(
        { ...NodeServer.bounds, headersTimeout: 10_000, requestTimeout: 10_000 },
        (request, response) => {
          request.resume()
          if (NodeServer.refuseOversized(request, response)) return
          const answer = answerTo((request.url ?? "/").split("?", 1)[0]!).pipe(
            Effect.catchCause((cause) =>
              Effect.as(Effect.logError("The metrics could not be served", cause), json(500, { status: "unavailable" }))
            )
          )
          void Effect.runPromiseWith(context)(answer).then(({ body, status, type }: MetricsResponse) =>
            response.writeHead(status, { "content-type": type, "cache-control": "no-store" }).end(body)
          )
        }
      )
      SlowReaders.disconnect(server)
      yield* listen(server, { host, port, setting: "KANMON_METRICS_PORT" })
    })
  )
