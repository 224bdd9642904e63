/**
 * Hosts the actors of a probe: one per monitor, each in a fiber of its own, so that what happens in one stays there. An actor
 * whose own fiber dies is started anew.
 */
import type { MonitorId } from "@kanmon/domain/Ids"
import type { MonitorSpec } from "@kanmon/domain/Monitor"
import type { Observation } from "@kanmon/domain/Observation"
import { Clock, Context, type Duration, Effect, Fiber, Layer, type Option, Result, Schedule, Scope } from "effect"
import type { ActorHost } from "./ActorHost.ts"
import { CheckNotRun } from "./ActorMessage.ts"
import * as AlarmClock from "./AlarmClock.ts"
import { EvaluationOwner } from "./BoundedEvaluator.ts"
import type { Prepared } from "./Check.ts"
import { Catalogue } from "./PluginHost.ts"
import { CheckRunner } from "./CheckRunner.ts"
import * as MonitorActor from "./MonitorActor.ts"
import { prepare } from "./Preparation.ts"

/** What the supervisor reports to. Calls are cheap and do not block. */
export interface SupervisorHost {
  readonly region: string
  /** `spec` holds the settings that the observation was made under. */
  readonly report: (observation: Observation, spec: MonitorSpec) => void
  readonly skipped: (slots: number) => void
  /** A check failed by its own fault. */
  readonly defect?: () => void
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
    /** Watches a monitor no more, because somebody else does: a check in flight is still reported. Returns when it was. */
    readonly release: (id: MonitorId) => Effect.Effect<void>
    /** The monitors that are watched here. */
    readonly ids: () => ReadonlyArray<MonitorId>
    readonly counts: () => Counts
    /** Checks at once; none when the monitor is not watched here, or by an older revision than is asked for. */
    readonly checkNow: (id: MonitorId, revision?: number) => Effect.Effect<Option.Option<Observation>, CheckNotRun>
    /** Ends every actor. Checks in flight may go on for so long; then they are dropped. */
    readonly stop: (grace: Duration.Input) => Effect.Effect<void>
  }
>()("@kanmon/core/Supervisor") {
  static readonly layer = (host: SupervisorHost): Layer.Layer<Supervisor, never, Catalogue | CheckRunner> =>
    Layer.effect(Supervisor, make(host))
}

/** A change younger than this was made by somebody who is looking; an older one comes with a restart. */
const freshMillis = 10_000

const misunderstood = Effect.fail(
  new CheckNotRun({ message: "No plugin of this probe understands the monitor's type or settings" })
)

interface Hosted {
  readonly actor: MonitorActor.MonitorActor
  readonly fiber: Fiber.Fiber<void>
  /** Of the newest spec it was told, which it may not have got to yet. */
  revision: number
}

const make = Effect.fnUntraced(function* (host: SupervisorHost) {
  const { checks } = yield* Catalogue
  const runner = yield* CheckRunner
  const scope = yield* Scope.Scope
  const hosted = new Map<MonitorId, Hosted>()
  /** With the revision that cannot be used. */
  const unusable = new Map<MonitorId, number>()

  const actorHost: ActorHost = {
    region: host.region,
    alarms: yield* AlarmClock.make,
    run: runner.run,
    report: host.report,
    skipped: (_id, slots) => host.skipped(slots),
    defect: (monitorId, cause, inARow) =>
      Effect.suspend(() => {
        host.defect?.()
        return Effect.logWarning("A check failed by its own fault", cause).pipe(
          Effect.annotateLogs({ monitorId, inARow })
        )
      }),
    quarantined: (monitorId) =>
      Effect.logError(
        "A check failed by its own fault five times in a row; the monitor rests until it is changed, or checked by hand"
      ).pipe(Effect.annotateLogs({ monitorId }))
  }

  const engage = (spec: MonitorSpec, check: Prepared, resumes: boolean) =>
    Effect.gen(function* () {
      const actor = MonitorActor.make(actorHost, spec, check, { resumes })
      const live = actor.live.pipe(
        Effect.provideService(EvaluationOwner, spec.projectId),
        Effect.tapCause((cause) => Effect.logError("An actor died; it is started anew", cause)),
        Effect.sandbox,
        Effect.retry(Schedule.spaced("1 second")),
        Effect.orDie
      )
      hosted.set(spec.id, { actor, fiber: yield* Effect.forkIn(live, scope), revision: spec.revision })
      return actor
    })

  const configure: Supervisor["Service"]["configure"] = Effect.fnUntraced(function* (spec) {
    const known = hosted.get(spec.id)
    if ((known?.revision ?? unusable.get(spec.id) ?? Number.NEGATIVE_INFINITY) >= spec.revision) return
    const prepared = prepare(checks, spec)
    if (Result.isFailure(prepared)) {
      yield* remove(spec.id)
      unusable.set(spec.id, spec.revision)
      return yield* Effect.logWarning("A monitor cannot be watched here").pipe(
        Effect.annotateLogs({ monitorId: spec.id, reason: prepared.failure })
      )
    }
    unusable.delete(spec.id)
    if (known !== undefined) {
      known.revision = spec.revision
      known.actor.tell({ _tag: "Configure", spec, check: prepared.success })
    }
    const fresh = (yield* Clock.currentTimeMillis) - spec.changedAt < freshMillis
    const actor = known?.actor ?? (yield* engage(spec, prepared.success, !fresh))
    if (fresh) yield* checkSoon(actor)
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

  const release = (id: MonitorId) =>
    Effect.suspend(() => {
      unusable.delete(id)
      const known = hosted.get(id)
      if (known === undefined) return Effect.void
      hosted.delete(id)
      known.actor.tell({ _tag: "Stop" })
      return Effect.asVoid(Fiber.await(known.fiber))
    })

  return Supervisor.of({
    configure,
    remove,
    release,
    ids: () => [...hosted.keys(), ...unusable.keys()],
    counts: () => {
      let quarantined = 0
      for (const { actor } of hosted.values()) if (actor.isQuarantined()) quarantined++
      return { monitors: hosted.size, quarantined, unusable: unusable.size }
    },
    checkNow: (id, revision = Number.NEGATIVE_INFINITY) =>
      Effect.suspend(() => {
        const known = hosted.get(id)
        const laidAside = unusable.get(id)
        if (laidAside !== undefined && laidAside >= revision) return misunderstood
        return known === undefined || known.revision < revision
          ? Effect.succeedNone
          : Effect.asSome(MonitorActor.checkNow(known.actor))
      }),
    stop: (grace) =>
      Effect.suspend(() => {
        const all = [...hosted.values()]
        hosted.clear()
        for (const { actor } of all) actor.tell({ _tag: "Stop" })
        const fibers = all.map(({ fiber }) => fiber)
        return Effect.timeoutOption(Fiber.awaitAll(fibers), grace).pipe(Effect.andThen(Fiber.interruptAll(fibers)))
      })
  })
})
