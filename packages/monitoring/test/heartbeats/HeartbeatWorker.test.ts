import { DueWork } from "@kanmon/platform/DueWork"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { Heartbeats } from "../../src/heartbeats/Heartbeats.ts"
import * as HeartbeatWorker from "../../src/heartbeats/HeartbeatWorker.ts"

const notice = "No engine was running; missed heartbeats of that time do not count"

/** The notices of a start after an absence of a minute. Each look at the database takes a while, as with load. */
const notices = Effect.fnUntraced(function* (exist: boolean) {
  const found: Array<unknown> = []
  const collect = Logger.make<unknown, void>(({ message }) => void found.push(message))
  let seen = 0
  const heartbeats = Layer.mock(Heartbeats, {
    exist: Effect.succeed(exist),
    look: Effect.gen(function* () {
      const before = seen
      yield* Effect.sleep("1 second")
      seen = yield* Clock.currentTimeMillis
      return before
    }),
    overdue: () => Effect.succeed(0),
    reckon: Effect.succeed(0)
  })
  const due = Layer.mock(DueWork, {
    watch: (_isDue, _activity, work) => Effect.asVoid(Effect.forkScoped(Effect.ignore(work)))
  })
  yield* TestClock.adjust("1 minute")
  yield* Effect.gen(function* () {
    yield* TestClock.adjust("10 seconds")
  }).pipe(
    Effect.provide(
      HeartbeatWorker.layer.pipe(Layer.provide([heartbeats, due]), Layer.provideMerge(Logger.layer([collect])))
    )
  )
  return found.flat().filter((text) => text === notice).length
})

it.effect("says once that no engine was running", () =>
  Effect.gen(function* () {
    assert.strictEqual(yield* notices(true), 1)
  })
)

it.effect("says nothing of missed heartbeats where there are none", () =>
  Effect.gen(function* () {
    assert.strictEqual(yield* notices(false), 0)
  })
)
