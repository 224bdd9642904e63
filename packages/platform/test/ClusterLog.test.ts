/** Messages of the cluster as operators read them. */
import { assert, it } from "@effect/vitest"
import { Cause, Effect, Layer, Logger } from "effect"
import * as ClusterLog from "../src/cluster/ClusterLog.ts"

const logged = (logs: Effect.Effect<void>) => {
  const lines: Array<readonly [level: string, message: unknown, hasCause: boolean]> = []
  const collect = Logger.make<unknown, void>(({ cause, logLevel, message }) => {
    lines.push([
      logLevel,
      Array.isArray(message) && message.length === 1 ? message[0] : message,
      cause.reasons.length > 0
    ])
  })
  return logs.pipe(Effect.provide(ClusterLog.layer.pipe(Layer.provide(Logger.layer([collect])))), Effect.as(lines))
}

it.effect("says in one line that a slow database stops the work of an engine, and that it goes on", () =>
  Effect.gen(function* () {
    const slow = Cause.fail(new Error("it took\nlonger than 2 s"))
    const lines = yield* logged(
      Effect.gen(function* () {
        yield* Effect.logError("Shard lock storage is unhealthy", slow)
        yield* Effect.logWarning("Shard lock storage is still unhealthy", slow)
        yield* Effect.logInfo("Shard lock storage has recovered")
      })
    )
    assert.deepStrictEqual(
      lines.map(([level, , hasCause]) => [level, hasCause]),
      [
        ["Warn", false],
        ["Info", false]
      ]
    )
    assert.match(String(lines[0]![1]), /^The database does not answer in time .* until it does \(it took\)$/)
    assert.include(String(lines[1]![1]), "takes up its work")
  })
)

it.effect("leaves other messages as they are", () =>
  Effect.gen(function* () {
    const lines = yield* logged(
      Effect.andThen(Effect.logError("A singleton failed", Cause.die(new Error("x"))), Effect.logInfo("constructor"))
    )
    assert.deepStrictEqual(
      lines.map(([level, , hasCause]) => [level, hasCause]),
      [
        ["Error", true],
        ["Info", false]
      ]
    )
  })
)
