/**
 * The side of a region: follows the region's bucket, keeps an actor for each monitor that falls to it, publishes what they
 * observe, answers calls, and announces itself. It needs the bus alone.
 */
import type { Capabilities } from "@kanmon/core/Check"
import { CheckRunner, type RunnerSettings } from "@kanmon/core/CheckRunner"
import { type BusUnavailable, EventBus } from "@kanmon/core/EventBus"
import * as Inversion from "@kanmon/core/Inversion"
import { Catalogue } from "@kanmon/core/PluginHost"
import { prepare } from "@kanmon/core/Preparation"
import { type Counts, Supervisor } from "@kanmon/core/Supervisor"
import type { MonitorId } from "@kanmon/domain/Ids"
import { cloudEventHeaders, type ProbeChanged } from "@kanmon/domain/ServiceEvent"
import * as Subjects from "@kanmon/domain/Subjects"
import { toIso } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Fiber, Layer, Metric, Option, Result, Schedule, Scope } from "effect"
import { message } from "@kanmon/domain/ObservationMessage"
import * as Answers from "./Answers.ts"
import * as Outbound from "./Outbound.ts"
import * as Metrics from "./ProbeMetrics.ts"
import * as Presence from "./Presence.ts"
import * as Sight from "./Sight.ts"
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
  /** Whether any place answers that does so as long as the network is well; without it other targets are asked. */
  readonly sentinels?: Effect.Effect<boolean> | undefined
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
    /** The largest schedule lag of the last minute or so, in milliseconds. */
    readonly lag: () => number
    /** It cannot see: what fails is reported as unknown. */
    readonly isBlind: () => boolean
  }
>()("@kanmon/probe/Probe") {
  static readonly layer = (
    settings: ProbeSettings
  ): Layer.Layer<Probe, BusUnavailable, EventBus | Catalogue | Capabilities> =>
    Layer.effect(Probe, start(settings)).pipe(Layer.provide(CheckRunner.layer(settings)))
}

const start = Effect.fnUntraced(function* (settings: ProbeSettings) {
  const { region } = settings
  const bus = yield* EventBus
  const { id } = settings
  const tally = Tally.make()
  const runner = yield* CheckRunner
  const { checks } = yield* Catalogue

  // What comes first here ends last: a stopping probe leaves, lets its checks end, and sends what they found.
  const outbound = yield* Outbound.make(settings.buffer)
  yield* Effect.addFinalizer(() => Effect.timeoutOption(outbound.flush, flushWithin))
  const answers = Answers.make()
  const sight = yield* Sight.make({
    report: (found, { config, interval, type }) => {
      const observation = Inversion.apply(checks.get(type), config, found)
      tally.add(observation)
      outbound.offer(message(observation, interval * 1000))
      answers.published(observation)
    },
    check: (check, timeoutMillis) => runner.run(check, timeoutMillis, timeoutMillis),
    prepare: (spec) => Result.getOrUndefined(prepare(checks, spec)),
    sentinels: settings.sentinels,
    changed: (blind) => tell(bus, settings, blind)
  })
  const supervision = yield* Layer.build(
    Supervisor.layer({
      region,
      report: (observation, spec) => sight.see(observation, spec),
      skipped: tally.skip,
      defect: tally.defect
    })
  )
  const supervisor = Context.get(supervision, Supervisor)
  yield* answers.serve({ probeId: id, region, version: settings.version, supervisor, runner, checks, sight })
  yield* Effect.addFinalizer(() => supervisor.stop(finishWithin))

  const forgetting = (end: (id: MonitorId) => Effect.Effect<void>) => (id: MonitorId) =>
    Effect.andThen(
      end(id),
      Effect.sync(() => sight.forget(id))
    )
  const specs = Specs.make({
    ...supervisor,
    remove: forgetting(supervisor.remove),
    release: forgetting(supervisor.release)
  })
  const bucket = yield* Effect.forkScoped(bus.bucket(Subjects.specBucket(region)), { startImmediately: true })
  const follow = Effect.flatMap(Fiber.join(bucket), specs.follow)
  const scope = yield* Scope.Scope
  yield* Presence.announce(yield* bus.bucket(Subjects.probeBucket, { ttlMillis: settings.announcementTtl }), {
    probeId: id,
    region,
    version: settings.version,
    ttl: settings.announcementTtl,
    monitors: () => supervisor.counts().monitors,
    changed: specs.share,
    prepare: Effect.gen(function* () {
      yield* Effect.forkIn(Effect.ignore(follow), scope)
      // A new region's bucket is made when its first probe has announced itself.
      const there = yield* Effect.timeoutOption(Fiber.join(bucket), missingAfter)
      if (Option.isSome(there)) yield* Effect.timeoutOption(specs.read, readWithin)
    })
  })
  yield* Effect.forkScoped(
    Effect.repeat(
      Effect.suspend(() => tally.publish(supervisor.counts(), outbound)),
      Schedule.spaced("1 second")
    )
  )
  return Probe.of({ id, region, counts: supervisor.counts, lag: tally.lag, isBlind: sight.isBlind })
})

/** Tells the operator: in the log, by a metric, and by an event. The customers are told nothing. */
const tell = (bus: EventBus["Service"], { id, region }: ProbeSettings, blind: boolean) =>
  Effect.gen(function* () {
    const at = yield* Clock.currentTimeMillis
    const name = blind ? "blind" : "seeing"
    const line = blind
      ? Effect.logError("This probe cannot see: failures are reported as unknown until it can")
      : Effect.logInfo("This probe can see again")
    yield* Effect.annotateLogs(line, { probe: id, region })
    yield* Metric.update(Metrics.blind, blind ? 1 : 0)
    const event = `${id}:${name}:${at}`
    const data: typeof ProbeChanged.Encoded = { probeId: id, region, at: toIso(at) }
    // Without waiting: the bus may be what cannot be seen.
    yield* Effect.forkDetach(
      Effect.ignore(
        bus.publish([
          {
            id: event,
            subject: Subjects.probeEvent(region, id, name),
            headers: cloudEventHeaders({ id: event, type: `kanmon.probe.${name}`, subject: id, time: at }),
            payload: JSON.stringify(data)
          }
        ])
      )
    )
  })
