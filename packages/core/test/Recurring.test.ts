import { assert, describe, it } from "@effect/vitest"
import { BusUnavailable } from "../src/EventBus.ts"
import { Cause, Effect, Logger, References } from "effect"
import { TestClock } from "effect/testing"
import * as Recurring from "../src/Recurring.ts"

interface Line {
  readonly level: string
  readonly text: string
  readonly annotations: Readonly<Record<string, unknown>>
  readonly hasCause: boolean
}

/** The lines logged in the meantime. */
const logged = <A, E, R>(use: (lines: ReadonlyArray<Line>) => Effect.Effect<A, E, R>) => {
  const lines: Array<Line> = []
  const logger = Logger.make<unknown, void>(({ cause, fiber, logLevel, message }) => {
    lines.push({
      level: logLevel,
      text: String(message),
      annotations: fiber.getRef(References.CurrentLogAnnotations),
      hasCause: cause.reasons.length > 0
    })
  })
  return Effect.provide(use(lines), Logger.layer([logger]))
}

const away = new BusUnavailable({ detail: "no answer" })

describe("a trouble", () => {
  it.effect("is told when it begins, each minute while it lasts, and when it is over", () =>
    logged((lines) =>
      Effect.gen(function* () {
        const { watch } = Recurring.failureLog("Carrying")
        for (let second = 0; second < 130; second++) {
          yield* Effect.exit(watch(Effect.fail(away)))
          yield* TestClock.adjust("1 second")
        }
        yield* watch(Effect.void)
        yield* watch(Effect.void)
        assert.deepStrictEqual<ReadonlyArray<Readonly<Record<string, unknown>>>>(
          lines.map(({ annotations, level, text }) => ({ level, text, ...annotations })),
          [
            { level: "Warn", text: "Carrying fails; it is tried again", why: "The bus: no answer" },
            { level: "Warn", text: "Carrying fails; it is tried again", why: "The bus: no answer", times: 61 },
            { level: "Warn", text: "Carrying fails; it is tried again", why: "The bus: no answer", times: 121 },
            { level: "Info", text: "Carrying works again", times: 130, millis: 130_000 }
          ]
        )
        assert.isFalse(lines.some(({ hasCause }) => hasCause))
      })
    )
  )

  it.effect("is an error with its stack if it was not expected", () =>
    logged((lines) =>
      Effect.gen(function* () {
        const { watch } = Recurring.failureLog("Judging")
        const exit = yield* Effect.exit(watch(Effect.die(new Error("a bug"))))
        assert.isTrue(exit._tag === "Failure" && Cause.hasDies(exit.cause), "the outcome is passed on")
        assert.deepInclude(lines[0], { level: "Error", text: "Judging fails; it is tried again", hasCause: true })
      })
    )
  )

  it.effect("is none when it was interrupted", () =>
    logged((lines) =>
      Effect.gen(function* () {
        yield* Effect.exit(Recurring.failureLog("Judging").watch(Effect.interrupt))
        assert.deepStrictEqual(lines, [])
      })
    )
  )
})

describe("a recurring job", () => {
  it.effect(
    "that failed is tried again after its interval, but neither at once nor after more than half a minute",
    () =>
      logged((lines) =>
        Effect.gen(function* () {
          for (const [interval, pause] of [
            ["100 millis", 1000],
            ["5 seconds", 5000],
            ["1 hour", 30_000]
          ] as const) {
            let runs = 0
            const job = Effect.suspend(() => (++runs < 3 ? Effect.fail(away) : Effect.void))
            yield* Effect.scoped(
              Effect.gen(function* () {
                yield* Recurring.every(interval, "Working", job)
                yield* TestClock.adjust(0)
                assert.strictEqual(runs, 1)
                yield* TestClock.adjust(pause - 1)
                assert.strictEqual(runs, 1)
                yield* TestClock.adjust(1)
                assert.strictEqual(runs, 2)
                yield* TestClock.adjust(pause)
                assert.strictEqual(runs, 3)
                yield* TestClock.adjust(interval)
                assert.strictEqual(runs, 4)
              })
            )
          }
          // Unavailable dependencies are logged in a line each.
          assert.deepStrictEqual(
            lines.map(({ hasCause, level }) => ({ hasCause, level })),
            Array.from({ length: 6 }, (_, index) => ({ hasCause: false, level: index % 2 === 0 ? "Warn" : "Info" }))
          )
        })
      )
  )
})
