/**
 * Runs the actors of a probe: one per monitor, each in its own fiber, so that failures stay isolated. An actor with a
 * dead fiber is restarted, and a check that does not return is abandoned.
 */
import { gatheringOf } from "@kanmon/domain/Gathering"
import type { MonitorId } from "@kanmon/domain/Ids"
import type { MonitorSpec, Retry } from "@kanmon/domain/Monitor"
import type { Observation } from "@kanmon/domain/Observation"
import { Clock, Context, type Duration, Effect, Fiber, Layer, type Option, Result, Schedule, Scope } from "effect"
import * as Activity from "./Activity.ts"
import type { ActorHost, Run } from "./ActorHost.ts"
import { CheckNotRun } from "./ActorMessage.ts"
import * as AlarmClock from "./AlarmClock.ts"
import { EvaluationOwner } from "./BoundedEvaluator.ts"
import { causeText } from "./CauseText.ts"
import type { Prepared } from "./Check.ts"
import { Catalogue } from "./PluginHost.ts"
import { CheckRunner } from "./CheckRunner.ts"
import * as Inversion from "./Inversion.ts"
import * as MonitorActor from "./MonitorActor.ts"
import * as HeldCheck from "./HeldCheck.ts"
import { prepare } from "./Preparation.ts"
import * as Quarantine from "./Quarantine.ts"
import * as TimerCoalescing from "./TimerCoalescing.ts"

/** Receives the supervisor's reports. Calls must be cheap and must not block. */
export interface SupervisorHost {
  readonly region: string
  /** Whether checks that are due in the same part of a second begin together, where there are few. */
  readonly gathers?: boolean
  /** `spec` holds the settings that the check used. */
  readonly report: (observation: Observation, spec: MonitorSpec, run: Run) => void
  readonly skipped: (slots: number) => void
  /** A check crashed or did not return, or an actor died. */
  readonly defect?: () => void
}

export interface Counts {
  readonly monitors: number
  /** Actors that are paused after five defects in a row. */
  readonly quarantined: number
  /** Monitors with a type or settings that this probe does not support. */
  readonly unusable: number
}

export class Supervisor extends Context.Service<
  Supervisor,
  {
    /** Starts a monitor or changes its settings. Ignores revisions that are not newer than the current one. */
    readonly configure: (spec: MonitorSpec) => Effect.Effect<void>
    readonly remove: (id: MonitorId) => Effect.Effect<void>
    /** Stops checking a monitor that another probe takes over. Returns after a running check has been reported. */
    readonly release: (id: MonitorId) => Effect.Effect<void>
    /** The ids of the monitors checked here. */
    readonly ids: () => ReadonlyArray<MonitorId>
    readonly counts: () => Counts
    /** Checks now; none when the monitor is not checked here, or only by an older revision than requested. */
    readonly checkNow: (id: MonitorId, revision?: number) => Effect.Effect<Option.Option<Observation>, CheckNotRun>
    /** Stops all actors. Running checks get the grace period; then they are dropped. */
    readonly stop: (grace: Duration.Input) => Effect.Effect<void>
  }
>()("@kanmon/core/Supervisor") {
  static readonly layer = (host: SupervisorHost): Layer.Layer<Supervisor, never, Catalogue | CheckRunner> =>
    Layer.effect(Supervisor, make(host))
}

/** A younger change means that a user waits for the result; an older one comes from a restart. */
const freshMillis = 10_000

/** How often every actor is tended. */
const round = "5 seconds"

const misunderstood = Effect.fail(
  new CheckNotRun({ message: "No plugin of this probe supports the monitor's type or settings" })
)

const rateOf = ({ interval }: MonitorSpec): number => 1 / interval

const sameRetry = (one: Retry | undefined, other: Retry | undefined): boolean =>
  one?.interval === other?.interval && one?.failures === other?.failures

interface Hosted {
  readonly actor: MonitorActor.MonitorActor
  readonly fiber: Fiber.Fiber<void>
  /** The newest revision sent to the actor, which it may not have processed yet. */
  revision: number
  account: string | undefined
  retry: Retry | undefined
  checksPerSecond: number
}

