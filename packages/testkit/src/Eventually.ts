/** The one way of tests to wait: for a fact, never for a time. */
import { Effect, Fiber } from "effect"

/** Only what hangs takes so long: the limit of a test is longer still, so that the failure names what was seen last. */
const limitMillis = 240_000
const longestPauseMillis = 100

/** Passes in real time, also where the test moves a TestClock. */
const pause = (millis: number): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    const timer = setTimeout(() => resume(Effect.void), millis)
    return Effect.sync(() => clearTimeout(timer))
  })

/**
 * Looks until the result is accepted, and returns it. A look that fails is one that has seen nothing yet; one that dies ends the
 * wait. Dies with what it saw last, after a time that only what hangs can take.
 */
export const eventually = <A, E, R>(
  look: Effect.Effect<A, E, R>,
  good: (value: A) => boolean = () => true
): Effect.Effect<A, never, R> =>
  Effect.gen(function* () {
    const until = performance.now() + limitMillis
    for (let looks = 1; ; looks++) {
      const seen = yield* Effect.result(look)
      if (seen._tag === "Success" && good(seen.success)) return seen.success
      if (performance.now() > until) {
        const last = seen._tag === "Success" ? seen.success : seen.failure
        const words = last instanceof Error ? String(last) : JSON.stringify(last)
        return yield* Effect.die(new Error(`It never happened in ${looks} looks. The last one saw: ${words}`))
      }
      yield* pause(Math.min(longestPauseMillis, looks * 5))
    }
  })

/** Turns of the event loop after which what was written on loopback has been read in the same process: it is there at once. */
const turns = 50

/** Lets what a server of this process has written arrive at its client, which is in this process too. */
export const delivered: Effect.Effect<void> = Effect.callback<void>((resume) => {
  const turn = (left: number): void => {
    if (left === 0) resume(Effect.void)
    else setImmediate(turn, left - 1)
  }
  turn(turns)
})

/** Interrupts a fiber and waits for its end; dies if it goes on. */
export const interrupted = <A, E>(fiber: Fiber.Fiber<A, E>): Effect.Effect<void> =>
  Effect.raceFirst(
    Fiber.interrupt(fiber),
    Effect.andThen(pause(limitMillis), Effect.die(new Error("It continues after its interruption")))
  )
