/**
 * Runs one check attempt with the monitor's timeout and the concurrency limits, and returns its result. A defect of the
 * check is passed on; it says nothing about the target.
 */
import { Cause, Clock, Context, Effect, Exit, Layer, PartitionedSemaphore } from "effect"
import * as Activity from "./Activity.ts"
import * as AlarmClock from "./AlarmClock.ts"
import { type BoundedEvaluator, EvaluationOwner, EvaluationWait, waitMillis } from "./BoundedEvaluator.ts"
import type { Capabilities, CheckFailed, Passed, Prepared } from "./Check.ts"
import { captured, type CheckResult, failed, passed, paused, saturated, timedOut } from "./CheckResult.ts"
import type { Dialer } from "./Dialer.ts"
import * as KeyedPermits from "./KeyedPermits.ts"
import * as StallDetector from "./StallDetector.ts"
import type { Resolver } from "./Resolver.ts"

export type { CheckResult } from "./CheckResult.ts"

export interface RunnerSettings {
  readonly region: string
  /** Concurrent checks of this probe. */
  readonly concurrency: number
  /** Concurrent checks of one host. */
  readonly hostConcurrency: number
}

/** How long an interrupted check may take to end. */
const endingMillis = 1000
/** How long a check may evaluate an answer that arrived in time. */
const evaluatingMillis = (wait: number): number => wait + endingMillis
/** The runner answers at the latest this long after the monitor's timeout. */
export const beyondTimeoutMillis = evaluatingMillis(waitMillis) + endingMillis

export class CheckRunner extends Context.Service<
  CheckRunner,
  {
    /**
     * Runs a check for the caller's `EvaluationOwner`. `timeoutMillis` is the monitor's timeout; `patienceMillis` is how
     * long it may be queued before its result is `unknown`. `begun` is called when it leaves the queue.
     */
    readonly run: (
      check: Prepared,
      timeoutMillis: number,
      patienceMillis: number,
      begun?: () => void
    ) => Effect.Effect<CheckResult>
    /** Runs a check immediately, outside the concurrency limits. For the few checks that must not be queued. */
    readonly runAtOnce: (check: Prepared, timeoutMillis: number) => Effect.Effect<CheckResult>
  }
>()("@kanmon/core/CheckRunner") {
  static readonly layer = (
    settings: RunnerSettings
  ): Layer.Layer<CheckRunner, never, Dialer | Resolver | BoundedEvaluator> =>
    Layer.effect(
      CheckRunner,
      Effect.gen(function* () {
        const attempt = yield* makeAttempts(settings.region)
        const turn = makeTurns(settings)
        return CheckRunner.of({
          run: (check, timeoutMillis, patienceMillis, begun) =>
            turn(
              check.host,
              patienceMillis,
              Effect.suspend(() => {
                begun?.()
                return attempt(check, timeoutMillis)
              })
            ),
          runAtOnce: attempt
        })
      })
    )
}

/**
 * One attempt in a fiber that is detached if it does not end in time, so that an uninterruptible check affects only its own
 * monitor.
 */
const makeAttempts = Effect.fnUntraced(function* (region: string) {
  const alarms = yield* AlarmClock.make
  const evaluating = evaluatingMillis(yield* EvaluationWait)
  const stalls = yield* StallDetector.make
  const fork = Effect.runForkWith(yield* Effect.context<Capabilities>())

  const attempt = (
    { activity, owner }: { readonly activity: Activity.Describe | undefined; readonly owner: string },
    check: Prepared,
    timeoutMillis: number
  ): Effect.Effect<CheckResult> =>
    Effect.callback<CheckResult>((resume) => {
      let stage: unknown = "request"
      let answered: Effect.Effect<unknown> | undefined
      let expired = false
      const began = stalls.begin()
      const running = Effect.suspend(() =>
        check.run({
          region,
          stage: (reached) => (stage = reached),
          answered: (capture) => (answered = capture)
        })
      )
      const fiber = Activity.within(activity, () =>
        fork(
          Effect.updateContext(running, (context: Context.Context<Capabilities>) =>
            Context.add(Context.add(context, EvaluationOwner, owner), Activity.CurrentActivity, activity)
          )
        )
      )
      const expire = (): void => {
        expired = true
        callOff = alarms.after(endingMillis, () =>
          resume(Effect.die(new Error("The check does not end after its timeout")))
        )
        fiber.interruptUnsafe()
      }
      let callOff = alarms.after(timeoutMillis, () => {
        // The timeout applies to the target, and the target has answered.
        if (stage === "evaluate") callOff = alarms.after(evaluating, expire)
        else expire()
      })
      const conclude = (exit: Exit.Exit<Passed, CheckFailed>): Effect.Effect<CheckResult> => {
        if (!stalls.isSteadySince(began)) return Effect.succeed(paused)
        return expired && Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)
          ? withAnswer(timedOut(check.target, stage, timeoutMillis), answered)
          : resultOf(exit)
      }
      fiber.addObserver((exit) => {
        callOff()
        resume(orDefect(() => conclude(exit)))
      })
      return Effect.callback<void>((ended) => {
        callOff()
        callOff = alarms.after(endingMillis, () => ended(Effect.void))
        fiber.addObserver(() => ended(Effect.void))
        fiber.interruptUnsafe()
      })
    })

  return (check: Prepared, timeoutMillis: number): Effect.Effect<CheckResult> =>
    Effect.contextWith((context: Context.Context<never>) =>
      attempt(
        { activity: Context.get(context, Activity.CurrentActivity), owner: Context.get(context, EvaluationOwner) },
        check,
        timeoutMillis
      )
    )
})

