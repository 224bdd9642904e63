/**
 * A probe: follows its region's bucket, runs an actor for each assigned monitor, answers calls, and registers itself. What
 * becomes of an observation is in `ObservationPipeline`. It needs only the bus.
 */
import { BusClock } from "@kanmon/core/BusClock"
import { causeText } from "@kanmon/core/CauseText"
import type { Capabilities } from "@kanmon/core/Check"
import { CheckRunner, type RunnerSettings } from "@kanmon/core/CheckRunner"
import { type BusUnavailable, EventBus } from "@kanmon/core/EventBus"
import { Catalogue } from "@kanmon/core/PluginHost"
import { type Counts, Supervisor } from "@kanmon/core/Supervisor"
import * as TimerCoalescing from "@kanmon/core/TimerCoalescing"
import { cloudEventHeaders, type ProbeChanged } from "@kanmon/domain/ServiceEvent"
import * as Subjects from "@kanmon/domain/Subjects"
import { toIso } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Fiber, Layer, Metric, Option, Schedule, Scope } from "effect"
import type { SecureRandom } from "effect/crypto"
import * as CallServer from "./CallServer.ts"
import type { Change } from "./Connectivity.ts"
import * as ObservationPipeline from "./ObservationPipeline.ts"
import * as Outbound from "./Outbound.ts"
import * as Metrics from "./ProbeMetrics.ts"
import * as Membership from "./Membership.ts"
import * as Specs from "./Specs.ts"
import * as ProbeStats from "./ProbeStats.ts"

export interface ProbeSettings extends RunnerSettings {
  /** Lower-case letters and digits. Stable over restarts, so that a probe replaces its former registration. */
  readonly id: string
  readonly version: string
  /** Observations kept while the bus is down. */
  readonly buffer: number
  /** Lifetime of a registration in milliseconds. */
  readonly announcementTtl: number
  /** Whether any reference target answers; without it, monitored targets are asked. */
  readonly referenceTargets?: Effect.Effect<boolean> | undefined
  /** Whether few checks begin together, which costs much less than each on its own; up to a second after they are due. */
  readonly gathers?: boolean
  /** Share of the checks that are traced without a failure, from 0 to 1; by default none. */
  readonly traceShare?: number
}

/** How long a starting probe waits for its monitors before it registers, provided the bucket exists. */
const readWithin = "10 seconds"
const missingAfter = "2 seconds"

/** How long a stopping probe waits for running checks, and then for its observations to reach the bus. */
const finishWithin = "4 seconds"
const flushWithin = "3 seconds"

export class Probe extends Context.Service<
  Probe,
  {
    readonly id: string
    readonly region: string
    readonly counts: () => Counts
    /** Whether a check of the last minute started late by more than its monitor's interval. */
    readonly isLate: () => boolean
    /** Whether it has no network connection, so that failures are reported as unknown. */
    readonly isOffline: () => boolean
  }
>()("@kanmon/probe/Probe") {
  static readonly layer = (
    settings: ProbeSettings
  ): Layer.Layer<Probe, BusUnavailable, BusClock | EventBus | Catalogue | Capabilities | SecureRandom.SecureRandom> =>
    Layer.effect(Probe, start(settings)).pipe(Layer.provide(CheckRunner.layer(settings)))
}

