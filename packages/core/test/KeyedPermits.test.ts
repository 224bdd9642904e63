import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Latch } from "effect"
import * as KeyedPermits from "../src/KeyedPermits.ts"

const host = { key: "host", limit: 1 }
const account = { key: "account", limit: 2 }

describe("KeyedPermits", () => {
  it.effect("runs one after the other with the same key, and at once with different keys", () =>
    Effect.gen(function* () {
      const permits = KeyedPermits.make()
      const over = yield* Latch.make()
      const started: Array<string> = []
      const run = (key: string, name: string) =>
        Effect.forkChild(
          permits.withPermit({ key, limit: 1 })(
            Effect.andThen(
              Effect.sync(() => started.push(name)),
              over.await
            )
          ),
          { startImmediately: true }
        )
      const fibers = [yield* run("a", "first"), yield* run("a", "second"), yield* run("b", "other")]
      assert.deepStrictEqual(started, ["first", "other"])
      assert.strictEqual(permits.users("a"), 2)
      yield* over.open
      yield* Fiber.joinAll(fibers)
      assert.deepStrictEqual(started, ["first", "other", "second"])
      assert.strictEqual(permits.users("a"), 0)
    })
  )

  it.effect("takes all permits or none", () =>
    Effect.gen(function* () {
      const permits = KeyedPermits.make()
      assert.isUndefined(yield* permits.takeIfAvailable([host, account]))
      assert.strictEqual(yield* permits.takeIfAvailable([account, host]), host)
      assert.strictEqual(permits.users(account.key), 1)
      yield* permits.release([host, account])
      assert.strictEqual(permits.users(account.key), 0)
      assert.isUndefined(yield* permits.takeIfAvailable([account, host]))
    })
  )

  it.effect("gives up a place in the queue on interruption", () =>
    Effect.gen(function* () {
      const permits = KeyedPermits.make()
      assert.isUndefined(yield* permits.takeIfAvailable([host]))
      const waiting = yield* Effect.forkChild(permits.withPermit(host)(Effect.void), { startImmediately: true })
      yield* Fiber.interrupt(waiting)
      assert.strictEqual(permits.users(host.key), 1)
    })
  )
})