/** The result of a check that ended with its timeout, with what the target had answered until then. */
const withAnswer = (result: CheckResult, answered: Effect.Effect<unknown> | undefined): Effect.Effect<CheckResult> =>
  answered === undefined || result.status !== "down"
    ? Effect.succeed(result)
    : answered.pipe(
        Effect.timeout(endingMillis),
        Effect.map((capture): CheckResult => ({ ...result, ...captured(capture) })),
        Effect.catchCause(() => Effect.succeed(result))
      )

/**
 * Callers always get an answer: a plugin's values may throw when they are read, and an exception in an observer would be
 * lost.
 */
const orDefect = (result: () => Effect.Effect<CheckResult>): Effect.Effect<CheckResult> => {
  try {
    return result()
  } catch (error) {
    return Effect.die(error)
  }
}

const resultOf = (exit: Exit.Exit<Passed, CheckFailed>): Effect.Effect<CheckResult> => {
  if (Exit.isSuccess(exit)) return Effect.succeed(passed(exit.value))
  if (Cause.hasDies(exit.cause)) return Effect.failCause(exit.cause as Cause.Cause<never>)
  const error = Cause.squash(exit.cause)
  // Not `instanceof`: a plugin may use its own copy of this package.
  return isCheckFailed(error) ? Effect.succeed(failed(error)) : Effect.die(error)
}

const isCheckFailed = (error: unknown): error is CheckFailed =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === "CheckFailed"

/** Concurrency limits of the probe and of each host. Cheap when there is capacity. */
const makeTurns = ({ concurrency, hostConcurrency }: RunnerSettings) => {
  // Permits are shared fairly between hosts, so that a host with many monitors does not delay the others.
  const probe = PartitionedSemaphore.makeUnsafe<string>({ permits: concurrency })
  const hosts = KeyedPermits.make()
  let users = 0

  return (name: string, patienceMillis: number, check: Effect.Effect<CheckResult>): Effect.Effect<CheckResult> =>
    Effect.suspend(() => {
      const crowded = hosts.users(name) >= hostConcurrency || users >= concurrency
      users++
      const take = (run: Effect.Effect<CheckResult>) =>
        // The host's permit is acquired first: queued checks of one slow host must not hold the probe's permits.
        hosts.withPermit({ key: name, limit: hostConcurrency })(probe.withPermit(name)(run))
      return Effect.ensuring(
        crowded ? patiently(patienceMillis, check, take) : take(check),
        Effect.sync(() => users--)
      )
    })
}

/** Waits up to `patienceMillis` for a permit, and records when the check actually started. */
const patiently = (
  patienceMillis: number,
  check: Effect.Effect<CheckResult>,
  take: (run: Effect.Effect<CheckResult>) => Effect.Effect<CheckResult>
): Effect.Effect<CheckResult> =>
  Effect.suspend(() => {
    let begun = false
    const dated = Effect.flatMap(Clock.currentTimeMillis, (checkedAt) => {
      begun = true
      return Effect.map(check, (result) => ({ ...result, checkedAt }))
    })
    const impatience = Effect.andThen(
      Effect.sleep(patienceMillis),
      Effect.suspend(() => (begun ? Effect.never : Effect.succeed(saturated)))
    )
    return Effect.raceFirst(take(dated), impatience)
  })
