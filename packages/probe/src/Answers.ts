/**
 * Answers the calls of the centre: checks a monitor that is watched here at once, tries settings that nobody watches, and says
 * who this probe is. What a check finds is told as it is published: a failure while the probe cannot see says nothing.
 */
import { EvaluationOwner } from "@kanmon/core/BoundedEvaluator"
import * as BusRpc from "@kanmon/core/BusRpc"
import type { Check } from "@kanmon/core/Check"
import { byItsOwnFault } from "@kanmon/core/CheckResult"
import type { CheckRunner } from "@kanmon/core/CheckRunner"
import type { BusUnavailable, EventBus } from "@kanmon/core/EventBus"
import * as Inversion from "@kanmon/core/Inversion"
import { prepare } from "@kanmon/core/Preparation"
import { CheckNotRun, NotWatchedHere, ProbeCalls, type ProbeInfo } from "@kanmon/core/ProbeCalls"
import type { Supervisor } from "@kanmon/core/Supervisor"
import type { Facts, Observation, Outcome } from "@kanmon/domain/Observation"
import * as Subjects from "@kanmon/domain/Subjects"
import { Clock, Effect, Layer, Option, Queue, Result, type Scope } from "effect"
import { RpcServer } from "effect/rpc"
import { type Sight, unseen } from "./Sight.ts"

export interface AnswersOptions {
  readonly probeId: string
  readonly region: string
  readonly version: string
  readonly supervisor: Supervisor["Service"]
  readonly runner: CheckRunner["Service"]
  readonly checks: ReadonlyMap<string, Check>
  readonly sight: Pick<Sight, "isBlind">
}

export interface Answers {
  /** To be told of everything that is published, as it is published. */
  readonly published: (observation: Observation) => void
  /** Answers until the scope closes. */
  readonly serve: (options: AnswersOptions) => Effect.Effect<void, BusUnavailable, EventBus | Scope.Scope>
}

/** How long a check of nobody's settings waits for its turn. */
const turnWithin = 3000

export const make = (): Answers => {
  const listeners = new Set<Queue.Queue<Observation>>()

  /** The observation as it is published: what the probe thinks of its own sight may take a moment. */
  const asPublished = <E>(check: Effect.Effect<Observation, E>): Effect.Effect<Observation, E> =>
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
        })
      })
    )

  const serve = Effect.fnUntraced(function* (options: AnswersOptions) {
    const { checks, probeId, region, runner, sight, supervisor, version } = options
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
        }),
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
              Effect.as(Effect.logWarning("A check that was tried failed by its own fault", cause), byItsOwnFault)
            )
          )
          const found = outcome({ checkedAt: begun, ...result })
          const seen = found.status === "down" && sight.isBlind() ? unseen(found) : found
          return Inversion.apply(checks.get(type), config, seen)
        }),
      ProbeInfo: () =>
        Effect.sync((): typeof ProbeInfo.Type => ({
          probeId,
          region,
          version,
          startedAt,
          monitors: supervisor.counts().monitors
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
    serve
  }
}

const outcome = ({ checkedAt, facts, failure, responseTime, status, timing }: Outcome): Outcome => ({
  status,
  responseTime,
  timing,
  failure,
  // As JSON holds them: a plugin may have put a date there, or nothing.
  facts: JSON.parse(JSON.stringify(facts)) as Facts,
  checkedAt
})
