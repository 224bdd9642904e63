/**
 * The side of a region: follows the region's bucket, keeps an actor for each monitor in it, publishes what they observe, and
 * announces itself. It needs the bus alone.
 */
import { CheckRunner, type RunnerSettings } from "@kanmon/core/CheckRunner"
import type { Dialer } from "@kanmon/core/Dialer"
import { type Bucket, type BusUnavailable, EventBus } from "@kanmon/core/EventBus"
import type { Catalogue } from "@kanmon/core/PluginHost"
import type { Resolver } from "@kanmon/core/Resolver"
import { type Counts, Supervisor } from "@kanmon/core/Supervisor"
import type { MonitorId } from "@kanmon/domain/Ids"
import { MonitorSpec } from "@kanmon/domain/Monitor"
import type { Observation } from "@kanmon/domain/Observation"
import { probeBucket, specBucket } from "@kanmon/domain/Subjects"
import { toIso } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer, Metric, Result, Schedule, Schema, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { message } from "./ObservationMessage.ts"
import * as Outbound from "./Outbound.ts"
import * as Metrics from "./ProbeMetrics.ts"

export interface ProbeSettings extends RunnerSettings {
  readonly version: string
  /** Observations kept while the bus is away. */
  readonly buffer: number
  /** How long an announcement lasts, in milliseconds; it is repeated three times in that time. */
  readonly announcementTtl: number
}

/** How long a stopping probe waits for its observations to reach the bus. */
const flushWithin = "4 seconds"

export class Probe extends Context.Service<
  Probe,
  {
    readonly id: string
    readonly region: string
    readonly counts: () => Counts
    /** The largest schedule lag of the last minute or so, in milliseconds. */
    readonly lag: () => number
  }
>()("@kanmon/probe/Probe") {
  static readonly layer = (
    settings: ProbeSettings
  ): Layer.Layer<Probe, BusUnavailable, EventBus | Catalogue | Dialer | Resolver | SecureRandom.SecureRandom> =>
    Layer.effect(Probe, start(settings)).pipe(Layer.provide(CheckRunner.layer(settings)))
}

const start = Effect.fnUntraced(function* (settings: ProbeSettings) {
  const { region } = settings
  const bus = yield* EventBus
  const id = (yield* (yield* SecureRandom.SecureRandom).ulid).toLowerCase()
  const outbound = yield* Outbound.make(settings.buffer)
  // Run when the scope closes: actors first (they are in an inner layer), then what they reported is flushed.
  yield* Effect.addFinalizer(() => Effect.asVoid(Effect.timeoutOption(outbound.flush, flushWithin)))

  const tally = makeTally()
  const intervals = new Map<string, number>()
  const report = (observation: Observation): void => {
    tally.add(observation)
    outbound.offer(message(observation, intervals.get(observation.monitorId) ?? 60_000))
  }
  const supervision = yield* Layer.build(Supervisor.layer({ region, report, skipped: tally.skip }))
  const supervisor = Context.get(supervision, Supervisor)

  const specs = yield* bus.bucket(specBucket(region))
  yield* Effect.forkScoped(follow(specs, supervisor, intervals))
  const probes = yield* bus.bucket(probeBucket, { ttlMillis: settings.announcementTtl })
  yield* announce(probes, settings, id, supervisor)
  yield* Effect.forkScoped(
    Effect.suspend(() => tally.publish(supervisor.counts().monitors)).pipe(Effect.repeat(Schedule.spaced("1 second")))
  )
  return Probe.of({ id, region, counts: supervisor.counts, lag: tally.lag })
})

const decodeSpec = Schema.decodeUnknownResult(Schema.fromJsonString(MonitorSpec))

/** Configures an actor for each entry. A fresh snapshot also tells what is gone. */
const follow = (
  bucket: Bucket,
  supervisor: Supervisor["Service"],
  intervals: Map<string, number>
): Effect.Effect<void> => {
  let snapshot: Set<string> | undefined = new Set()
  const remove = (key: string) => {
    intervals.delete(key)
    return supervisor.remove(key as MonitorId)
  }
  return bucket.watch.pipe(
    Stream.runForEach((entry) => {
      switch (entry._tag) {
        case "Put": {
          snapshot?.add(entry.key)
          const spec = decodeSpec(entry.value)
          if (Result.isFailure(spec)) {
            return Effect.logWarning("A monitor's spec cannot be read").pipe(
              Effect.annotateLogs({ monitorId: entry.key, problem: spec.failure.message })
            )
          }
          intervals.set(entry.key, spec.success.interval * 1000)
          return supervisor.configure(spec.success)
        }
        case "Delete":
          snapshot?.delete(entry.key)
          return remove(entry.key)
        case "Current": {
          const gone = snapshot === undefined ? [] : supervisor.ids().filter((id) => !snapshot!.has(id))
          snapshot = undefined
          return Effect.forEach(gone, remove, { discard: true })
        }
      }
    }),
    Effect.tapError((error) =>
      Effect.logWarning("The bus is away; monitors go on as they are").pipe(
        Effect.annotateLogs({ reason: error.detail })
      )
    ),
    Effect.tapError(() =>
      Effect.sync(() => {
        snapshot = new Set()
      })
    ),
    Effect.retry(Schedule.spaced("1 second")),
    Effect.orDie
  )
}

const announce = (probes: Bucket, settings: ProbeSettings, probeId: string, supervisor: Supervisor["Service"]) =>
  Effect.gen(function* () {
    const startedAt = toIso(yield* Clock.currentTimeMillis)
    const key = `${settings.region}.${probeId}`
    const put = Effect.suspend(() =>
      probes.put(
        key,
        JSON.stringify({
          probeId,
          region: settings.region,
          version: settings.version,
          startedAt,
          monitors: supervisor.counts().monitors
        })
      )
    ).pipe(
      Effect.catch((error) =>
        Effect.logWarning("The probe cannot announce itself").pipe(Effect.annotateLogs({ reason: error.detail }))
      )
    )
    yield* put
    yield* Effect.forkScoped(Effect.repeat(put, Schedule.spaced(settings.announcementTtl / 3)))
    yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeoutOption(probes.remove(key), "1 second")))
  })

/** Counts as the actors report, and hands the counts to the metrics now and then: a metric's update costs more than a sum. */
const makeTally = () => {
  let byStatus: Record<string, number> = {}
  let skipped = 0
  let lags: Array<number> = []
  let worst = 0
  let worstBefore = 0
  let rounds = 0
  return {
    add: ({ checkedAt, scheduledAt, status }: Observation): void => {
      byStatus[status] = (byStatus[status] ?? 0) + 1
      lags.push(checkedAt - scheduledAt)
    },
    skip: (slots: number): void => {
      skipped += slots
    },
    lag: (): number => Math.max(worst, worstBefore),
    publish: (monitors: number): Effect.Effect<void> =>
      Effect.gen(function* () {
        const [statuses, late, missed] = [byStatus, lags, skipped]
        byStatus = {}
        lags = []
        skipped = 0
        if (++rounds % 30 === 0) {
          worstBefore = worst
          worst = 0
        }
        for (const [status, count] of Object.entries(statuses)) {
          yield* Metric.update(Metric.withAttributes(Metrics.checks, { status }), count)
        }
        for (const lag of late) {
          if (lag > worst) worst = lag
          yield* Metric.update(Metrics.lag, lag)
        }
        if (missed > 0) yield* Metric.update(Metrics.skipped, missed)
        yield* Metric.update(Metrics.monitors, monitors)
      })
  }
}