const start = Effect.fnUntraced(function* (settings: ProbeSettings) {
  const { id, region, version } = settings
  const bus = yield* EventBus
  const busClock = yield* BusClock
  const stats = ProbeStats.make()
  const runner = yield* CheckRunner
  const { checks } = yield* Catalogue

  // Acquired first, so released last: a stopping probe unregisters, finishes its checks, and sends their results.
  const outbound = yield* Outbound.make(settings.buffer)
  yield* Effect.addFinalizer(() => Effect.timeoutOption(outbound.flush, flushWithin))
  const calls = CallServer.make()
  const pipeline = yield* ObservationPipeline.make({
    calls,
    outbound,
    stats,
    traceShare: settings.traceShare ?? 0,
    referenceTargets: settings.referenceTargets,
    changed: (change) => tell(bus, settings, change),
    // Held observations move into the buffer all at once when they are released.
    held: Math.floor(settings.buffer / 2)
  })
  const supervision = yield* Layer.build(
    Supervisor.layer({
      region,
      gathers: settings.gathers ?? false,
      report: pipeline.take,
      skipped: stats.skip,
      defect: stats.defect
    })
  )
  const supervisor = Context.get(supervision, Supervisor)
  yield* calls.serve({ probeId: id, region, version, supervisor, runner, checks, guard: pipeline, busClock })
  yield* Effect.addFinalizer(() => supervisor.stop(finishWithin))

  const specs = Specs.make({
    ...supervisor,
    remove: (id) => Effect.map(supervisor.remove(id), () => pipeline.forget(id)),
    release: (id) => Effect.map(supervisor.release(id), () => pipeline.handOver(id))
  })
  const counts = (): Counts => {
    const watched = supervisor.counts()
    return { ...watched, unusable: watched.unusable + specs.unreadable() }
  }
  const bucket = yield* Effect.forkScoped(bus.bucket(Subjects.specBucket(region)), { startImmediately: true })
  const follow = Fiber.join(bucket).pipe(
    Effect.catch((error) =>
      Effect.logWarning("The region's monitors cannot be read yet", error.detail).pipe(
        Effect.andThen(Effect.retry(bus.bucket(Subjects.specBucket(region)), Schedule.spaced("1 second")))
      )
    ),
    Effect.flatMap(specs.follow)
  )
  const scope = yield* Scope.Scope
  yield* Membership.join(yield* bus.bucket(Subjects.probeBucket, { ttlMillis: settings.announcementTtl }), {
    probeId: id,
    region,
    version,
    ttl: settings.announcementTtl,
    monitors: () => counts().monitors,
    changed: specs.assignment,
    prepare: Effect.gen(function* () {
      yield* Effect.forkIn(follow, scope)
      // The bucket of a new region is created when its first probe registers.
      const there = yield* Effect.timeoutOption(Fiber.join(bucket), missingAfter)
      if (Option.isSome(there)) yield* Effect.timeoutOption(specs.read, readWithin)
    })
  })
  yield* Effect.forkScoped(
    Effect.suspend(() => stats.publish(counts(), outbound)).pipe(
      Effect.catchCause((cause) => Effect.logError("The probe's metrics could not be updated", causeText(cause))),
      Effect.andThen(TimerCoalescing.pause("1 second")),
      Effect.forever
    )
  )
  return Probe.of({ id, region, counts, isLate: stats.isLate, isOffline: pipeline.isOffline })
})

/** Log messages. */
const words: Record<Change, Effect.Effect<void>> = {
  offline: Effect.logError(
    "Probe lost its network connection; failed checks are reported as unknown until it recovers"
  ),
  online: Effect.logInfo("Probe recovered its network connection"),
  "given up": Effect.logError(
    "Nothing has answered this probe for two minutes; failed checks count again. Set KANMON_REFERENCE_TARGETS to hold them for longer"
  )
}

/** Notifies the operator with a log line, a metric and events. Customers are not notified. */
const tell = (bus: EventBus["Service"], { id, region }: ProbeSettings, change: Change) =>
  Effect.gen(function* () {
    const at = yield* Clock.currentTimeMillis
    const name = change === "offline" ? "offline" : "online"
    yield* Effect.annotateLogs(words[change], { probe: id, region })
    yield* Metric.update(Metrics.offline, name === "offline" ? 1 : 0)
    const data: typeof ProbeChanged.Encoded = { probeId: id, region, at: toIso(at) }
    const eventId = `${id}:${name}:${at}`
    const event = {
      id: eventId,
      subject: Subjects.probeEvent(region, id, name),
      headers: cloudEventHeaders({ id: eventId, type: `kanmon.probe.${name}`, subject: id, time: at }),
      payload: JSON.stringify(data)
    }
    // In the background: the bus may be unreachable, too.
    yield* Effect.forkDetach(Effect.ignoreCause(bus.publish([event])))
  })