const make = Effect.fnUntraced(function* (host: SupervisorHost) {
  const { checks, versionOf } = yield* Catalogue
  const quarantine = yield* Quarantine.decisions
  const runner = yield* CheckRunner
  const scope = yield* Scope.Scope
  const hosted = new Map<MonitorId, Hosted>()
  /** With the unusable revision. */
  const unusable = new Map<MonitorId, number>()

  /** The rate of all monitors, and the gathering at that rate. */
  let checksPerSecond = 0
  let gathering = gatheringOf(0)
  const changeRate = (by: number): void => {
    checksPerSecond = Math.max(0, checksPerSecond + by)
    gathering = gatheringOf(checksPerSecond)
  }

  const actorHost: ActorHost = {
    region: host.region,
    alarms: yield* AlarmClock.make,
    ...(host.gathers === true && { gathering: () => gathering }),
    run: runner.run,
    judged: ({ config, type }, observation) => Inversion.apply(checks.get(type), config, observation),
    report: host.report,
    skipped: (_id, slots) => host.skipped(slots),
    defect: (monitorId, cause, inARow) =>
      Effect.suspend(() => {
        host.defect?.()
        return Effect.logWarning("A check crashed").pipe(
          Effect.annotateLogs({ monitorId, inARow, cause: causeText(cause) })
        )
      }),
    quarantined: (monitorId) =>
      Effect.logError(
        "A check crashed five times in a row; the monitor is not checked until it is changed or a check is requested"
      ).pipe(Effect.annotateLogs({ monitorId }))
  }

  const activityOf = ({ id, revision, type }: MonitorSpec): Activity.Activity => ({
    kind: "check",
    key: id,
    version: `${revision} ${versionOf("check", type)}`,
    label: type,
    size: null
  })

  /** Monitors with a reported stall: they may leave this probe and come back. */
  const reported = new Set<MonitorId>()

  /** The check of a monitor, unless it is held back. */
  const prepared = (spec: MonitorSpec): Result.Result<Prepared, string> => {
    const activity = () => activityOf(spec)
    if (quarantine.holds("check", activity)) return Result.succeed(HeldCheck.quarantined(spec.type))
    const check = Activity.within(activity, () => prepare(checks, spec))
    return quarantine.wasEnded(activity)
      ? Result.map(check, (its) => HeldCheck.afterStall(its, spec.id, reported))
      : check
  }

  const engage = (spec: MonitorSpec, check: Prepared, resumes: boolean) =>
    Effect.gen(function* () {
      const actor = MonitorActor.make(actorHost, spec, check, { resumes })
      const live = actor.live.pipe(
        Effect.provideService(EvaluationOwner, spec.account ?? spec.projectId),
        Effect.provideService(Activity.CurrentActivity, () => activityOf(actor.spec())),
        Effect.sandbox,
        Effect.tapError((cause) =>
          Effect.suspend(() => {
            host.defect?.()
            const details = { monitorId: spec.id, cause: causeText(cause) }
            return Effect.annotateLogs(Effect.logError("A monitor's actor died; restarting it"), details)
          })
        ),
        Effect.retry(Schedule.spaced("1 second")),
        Effect.orDie
      )
      const { account, retry, revision } = spec
      const fiber = yield* Effect.forkIn(live, scope)
      hosted.set(spec.id, { actor, fiber, revision, account, retry, checksPerSecond: rateOf(spec) })
      changeRate(rateOf(spec))
      return actor
    })

  const configure: Supervisor["Service"]["configure"] = Effect.fnUntraced(function* (spec) {
    const known = hosted.get(spec.id)
    const revision = known?.revision ?? unusable.get(spec.id) ?? Number.NEGATIVE_INFINITY
    // An upgraded engine adds the account to an unchanged monitor; alert rules decide how failed checks are repeated.
    const said =
      revision === spec.revision &&
      (known === undefined || (known.account === spec.account && sameRetry(known.retry, spec.retry)))
    if (revision > spec.revision || said) return
    const check = prepared(spec)
    if (Result.isFailure(check)) {
      yield* Effect.forkIn(remove(spec.id), scope, { startImmediately: true })
      unusable.set(spec.id, spec.revision)
      return yield* Effect.logWarning("A monitor cannot be checked here").pipe(
        Effect.annotateLogs({ monitorId: spec.id, reason: check.failure })
      )
    }
    unusable.delete(spec.id)
    if (known !== undefined) {
      known.revision = spec.revision
      known.account = spec.account
      known.retry = spec.retry
      changeRate(rateOf(spec) - known.checksPerSecond)
      known.checksPerSecond = rateOf(spec)
      known.actor.tell({ _tag: "Configure", spec, check: check.success })
    }
    const fresh = (yield* Clock.currentTimeMillis) - spec.changedAt < freshMillis
    const actor = known?.actor ?? (yield* engage(spec, check.success, !fresh))
    if (fresh) yield* checkSoon(actor)
  })

  /** A user who created or changed a monitor waits for its first result, so it does not wait for its slot. */
  const checkSoon = (actor: MonitorActor.MonitorActor) =>
    Effect.asVoid(Effect.forkIn(Effect.ignore(MonitorActor.checkNow(actor)), scope))

  const remove = (id: MonitorId) =>
    Effect.suspend(() => {
      unusable.delete(id)
      const known = hosted.get(id)
      if (known === undefined) return Effect.void
      hosted.delete(id)
      changeRate(-known.checksPerSecond)
      return Fiber.interrupt(known.fiber)
    })

  const release = (id: MonitorId) =>
    Effect.suspend(() => {
      unusable.delete(id)
      const known = hosted.get(id)
      if (known === undefined) return Effect.void
      hosted.delete(id)
      changeRate(-known.checksPerSecond)
      known.actor.tell({ _tag: "Stop" })
      return Effect.asVoid(Fiber.await(known.fiber))
    })

  const tend = Effect.sync(() => {
    for (const { actor } of hosted.values()) actor.tend()
  })
  yield* Effect.forkScoped(
    TimerCoalescing.pause(round).pipe(
      Effect.andThen(tend),
      Effect.catchCause((cause) => Effect.logError("Tending the monitors failed", causeText(cause))),
      Effect.forever
    )
  )

  return Supervisor.of({
    configure,
    remove,
    release,
    ids: () => [...hosted.keys(), ...unusable.keys()],
    counts: () => {
      let quarantined = 0
      for (const { actor } of hosted.values())
        if (actor.isQuarantined() || quarantine.holds("check", () => activityOf(actor.spec()))) quarantined++
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
