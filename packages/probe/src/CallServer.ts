/**
 * CallServer the control plane's calls: checks a monitor of this probe now, tries unsaved settings, and identifies the probe.
 * A result is returned as it is published: a failure while the probe is offline is unknown.
 */
import type { BusClock } from "@kanmon/core/BusClock"
import { EvaluationOwner } from "@kanmon/core/BoundedEvaluator"
import * as BusRpc from "@kanmon/core/BusRpc"
import type { Check } from "@kanmon/core/Check"
import { causeText } from "@kanmon/core/CauseText"
import { pluginCrashed } from "@kanmon/core/CheckResult"
import type { CheckRunner } from "@kanmon/core/CheckRunner"
import type { BusUnavailable, EventBus } from "@kanmon/core/EventBus"
import * as Inversion from "@kanmon/core/Inversion"
import { prepare } from "@kanmon/core/Preparation"
import { CheckNotRun, NotWatchedHere, ProbeCalls, type ProbeInfo, type TestOutcome } from "@kanmon/core/ProbeCalls"
import type { Supervisor } from "@kanmon/core/Supervisor"
import * as TraceContext from "@kanmon/core/TraceContext"
import type { Observation, CheckOutcome } from "@kanmon/domain/Observation"
import * as Subjects from "@kanmon/domain/Subjects"
import { Clock, Effect, Layer, Option, Queue, Result, type Scope } from "effect"
import { RpcServer } from "effect/rpc"
import { asOffline, type ConnectivityGuard, passed } from "./ConnectivityGuard.ts"

interface CallServerOptions {
  readonly probeId: string
  readonly region: string
  readonly version: string
  readonly supervisor: Supervisor["Service"]
  readonly runner: CheckRunner["Service"]
  readonly checks: ReadonlyMap<string, Check>
  readonly guard: Pick<ConnectivityGuard, "answered" | "isOffline">
  readonly busClock: BusClock["Service"]
}

export interface CallServer {
  /** Receives every observation as it is published, or its provisional form while it is held. */
  readonly published: (observation: Observation) => void
  /** Whether somebody waits for a result, and may look for it in the API next. */
  readonly isAwaited: () => boolean
  /** CallServer until the scope closes. */
  readonly serve: (options: CallServerOptions) => Effect.Effect<void, BusUnavailable, EventBus | Scope.Scope>
}

/** How long a check of unsaved settings may be queued. */
const turnWithin = 3000
/** How long determining the connectivity may take. */
const heardWithin = "10 seconds"

export const make = (): CallServer => {
  const listeners = new Set<Queue.Queue<Observation>>()

  /** The observation as it is published; determining the connectivity may take a moment. */
  const asPublished = <E>(check: Effect.Effect<Observation, E>): Effect.Effect<Observation, E | CheckNotRun> =>
    Effect.scoped(
      Effect.gen(function* () {
        const heard = yield* Effect.acquireRelease(Queue.unbounded<Observation>(), (queue) =>
          Effect.andThen(
            Effect.sync(() => listeners.delete(queue)),
            Queue.shutdown(queue)
          )
        )
        listeners.add(heard)
        const own = yield* check
        return yield* Effect.repeat(Queue.take(heard), {
          until: (other) => other.monitorId === own.monitorId && other.scheduledAt === own.scheduledAt
        }).pipe(Effect.timeoutOrElse({ duration: heardWithin, orElse: () => Effect.fail(unheard) }))
      })
    )

  const serve = Effect.fnUntraced(function* (options: CallServerOptions) {
    const { busClock, checks, guard, probeId, region, runner, supervisor, version } = options
    const startedAt = yield* Clock.currentTimeMillis
    const handlers = ProbeCalls.of({
      CheckNow: ({ monitorId, revision }) =>
        Effect.gen(function* () {
          const asked = supervisor.checkNow(monitorId, revision)
          const found = Effect.flatMap(
            asked,
            Option.match({
              onNone: () => Effect.fail(new NotWatchedHere({ monitorId })),
              onSome: Effect.succeed
            })
          )
          return outcome(yield* asPublished(found))
        }).pipe(TraceContext.about({ monitorId, region })),
      RunCheck: ({ config, projectId, timeout, type }) =>
        Effect.gen(function* () {
          const prepared = prepare(checks, { config, type })
          if (Result.isFailure(prepared)) {
            return yield* new CheckNotRun({ message: `This probe cannot check it: ${prepared.failure}` })
          }
          const begun = yield* Clock.currentTimeMillis
          const result = yield* runner.run(prepared.success, timeout * 1000, turnWithin).pipe(
            Effect.provideService(EvaluationOwner, projectId ?? ""),
            Effect.catchCause((cause) =>
              Effect.as(Effect.logWarning("A trial check crashed", causeText(cause)), pluginCrashed)
            )
          )
          const found: TestOutcome = {
            ...outcome({ checkedAt: begun, ...result }),
            ...(result.capture === undefined ? {} : { capture: result.capture })
          }
          if (passed(found)) guard.answered()
          const known = !passed(found) && guard.isOffline() ? asOffline(found) : found
          const shown = Inversion.apply(checks.get(type), config, known)
          return shown.status === "down" ? shown : outcome(shown)
        }).pipe(TraceContext.about({ projectId, region })),
      ProbeInfo: () =>
        Effect.sync((): typeof ProbeInfo.Type => ({
          probeId,
          region,
          version,
          startedAt,
          monitors: supervisor.counts().monitors,
          offline: guard.isOffline(),
          clock: busClock.reading()
        }))
    })
    yield* Layer.build(
      RpcServer.layer(ProbeCalls, { disableFatalDefects: true }).pipe(
        Layer.provide([ProbeCalls.toLayer(handlers), BusRpc.layerServer(Subjects.probeCalls(region, probeId))])
      )
    )
  })

  return {
    published: (observation) => {
      for (const listener of listeners) Queue.offerUnsafe(listener, observation)
    },
    isAwaited: () => listeners.size > 0,
    serve
  }
}

const unheard = new CheckNotRun({ message: "The probe did not publish the result of the check in time" })

const outcome = ({ checkedAt, facts, failure, responseTime, status, timing }: CheckOutcome): CheckOutcome => ({
  status,
  responseTime,
  timing,
  failure,
  facts,
  checkedAt
})
