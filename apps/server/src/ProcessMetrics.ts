/** Metrics of the process, with the names of Prometheus's client libraries. */
import { monotonicMillis } from "@kanmon/core/AlarmClock"
import * as TimerCoalescing from "@kanmon/core/TimerCoalescing"
import { Clock, Effect, Layer, Metric } from "effect"
import { Settings } from "./Settings.ts"
import { version } from "@kanmon/platform/version"

export const metrics = {
  build: Metric.gauge("kanmon_build_info", {
    description: "Always 1: the version and the roles of this process, by version and roles"
  }),
  startTime: Metric.gauge("process_start_time_seconds", {
    description: "Start time of this process, in seconds since 1970"
  }),
  residentMemory: Metric.gauge("process_resident_memory_bytes", {
    description: "Resident memory of this process"
  }),
  heapUsed: Metric.gauge("nodejs_heap_size_used_bytes", {
    description: "JavaScript heap in use, garbage included"
  }),
  processor: Metric.counter("process_cpu_seconds_total", {
    description: "CPU time used by all threads of this process",
    incremental: true
  }),
  loopDelay: Metric.gauge("nodejs_eventloop_lag_p99_seconds", {
    description: "99th percentile of the event loop delay in the last ten seconds"
  })
}

const interval = "10 seconds"
/** Between samples of the event loop's delay. Node's own histogram would wake the process for each. */
const sampleMillis = 500

/** Updates the metrics every ten seconds. */
export const layer: Layer.Layer<never, never, Settings> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { roles } = yield* Settings
    yield* Metric.update(Metric.withAttributes(metrics.build, { version, roles: roles.join() }), 1)
    yield* Metric.update(metrics.startTime, (Date.now() - process.uptime() * 1000) / 1000)
    const clock = yield* Clock.Clock
    /** The 99th percentile of twenty samples is the largest. */
    let delay = 0
    const sampleDelay = Effect.suspend(() => {
      const planned = TimerCoalescing.coalesced(clock.currentTimeMillisUnsafe(), sampleMillis)
      const began = monotonicMillis(clock)
      return Effect.map(Effect.sleep(planned), () => {
        delay = Math.max(delay, monotonicMillis(clock) - began - planned)
      })
    })
    yield* Effect.forkScoped(Effect.forever(sampleDelay))
    let counted = 0
    const sample = Effect.gen(function* () {
      const { heapUsed: heap, rss } = process.memoryUsage()
      const { system, user } = process.cpuUsage()
      const seconds = (system + user) / 1e6
      yield* Metric.update(metrics.residentMemory, rss)
      yield* Metric.update(metrics.heapUsed, heap)
      yield* Metric.update(metrics.processor, seconds - counted)
      yield* Metric.update(metrics.loopDelay, delay / 1000)
      delay = 0
      counted = seconds
    })
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(sample, TimerCoalescing.pause(interval))))
  })
)
