/** The bucket part of the bus contract. */
import { eventually } from "./Eventually.ts"
import { assert } from "@effect/vitest"
import { EventBus } from "@kanmon/core/EventBus"
import { Deferred, Effect, Fiber, Stream } from "effect"
import { type Law, names } from "./internal/BusLaws.ts"

const prepared = Effect.gen(function* () {
  return { bus: yield* EventBus, bucket: (yield* names).bucket }
})

/** Adds the laws to a suite. */
export const laws = (law: Law): void => {
  law(
    "delivers a bucket's current values, then the mark, then each change",
    Effect.gen(function* () {
      const { bucket, bus } = yield* prepared
      const values = yield* bus.bucket(bucket)
      yield* values.put("one", "1")
      yield* values.put("two", "2")
      yield* values.put("one", "1b")
      const entries: Array<string> = []
      const current = yield* Deferred.make<void>()
      const follower = yield* Effect.forkChild(
        values.watch.pipe(
          Stream.tap((entry) => {
            entries.push(
              entry._tag === "Put"
                ? `${entry.key}=${entry.value}`
                : entry._tag === "Delete"
                  ? `-${entry.key}`
                  : "current"
            )
            return entry._tag === "Current" ? Deferred.succeed(current, undefined) : Effect.void
          }),
          Stream.takeUntil((entry) => entry._tag === "Put" && entry.key === "end"),
          Stream.runDrain
        )
      )
      yield* Deferred.await(current)
      assert.deepStrictEqual(entries.slice(0, -1).sort(), ["one=1b", "two=2"])
      yield* values.remove("two")
      yield* values.remove("two")
      yield* values.put("three", "3")
      yield* values.put("end", "")
      yield* Fiber.join(follower)
      assert.deepStrictEqual(entries.slice(3), ["-two", "three=3", "end="])
      assert.strictEqual((yield* values.get("one")).value, "1b")
      assert.isUndefined((yield* values.get("two")).value)
      assert.deepStrictEqual([...(yield* values.keys)].sort(), ["end", "one", "three"])
    })
  )

  law(
    "replaces a value only if its version is current",
    Effect.gen(function* () {
      const { bucket, bus } = yield* prepared
      const values = yield* bus.bucket(bucket)
      const value = Effect.map(values.get("key"), ({ value }) => value)
      const none = yield* values.get("key")
      assert.deepStrictEqual(none, { value: undefined, revision: 0, at: null })
      assert.isTrue(yield* values.replace("key", "first", 0))
      assert.isFalse(yield* values.replace("key", "second", 0), "somebody was first")
      const { revision } = yield* values.get("key")
      yield* values.put("other", "of no concern")
      assert.isTrue(yield* values.replace("key", "second", revision))
      assert.isFalse(yield* values.replace("key", undefined, revision), "it is another one by now")
      assert.strictEqual(yield* value, "second")
      assert.isTrue(yield* values.replace("key", undefined, (yield* values.get("key")).revision))
      assert.isUndefined(yield* value)
      assert.isFalse(yield* values.replace("key", "late", revision), "a removal is a change, too")
      const removed = yield* values.get("key")
      assert.isAbove(removed.revision, revision)
      assert.isTrue(yield* values.replace("key", "again", removed.revision))
      assert.strictEqual(yield* value, "again")
    })
  )

  law(
    "returns when a value was written, by the bus's clock",
    Effect.gen(function* () {
      const { bucket, bus } = yield* prepared
      const values = yield* bus.bucket(bucket)
      yield* values.put("key", "1")
      const first = yield* values.get("key")
      const written = Effect.andThen(values.put("key", "2"), values.get("key"))
      const second = yield* eventually(written, ({ at }) => at! > first.at!)
      assert.strictEqual((yield* values.get("key")).at, second.at)
    })
  )

  law(
    "marks an empty bucket as current immediately",
    Effect.gen(function* () {
      const { bucket, bus } = yield* prepared
      const [first] = yield* (yield* bus.bucket(bucket)).watch.pipe(Stream.take(1), Stream.runCollect)
      assert.strictEqual(first?._tag, "Current")
    })
  )

  law(
    "expires a value after its lifetime",
    Effect.gen(function* () {
      const { bucket, bus } = yield* prepared
      const values = yield* bus.bucket(bucket, { ttlMillis: 1000 })
      yield* values.put("short", "1")
      assert.strictEqual((yield* values.get("short")).value, "1")
      yield* eventually(values.get("short"), ({ value }) => value === undefined)
    })
  )
}
