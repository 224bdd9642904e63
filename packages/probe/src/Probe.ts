/**
 * The side of a region: follows the region's bucket, keeps an actor for each monitor that falls to it, publishes what they
 * observe, and announces itself. It needs the bus alone.
 */
import { CheckRunner, type RunnerSettings } from "@kanmon/core/CheckRunner"
import type { Dialer } from "@kanmon/core/Dialer"
import { type BusUnavailable, EventBus } from "@kanmon/core/EventBus"
import type { Catalogue } from "@kanmon/core/PluginHost"
import type { Resolver } from "@kanmon/core/Resolver"
import { type Counts, Supervisor } from "@kanmon/core/Supervisor"
import { probeBucket, specBucket } from "@kanmon/domain/Subjects"
import { Context, Effect, Layer, Schedule } from "effect"
import { message } from "@kanmon/domain/ObservationMessage"
import * as Outbound from "./Outbound.ts"
import * as Presence from "./Presence.ts"
import * as Specs from "./Specs.ts"
import * as Tally from "./Tally.ts"

export interface ProbeSettings extends RunnerSettings {
  /** Lower case letters and digits. The same after a restart: a probe takes its own place again, not one beside its ghost. */
  readonly id: string
  readonly version: string
  /** Observations kept while the bus is away. */
  readonly buffer: number
  /** How long an announcement lasts, in milliseconds; it is repeated three times in that time. */
  readonly announcementTtl: number
}

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
  }
>()("@kanmon/probe/Probe") {
  static readonly layer = (
    settings: ProbeSettings
  ): Layer.Layer<Probe, BusUnavailable, EventBus | Catalogue | Dialer | Resolver> =>
    Layer.effect(Probe, start(settings)).pipe(Layer.provide(CheckRunner.layer(settings)))
}

const start = Effect.fnUntraced(function* (settings: ProbeSettings) {
  const { region } = settings
  const bus = yield* EventBus
  const { id } = settings
  const tally = Tally.make()

  // What comes first here ends last: a stopping probe leaves, lets its checks end, and sends what they found.
  const outbound = yield* Outbound.make(settings.buffer)
  yield* Effect.addFinalizer(() => Effect.timeoutOption(outbound.flush, flushWithin))
  const supervision = yield* Layer.build(
    Supervisor.layer({
      region,
      report: (observation, { interval }) => {
        tally.add(observation)
        outbound.offer(message(observation, interval * 1000))
      },
      skipped: tally.skip,
      defect: tally.defect
    })
  )
  const supervisor = Context.get(supervision, Supervisor)
  yield* Effect.addFinalizer(() => supervisor.stop(finishWithin))

  const specs = Specs.make(supervisor)
  yield* Presence.announce(yield* bus.bucket(probeBucket, { ttlMillis: settings.announcementTtl }), {
    probeId: id,
    region,
    version: settings.version,
    ttl: settings.announcementTtl,
    monitors: () => supervisor.counts().monitors,
    changed: specs.share
  })
  yield* Effect.forkScoped(specs.follow(yield* bus.bucket(specBucket(region))))
  yield* Effect.forkScoped(
    Effect.repeat(
      Effect.suspend(() => tally.publish(supervisor.counts(), outbound)),
      Schedule.spaced("1 second")
    )
  )
  return Probe.of({ id, region, counts: supervisor.counts, lag: tally.lag })
})
