import { assert, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import * as StopLog from "../src/StopLog.ts"

const lines = (use: Effect.Effect<unknown>) => {
  const found: Array<unknown> = []
  const collect = Logger.make<unknown, void>(({ message }) => void found.push(message))
  return use.pipe(
    Effect.andThen(Effect.sync(() => void found.push("in use"))),
    Effect.provide(StopLog.layer.pipe(Layer.provideMerge(Logger.layer([collect])))),
    Effect.as(found),
    Effect.map((all) => all.flat())
  )
}

const signal = Effect.sync(() => process.emit("SIGTERM"))

it.effect("logs that a signal asks for a stop, once for several, and that everything has ended", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* lines(Effect.andThen(signal, signal)), ["Stopping", "in use", "Stopped"])
  })
)

it.effect("logs nothing of an end without a signal", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* lines(Effect.void), ["in use"])
  })
)
