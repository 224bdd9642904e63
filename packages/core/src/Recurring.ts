/** Recurring jobs and retries, with one log line when failures begin, one a minute while they last, and one when they end. */
import { Cause, Clock, Context, Duration, Effect, Schedule, type Scope } from "effect"
import { BusUnavailable } from "./EventBus.ts"
import * as TimerCoalescing from "./TimerCoalescing.ts"

/**
 * The short reason of an expected failure, such as a dependency that is away; `undefined` for a defect, which is logged
 * with its stack. Layers that add dependencies add their reasons.
 */
export const FailureReason = Context.Reference<(cause: Cause.Cause<unknown>) => string | undefined>(
  "@kanmon/core/FailureReason",
  { defaultValue: () => busReason }
)

/** The reason when the bus is unavailable. */
export const busReason = (cause: Cause.Cause<unknown>): string | undefined => {
  const error = Cause.squash(cause)
  return error instanceof BusUnavailable ? error.message : undefined
}

/** Logs the failures of one activity that is attempted repeatedly. */
export interface FailureLog {
  /** Returns the attempt unchanged and logs its outcome. */
  readonly watch: <A, E, R>(attempt: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Attempts until it succeeds, pausing after each failure. */
  readonly retryUntilSuccess: <A, E, R>(
    attempt: Effect.Effect<A, E, R>,
    pause: Duration.Input
  ) => Effect.Effect<A, never, R>
}

const repeatedAfterMillis = 60_000

/** `activity` is a noun phrase that starts the log line: "Observation evaluation". */
export const failureLog = (activity: string): FailureLog => {
  let failing: { readonly since: number; times: number; loggedAt: number } | undefined

  const failed = Effect.fnUntraced(function* (cause: Cause.Cause<unknown>) {
    const now = yield* Clock.currentTimeMillis
    const known = failing
    failing ??= { since: now, times: 0, loggedAt: now }
    failing.times++
    if (known !== undefined && now - known.loggedAt < repeatedAfterMillis) return
    failing.loggedAt = now
    const why = (yield* FailureReason)(cause)
    const line = `${activity} fails; it is tried again`
    yield* Effect.annotateLogs(why === undefined ? Effect.logError(line, cause) : Effect.logWarning(line), {
      ...(why === undefined ? {} : { why }),
      ...(failing.times === 1 ? {} : { times: failing.times })
    })
  })

  const succeeded = Effect.suspend(() => {
    const before = failing
    if (before === undefined) return Effect.void
    failing = undefined
    return Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.annotateLogs(Effect.logInfo(`${activity} works again`), {
        times: before.times,
        millis: now - before.since
      })
    )
  })

  const watch: FailureLog["watch"] = (attempt) =>
    attempt.pipe(
      Effect.tap(succeeded),
      Effect.tapCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.void : failed(cause)))
    )

  return {
    watch,
    retryUntilSuccess: (attempt, pause) =>
      Effect.orDie(Effect.retry(Effect.sandbox(watch(attempt)), Schedule.spaced(pause)))
  }
}

/** The pause after a failed run: the job's interval within these limits. */
const minimumPause = Duration.seconds(1)
const maximumPause = Duration.seconds(30)
/** Jobs of longer intervals do not begin with others: they are rare, and at the same moment each needs a connection of its own. */
const togetherBelow = Duration.seconds(5)

/** Runs the job until the scope closes, about `interval` after each run's end. `activity` is as in {@link failureLog}. */
export const every = <A, E, R>(
  interval: Duration.Input,
  activity: string,
  job: Effect.Effect<A, E, R>
): Effect.Effect<void, never, R | Scope.Scope> =>
  Effect.suspend(() => {
    const { retryUntilSuccess } = failureLog(activity)
    const pause = Duration.clamp(Duration.fromInputUnsafe(interval), { minimum: minimumPause, maximum: maximumPause })
    const rest = Duration.isLessThan(Duration.fromInputUnsafe(interval), togetherBelow)
      ? TimerCoalescing.pause(interval)
      : Effect.sleep(interval)
    const round = Effect.andThen(retryUntilSuccess(job, pause), rest)
    return Effect.asVoid(Effect.forkScoped(Effect.forever(round)))
  })
