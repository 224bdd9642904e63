/** The API's metrics, by name. */
import { Effect, Metric } from "effect"

export const metrics = {
  requests: Metric.histogram("kanmon_http_request_milliseconds", {
    description: "Time until an answer began, by method and class of status (2xx)",
    boundaries: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 30_000]
  }),
  eventStreams: Metric.gauge("kanmon_event_streams", {
    description: "Event streams (SSE) that are open in this process"
  })
}

/** Made once each: a series costs more to find by its attributes than to update. */
const series = new Map<string, typeof metrics.requests>()

const seriesOf = (method: string, status: string): typeof metrics.requests => {
  const key = `${method} ${status}`
  const made = series.get(key) ?? Metric.withAttributes(metrics.requests, { method, status })
  series.set(key, made)
  return made
}

/** Notes an answer. */
export const answered = (method: string, status: number, millis: number): Effect.Effect<void> =>
  Effect.suspend(() => Metric.update(seriesOf(method, `${Math.floor(status / 100)}xx`), millis))
