/**
 * A probe: follows its region's bucket, runs an actor for each assigned monitor, publishes observations, answers calls, and
 * registers itself. It needs only the bus.
 */
import { EvaluationOwner } from "@kanmon/core/BoundedEvaluator"
import { BusClock, type ClockReading } from "@kanmon/core/BusClock"
import { causeText } from "@kanmon/core/CauseText"
import type { Capabilities } from "@kanmon/core/Check"
import { CheckRunner, type RunnerSettings } from "@kanmon/core/CheckRunner"
import { type BusUnavailable, EventBus } from "@kanmon/core/EventBus"
import * as Inversion from "@kanmon/core/Inversion"
import { Catalogue } from "@kanmon/core/PluginHost"
import { type Counts, Supervisor } from "@kanmon/core/Supervisor"
import * as TimerCoalescing from "@kanmon/core/TimerCoalescing"
import * as TraceContext from "@kanmon/core/TraceContext"
import type { Observation } from "@kanmon/domain/Observation"
import { cloudEventHeaders, type ProbeChanged } from "@kanmon/domain/ServiceEvent"
import * as Subjects from "@kanmon/domain/Subjects"
import { toIso } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Fiber, Layer, Metric, Option, Schedule, Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { message } from "@kanmon/domain/ObservationMessage"
import * as CallServer from "./CallServer.ts"
import * as Captures from "./Captures.ts"
import * as CheckSpans from "./CheckSpans.ts"
import type { Change } from "./Connectivity.ts"
import * as ConnectivityGuard from "./ConnectivityGuard.ts"
import * as Outbound from "./Outbound.ts"
import * as Metrics from "./ProbeMetrics.ts"
import * as Membership from "./Membership.ts"
import * as News from "./News.ts"
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

/** Waiting messages above which captures are left out: they take several kilobytes each. */
const maxWithCaptures = 2000

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
  const { region } = settings
  const bus = yield* EventBus
  const { id } = settings
  const busClock = yield* BusClock
  const clock = yield* Clock.Clock
  const session = yield* Effect.flatMap(SecureRandom.SecureRandom, ({ ulid }) => ulid)
  const stats = ProbeStats.make()
  const runner = yield* CheckRunner
  const { checks } = yield* Catalogue

  // Acquired first, so released last: a stopping probe unregisters, finishes its checks, and sends their results.
  const outbound = yield* Outbound.make(settings.buffer)
  yield* Effect.addFinalizer(() => Effect.timeoutOption(outbound.flush, flushWithin))
  const calls = CallServer.make()
  const captures = Captures.make(() => outbound.size() > maxWithCaptures)
  const spans = yield* CheckSpans.make(settings.traceShare ?? 0)
  const news = News.make()
  const guard = yield* ConnectivityGuard.make({
    report: (found, spec) => {
      const { config, interval, type } = spec
      const counted = dated(Inversion.apply(checks.get(type), config, found), busClock.reading())
      // A failure that does not count as one needs no explanation.
      const observation =
        counted.capture === undefined || counted.status === "down" ? counted : Captures.without(counted)
      stats.add(observation)
      const outgoing = message(observation, interval * 1000)
      const trace = spans?.record(observation, type)
      const headers = trace === undefined ? outgoing.headers : { ...outgoing.headers, [TraceContext.header]: trace }
      // The bus drops a second message with the same id, so nobody else may be able to predict ids.
      const urgent = news.isNew(observation, spec) || calls.isAwaited()
      outbound.offer({ ...outgoing, headers, id: `${session}:${outgoing.id}` }, urgent)
      calls.published(observation)
    },
    postponed: calls.published,
    lost: stats.lose,
    ask: (check, account, timeoutMillis) =>
      Effect.provideService(runner.runAtOnce(check, timeoutMillis), EvaluationOwner, account),
    referenceTargets: settings.referenceTargets,
    changed: (change) => tell(bus, settings, change),
    // Held results move into the buffer all at once when they are released.
    capacity: Math.floor(settings.buffer / 2)
  })
  const supervision = yield* Layer.build(
    Supervisor.layer({
      region,
      gathers: settings.gathers ?? false,
      report: (observation, spec, run) => {
        stats.began(run.lagMillis, spec.interval * 1000)
        // Called when the check ends.
        guard.see({ ...captures.select(observation), finishedAt: clock.currentTimeMillisUnsafe() }, spec, run)
      },
      skipped: stats.skip,
      defect: stats.defect
    })
  )
  const supervisor = Context.get(supervision, Supervisor)
  yield* calls.serve({ probeId: id, region, version: settings.version, supervisor, runner, checks, guard, busClock })
  yield* Effect.addFinalizer(() => supervisor.stop(finishWithin))

  const specs = Specs.make({
    ...supervisor,
    remove: (id) =>
      Effect.andThen(
        supervisor.remove(id),
        Effect.sync(() => {
          guard.forget(id)
          captures.forget(id)
          news.forget(id)
          spans?.forget(id)
        })
      ),
    release: (id) =>
      Effect.andThen(
        supervisor.release(id),
        Effect.sync(() => {
          guard.handOver(id)
          captures.forget(id)
          news.forget(id)
          spans?.forget(id)
        })
      )
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
    version: settings.version,
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
  return Probe.of({ id, region, counts, isLate: stats.isLate, isOffline: guard.isOffline })
})

/** With a wrong clock the order of results is unknown, so they count as unknown. */
const dated = (observation: Observation, { offsetMillis, status }: ClockReading): Observation =>
  status === "wrong"
    ? {
        ...observation,
        status: "unknown",
        responseTime: null,
        failure: {
          code: "probe_clock_wrong",
          message: `The probe's clock is ${Math.round(Math.abs(offsetMillis ?? 0) / 1000)} s ${(offsetMillis ?? 0) > 0 ? "behind" : "ahead"}, so its results do not count`
        }
      }
    : observation

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
