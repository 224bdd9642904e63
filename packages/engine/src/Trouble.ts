/**
 * Tells the log of something that is tried again and again: when it begins to fail, each minute while it does, and when it
 * works again. What is away is told in a line; what nobody expected comes with its stack.
 */
import * as Outage from "@kanmon/store/database/Outage"
import { Cause, Clock, type Duration, Effect, Schedule } from "effect"

export interface Trouble {
  /** Passes the outcome of an attempt on, and tells of it. */
  readonly watch: <A, E, R>(attempt: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Tries until it works, with a pause after each time that it did not. */
  readonly untilWell: <A, E, R>(attempt: Effect.Effect<A, E, R>, pause: Duration.Input) => Effect.Effect<A, never, R>
}

const againMillis = 60_000

/** `what` is being done, for people: "Judging observations". */
export const make = (what: string): Trouble => {
  let failing: { readonly since: number; times: number; told: number } | undefined

  const failed = Effect.fnUntraced(function* (cause: Cause.Cause<unknown>) {
    const now = yield* Clock.currentTimeMillis
    const known = failing
    failing ??= { since: now, times: 0, told: now }
    failing.times++
    if (known !== undefined && now - known.told < againMillis) return
    failing.told = now
    const why = Outage.reason(cause)
    const line = `${what} fails; it is tried again`
    yield* Effect.annotateLogs(why === undefined ? Effect.logError(line, cause) : Effect.logWarning(line), {
      ...(why === undefined ? {} : { why }),
      ...(failing.times === 1 ? {} : { times: failing.times })
    })
  })

  const worked = Effect.suspend(() => {
    const before = failing
    if (before === undefined) return Effect.void
    failing = undefined
    return Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.annotateLogs(Effect.logInfo(`${what} works again`), { times: before.times, millis: now - before.since })
    )
  })

  const watch: Trouble["watch"] = (attempt) =>
    attempt.pipe(
      Effect.tap(worked),
      Effect.tapCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.void : failed(cause)))
    )

  return {
    watch,
    untilWell: (attempt, pause) => Effect.orDie(Effect.retry(Effect.sandbox(watch(attempt)), Schedule.spaced(pause)))
  }
}
