/**
 * Runs one attempt of a check under the monitor's timeout, within the bounds on concurrency, and turns what comes of it into
 * the result part of an observation. A defect of the check is passed on: it says nothing of the target.
 */
import { Cause, Clock, Context, Effect, Exit, Layer, PartitionedSemaphore, Semaphore } from "effect"
import * as AlarmClock from "./AlarmClock.ts"
import { type BoundedEvaluator, EvaluationOwner, waitMillis } from "./BoundedEvaluator.ts"
import type { Capabilities, CheckFailed, Passed, Prepared } from "./Check.ts"
import { type CheckResult, failed, passed, paused, saturated, timedOut } from "./CheckResult.ts"
import type { Dialer } from "./Dialer.ts"
import * as Pulse from "./Pulse.ts"
import type { Resolver } from "./Resolver.ts"

export type { CheckResult } from "./CheckResult.ts"

export interface RunnerSettings {
  readonly region: string
  /** Checks at once of this probe. */
  readonly concurrency: number
  /** Checks at once against one host. */
  readonly hostConcurrency: number
}

/** How long a check that was told to end may take for it. */
const endingMillis = 1000
/** How long a check may go on evaluating an answer that came in time. */
const evaluatingMillis = waitMillis + endingMillis
/** How long after the monitor's timeout the runner answers at the latest. */
export const beyondTimeoutMillis = evaluatingMillis + endingMillis

export class CheckRunner extends Context.Service<
  CheckRunner,
  {
    /**
     * Runs a check, for the `EvaluationOwner` of the caller. `timeoutMillis` is the monitor's; `patienceMillis` is how long it may
     * wait for its turn before it becomes `unknown`, because then nobody looked. `begun` is called when the turn has come.
     */
    readonly run: (
      check: Prepared,
      timeoutMillis: number,
      patienceMillis: number,
      begun?: () => void
    ) => Effect.Effect<CheckResult>
    /** Runs a check at once, outside the bounds on concurrency. For the few that must not wait behind all others. */
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
 * One attempt, in a fiber that is left to itself when it does not end in time: a check that cannot be interrupted holds
 * nobody up but its own monitor.
 */
const makeAttempts = Effect.fnUntraced(function* (region: string) {
  const alarms = yield* AlarmClock.make
  const pulse = yield* Pulse.make
  const fork = Effect.runForkWith(yield* Effect.context<Capabilities>())

  const attempt = (owner: string, check: Prepared, timeoutMillis: number): Effect.Effect<CheckResult> =>
    Effect.callback<CheckResult>((resume) => {
      let stage: unknown = "request"
      let expired = false
      const began = pulse.begin()
      const fiber = fork(
        Effect.provideService(
          Effect.suspend(() => check.run({ region, stage: (reached) => (stage = reached) })),
          EvaluationOwner,
          owner
        )
      )
      const expire = (): void => {
        expired = true
        callOff = alarms.after(endingMillis, () =>
          resume(Effect.die(new Error("The check does not end when its time is over")))
        )
        fiber.interruptUnsafe()
      }
      let callOff = alarms.after(timeoutMillis, () => {
        // The timeout is the target's, and the target has answered.
        if (stage === "evaluate") callOff = alarms.after(evaluatingMillis, expire)
        else expire()
      })
      const conclude = (exit: Exit.Exit<Passed, CheckFailed>): Effect.Effect<CheckResult> => {
        if (!pulse.isSteadySince(began)) return Effect.succeed(paused)
        return expired && Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)
          ? Effect.succeed(timedOut(check.target, stage, timeoutMillis))
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
    Effect.flatMap(EvaluationOwner, (owner) => attempt(owner, check, timeoutMillis))
})

/**
 * Whoever waits for the result is always answered: what a plugin hands over may throw when it is read, and a throw in an
 * observer would be nobody's.
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
  // Not by its class: a plugin may have brought its own copy of this package.
  return isCheckFailed(error) ? Effect.succeed(failed(error)) : Effect.die(error)
}

const isCheckFailed = (error: unknown): error is CheckFailed =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === "CheckFailed"

/** Bounds on concurrency, of the probe and of each host. Where there is room, which is nearly always, they cost little. */
const makeTurns = ({ concurrency, hostConcurrency }: RunnerSettings) => {
  // Hosts take turns for the probe's permits, so that one with many monitors does not keep the others waiting.
  const probe = PartitionedSemaphore.makeUnsafe<string>({ permits: concurrency })
  const hosts = new Map<string, { readonly permits: Semaphore.Semaphore; users: number }>()
  let users = 0

  const acquire = (name: string) => {
    const host = hosts.get(name) ?? { permits: Semaphore.makeUnsafe(hostConcurrency), users: 0 }
    host.users++
    users++
    hosts.set(name, host)
    return host
  }
  const release = (name: string, host: { users: number }): void => {
    users--
    if (--host.users === 0) hosts.delete(name)
  }

  return (name: string, patienceMillis: number, check: Effect.Effect<CheckResult>): Effect.Effect<CheckResult> =>
    Effect.suspend(() => {
      const host = acquire(name)
      const crowded = host.users > hostConcurrency || users > concurrency
      const take = (run: Effect.Effect<CheckResult>) =>
        // The host's permit first: one slow host must not hold the probe's permits while its checks wait.
        host.permits.withPermit(probe.withPermit(name)(run))
      return Effect.ensuring(
        crowded ? patiently(patienceMillis, check, take) : take(check),
        Effect.sync(() => release(name, host))
      )
    })
}

/** Waits for the turn, but no longer than `patienceMillis`; tells when the check really began. */
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
