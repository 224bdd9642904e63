/**
 * Hosts the actors of a probe: one per monitor, each in a fiber of its own, so that what happens in one stays there. An actor
 * whose own fiber dies is started anew.
 */
import type { MonitorId } from "@kanmon/domain/Ids"
import type { MonitorSpec } from "@kanmon/domain/Monitor"
import type { Observation } from "@kanmon/domain/Observation"
import { Clock, Context, Effect, Fiber, Layer, Option, Result, Schedule, Scope } from "effect"
import * as AlarmClock from "./AlarmClock.ts"
import { Catalogue } from "./PluginHost.ts"
import { CheckRunner } from "./CheckRunner.ts"
import * as MonitorActor from "./MonitorActor.ts"

/** What the supervisor reports to. Calls are cheap and do not block. */
export interface SupervisorHost {
  readonly region: string
  readonly report: (observation: Observation) => void
  readonly skipped: (slots: number) => void
}

export interface Counts {
  readonly monitors: number
  /** Actors that rest after five defects in a row. */
  readonly quarantined: number
  /** Monitors whose type or settings this probe does not understand. */
  readonly unusable: number
}

export class Supervisor extends Context.Service<
  Supervisor,
  {
    /** Watches a monitor, or changes how. An older revision than the known one is ignored. */
    readonly configure: (spec: MonitorSpec) => Effect.Effect<void>
    readonly remove: (id: MonitorId) => Effect.Effect<void>
    /** The monitors that are watched here. */
    readonly ids: () => ReadonlyArray<MonitorId>
    readonly counts: () => Counts
    /** Checks at once; none when the monitor is not watched here. */
    readonly checkNow: (id: MonitorId) => Effect.Effect<Option.Option<Observation>, MonitorActor.CheckNotRun>
    /** Interrupts every actor; checks in flight are dropped. */
    readonly stop: Effect.Effect<void>
  }
>()("@kanmon/core/Supervisor") {
  static readonly layer = (host: SupervisorHost): Layer.Layer<Supervisor, never, Catalogue | CheckRunner> =>
    Layer.effect(Supervisor, make(host))
}

/** A change younger than this was made by somebody who is looking; an older one comes with a restart. */
const freshMillis = 10_000

interface Hosted {
  readonly actor: MonitorActor.MonitorActor
  readonly fiber: Fiber.Fiber<never>
}

const make = Effect.fnUntraced(function* (host: SupervisorHost) {
  const { checks } = yield* Catalogue
  const runner = yield* CheckRunner
  const scope = yield* Scope.Scope
  const hosted = new Map<MonitorId, Hosted>()
  const unusable = new Map<MonitorId, number>()

  const actorHost: MonitorActor.ActorHost = {
    region: host.region,
    alarms: yield* AlarmClock.make,
    run: runner.run,
    report: host.report,
    skipped: (_id, slots) => host.skipped(slots),
    quarantined: (monitorId, cause) =>
      Effect.logError(
        "A check failed by its own fault five times in a row; the monitor rests until it is changed",
        cause
      ).pipe(Effect.annotateLogs({ monitorId }))
  }

  const configure: Supervisor["Service"]["configure"] = Effect.fnUntraced(function* (spec) {
    const known = hosted.get(spec.id)
    if (known !== undefined && known.actor.spec().revision >= spec.revision) return
    const prepared = checks.get(spec.type)?.prepare(spec.config)
    if (prepared === undefined || Result.isFailure(prepared)) {
      yield* remove(spec.id)
      unusable.set(spec.id, spec.revision)
      return yield* Effect.logWarning("A monitor cannot be watched here").pipe(
        Effect.annotateLogs({
          monitorId: spec.id,
          reason: prepared === undefined ? `no plugin for the type ${spec.type}` : prepared.failure.message
        })
      )
    }
    unusable.delete(spec.id)
    const justChanged = (yield* Clock.currentTimeMillis) - spec.changedAt < freshMillis
    if (known !== undefined) {
      known.actor.tell({ _tag: "Configure", spec, check: prepared.success })
      return justChanged ? yield* checkSoon(known.actor) : undefined
    }
    const actor = MonitorActor.make(actorHost, spec, prepared.success)
    const live = actor.live.pipe(
      Effect.tapCause((cause) => Effect.logError("An actor died; it is started anew", cause)),
      Effect.sandbox,
      Effect.retry(Schedule.spaced("1 second")),
      Effect.orDie
    )
    hosted.set(spec.id, { actor, fiber: yield* Effect.forkIn(live, scope) })
    if (justChanged) yield* checkSoon(actor)
  })

  /** Whoever made or changed a monitor waits for its first result: it does not wait for its slot. */
  const checkSoon = (actor: MonitorActor.MonitorActor) =>
    Effect.asVoid(Effect.forkIn(Effect.ignore(MonitorActor.checkNow(actor)), scope))

  const remove = (id: MonitorId) =>
    Effect.suspend(() => {
      unusable.delete(id)
      const known = hosted.get(id)
      if (known === undefined) return Effect.void
      hosted.delete(id)
      return Fiber.interrupt(known.fiber)
    })

  return Supervisor.of({
    configure,
    remove,
    ids: () => [...hosted.keys(), ...unusable.keys()],
    counts: () => {
      let quarantined = 0
      for (const { actor } of hosted.values()) if (actor.isQuarantined()) quarantined++
      return { monitors: hosted.size, quarantined, unusable: unusable.size }
    },
    checkNow: (id) => {
      const known = hosted.get(id)
      return known === undefined
        ? Effect.succeed(Option.none())
        : Effect.map(MonitorActor.checkNow(known.actor), Option.some)
    },
    stop: Effect.suspend(() => {
      const fibers = [...hosted.values()].map(({ fiber }) => fiber)
      hosted.clear()
      return Fiber.interruptAll(fibers)
    })
  })
})
