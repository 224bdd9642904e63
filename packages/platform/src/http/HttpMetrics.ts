/** Metrics of the HTTP API. */
import { Effect, Metric } from "effect"

export const metrics = {
  requests: Metric.histogram("kanmon_http_request_milliseconds", {
    description: "Time to the start of the response, by method and status class (2xx)",
    boundaries: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 30_000]
  }),
  eventStreams: Metric.gauge("kanmon_event_streams", {
    description: "Open event streams (SSE) of this process"
  })
}

/** Caches series: looking one up by its attributes costs more than updating it. */
const series = new Map<string, typeof metrics.requests>()

const seriesOf = (method: string, status: string): typeof metrics.requests => {
  const key = `${method} ${status}`
  const made = series.get(key) ?? Metric.withAttributes(metrics.requests, { method, status })
  series.set(key, made)
  return made
}

/** Records a response. */
export const answered = (method: string, status: number, millis: number): Effect.Effect<void> =>
  Effect.suspend(() => Metric.update(seriesOf(method, `${Math.floor(status / 100)}xx`), millis))
