/**
 * The side of a region: follows the region's bucket, keeps an actor for each monitor that falls to it, publishes what they
 * observe, answers calls, and announces itself. It needs the bus alone.
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
import type { Observation } from "@kanmon/domain/Observation"
import { cloudEventHeaders, type ProbeChanged } from "@kanmon/domain/ServiceEvent"
import * as Subjects from "@kanmon/domain/Subjects"
import { toIso } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Fiber, Layer, Metric, Option, Schedule, Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { message } from "@kanmon/domain/ObservationMessage"
import * as Answers from "./Answers.ts"
import type { Change } from "./Connectivity.ts"
import * as ConnectivityGuard from "./ConnectivityGuard.ts"
import * as Outbound from "./Outbound.ts"
import * as Metrics from "./ProbeMetrics.ts"
import * as Presence from "./Presence.ts"
import * as Specs from "./Specs.ts"
import * as Tally from "./Tally.ts"

export interface ProbeSettings extends RunnerSettings {
  /** Lower case letters and digits. The same after a restart: a probe takes its own place again, not one beside its ghost. */
  readonly id: string
  readonly version: string
  /** Observations kept while the bus is away. */
  readonly buffer: number
  /** How long an announcement lasts, in milliseconds. */
  readonly announcementTtl: number
  /** Whether any reference target answers; without it monitored targets are asked whether this probe is offline. */
  readonly referenceTargets?: Effect.Effect<boolean> | undefined
}

/** How long a probe that comes waits for its monitors before it takes its place; where there is a bucket at all. */
const readWithin = "10 seconds"
const missingAfter = "2 seconds"

/** How long a stopping probe waits for its checks in flight, and then for its observations to reach the bus. */
const finishWithin = "4 seconds"
const flushWithin = "3 seconds"

export class Probe extends Context.Service<
  Probe,
  {
    readonly id: string
    readonly region: string
    readonly counts: () => Counts
    /** Whether a check of the last minute or so began later than planned by more than its monitor's interval. */
    readonly isLate: () => boolean
    /** It has no network connection: what fails is reported as unknown. */
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
  const tally = Tally.make()
  const runner = yield* CheckRunner
  const { checks } = yield* Catalogue

  // What comes first here ends last: a stopping probe leaves, lets its checks end, and sends what they found.
  const outbound = yield* Outbound.make(settings.buffer)
  yield* Effect.addFinalizer(() => Effect.timeoutOption(outbound.flush, flushWithin))
  const answers = Answers.make()
  const guard = yield* ConnectivityGuard.make({
    report: (found, { config, interval, type }) => {
      const observation = dated(Inversion.apply(checks.get(type), config, found), busClock.reading())
      tally.add(observation)
      const outgoing = message(observation, interval * 1000)
      // The bus drops a second message with the same id: nobody else may know it beforehand.
      outbound.offer({ ...outgoing, id: `${session}:${outgoing.id}` })
      answers.published(observation)
    },
    postponed: answers.published,
    lost: tally.lose,
    ask: (check, account, timeoutMillis) =>
      Effect.provideService(runner.runAtOnce(check, timeoutMillis), EvaluationOwner, account),
    referenceTargets: settings.referenceTargets,
    changed: (change) => tell(bus, settings, change),
    // What is held goes into the buffer at once when it is released.
    capacity: Math.floor(settings.buffer / 2)
  })
  const supervision = yield* Layer.build(
    Supervisor.layer({
      region,
      report: (observation, spec, run) => {
        tally.began(run.lagMillis, spec.interval * 1000)
        // Called as the check ends.
        guard.see({ ...observation, finishedAt: clock.currentTimeMillisUnsafe() }, spec, run)
      },
      skipped: tally.skip,
      defect: tally.defect
    })
  )
  const supervisor = Context.get(supervision, Supervisor)
  yield* answers.serve({ probeId: id, region, version: settings.version, supervisor, runner, checks, guard })
  yield* Effect.addFinalizer(() => supervisor.stop(finishWithin))

  const specs = Specs.make({
    ...supervisor,
    remove: (id) =>
      Effect.andThen(
        supervisor.remove(id),
        Effect.sync(() => guard.forget(id))
      ),
    release: (id) =>
      Effect.andThen(
        supervisor.release(id),
        Effect.sync(() => guard.handOver(id))
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
  yield* Presence.announce(yield* bus.bucket(Subjects.probeBucket, { ttlMillis: settings.announcementTtl }), {
    probeId: id,
    region,
    version: settings.version,
    ttl: settings.announcementTtl,
    monitors: () => counts().monitors,
    changed: specs.share,
    prepare: Effect.gen(function* () {
      yield* Effect.forkIn(follow, scope)
      // A new region's bucket is made when its first probe has announced itself.
      const there = yield* Effect.timeoutOption(Fiber.join(bucket), missingAfter)
      if (Option.isSome(there)) yield* Effect.timeoutOption(specs.read, readWithin)
    })
  })
  yield* Effect.forkScoped(
    Effect.suspend(() => tally.publish(counts(), outbound)).pipe(
      Effect.catchCause((cause) => Effect.logError("The probe's metrics could not be updated", causeText(cause))),
      Effect.andThen(Effect.sleep("1 second")),
      Effect.forever
    )
  )
  return Probe.of({ id, region, counts, isLate: tally.isLate, isOffline: guard.isOffline })
})

/** What is found by a clock that is wrong says nothing: nobody could tell which results are the newer ones. */
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

/** In the log. */
const words: Record<Change, Effect.Effect<void>> = {
  offline: Effect.logError(
    "Probe lost its network connection; failed checks are reported as unknown until it recovers"
  ),
  online: Effect.logInfo("Probe recovered its network connection"),
  "given up": Effect.logError(
    "Nothing has answered this probe for two minutes; failed checks count again. Set KANMON_REFERENCE_TARGETS to hold them for longer"
  )
}

/** An older name under which the same event is published, too. To be removed with the next major version of the events. */
const formerName = { offline: "blind", online: "seeing" } as const

/** Tells the operator: in the log, by a metric, and by events. The customers are told nothing. */
const tell = (bus: EventBus["Service"], { id, region }: ProbeSettings, change: Change) =>
  Effect.gen(function* () {
    const at = yield* Clock.currentTimeMillis
    const name = change === "offline" ? "offline" : "online"
    yield* Effect.annotateLogs(words[change], { probe: id, region })
    yield* Metric.update(Metrics.offline, name === "offline" ? 1 : 0)
    const data: typeof ProbeChanged.Encoded = { probeId: id, region, at: toIso(at) }
    const event = (word: Subjects.ProbeEventName) => ({
      id: `${id}:${word}:${at}`,
      subject: Subjects.probeEvent(region, id, word),
      headers: cloudEventHeaders({ id: `${id}:${word}:${at}`, type: `kanmon.probe.${word}`, subject: id, time: at }),
      payload: JSON.stringify(data)
    })
    // Without waiting: the bus may be out of reach, too.
    yield* Effect.forkDetach(Effect.ignoreCause(bus.publish([event(name), event(formerName[name])])))
  })
