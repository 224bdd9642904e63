/** Two engines that write one region's bucket: the newest state of the database wins. */
import { assert, describe, it } from "@effect/vitest"
import * as InProcessBus from "@kanmon/bus/InProcessBus"
import { EventBus } from "@kanmon/core/EventBus"
import { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import type { MonitorSpec } from "@kanmon/domain/Monitor"
import { positionBucket, specBucket } from "@kanmon/domain/Subjects"
import { SpecBuckets } from "@kanmon/monitoring/testing/specs/SpecBuckets.ts"
import { SpecRepository } from "@kanmon/monitoring/testing/specs/SpecRepository.ts"
import { Context, Deferred, Effect, Fiber, Layer } from "effect"

const id = MonitorId.make("mon_1")

const spec = (revision: number): MonitorSpec => ({
  id,
  projectId: ProjectId.make("prj_1"),
  type: "http",
  interval: 60,
  timeout: 10,
  config: { url: "https://example.org" },
  revision,
  changedAt: 0
})

/** A store whose answer the test gives, and one engine's buckets over it. */
const engine = Effect.fnUntraced(function* (specs: Effect.Effect<ReadonlyArray<MonitorSpec>>) {
  const placed = Effect.map(specs, (all) => all.map((one) => ({ spec: one, regions: [] })))
  const store = Layer.mock(SpecRepository)({ find: () => placed, page: () => placed })
  return Context.get(yield* Layer.build(SpecBuckets.layer.pipe(Layer.provide(store))), SpecBuckets)
})

const here = Layer.fresh(InProcessBus.layer())

describe("two engines on one bucket", () => {
  it.effect("does not overwrite a newer spec with a delayed one", () =>
    Effect.gen(function* () {
      const read = yield* Deferred.make<void>()
      const released = yield* Deferred.make<void>()
      let current: ReadonlyArray<MonitorSpec> = [spec(1)]
      let held = false
      // It reads the store, and is then held up for as long as the test likes: once.
      const slow = yield* engine(
        Effect.gen(function* () {
          const found = current
          if (held) return found
          held = true
          yield* Deferred.succeed(read, undefined)
          yield* Deferred.await(released)
          return found
        })
      )
      const quick = yield* engine(Effect.sync(() => current))

      const late = yield* Effect.forkChild(slow.update([id], ["eu-west"]))
      yield* Deferred.await(read)
      current = [spec(2)]
      yield* quick.update([id], ["eu-west"])
      yield* Deferred.succeed(released, undefined)
      yield* Fiber.join(late)

      const bucket = yield* (yield* EventBus).bucket(specBucket("eu-west"))
      assert.strictEqual(JSON.parse((yield* bucket.get(id)).value!).revision, 2)
    }).pipe(Effect.provide(here))
  )

  it.effect("does not restore a removed spec with a delayed one", () =>
    Effect.gen(function* () {
      const bucket = yield* (yield* EventBus).bucket(specBucket("eu-west"))
      let current: ReadonlyArray<MonitorSpec> = [spec(1)]
      const quick = yield* engine(Effect.sync(() => current))
      yield* quick.update([id], ["eu-west"])
      let first = true
      const slow = yield* engine(
        Effect.suspend(() => {
          if (!first) return Effect.succeed(current)
          first = false
          const found = [spec(2)]
          current = []
          return Effect.as(Effect.orDie(quick.update([id], ["eu-west"])), found)
        })
      )
      yield* slow.update([id], ["eu-west"])
      assert.isUndefined((yield* bucket.get(id)).value)
    }).pipe(Effect.provide(here))
  )

  it.effect("synchronises a whole region, and removes what does not belong there", () =>
    Effect.gen(function* () {
      const bucket = yield* (yield* EventBus).bucket(specBucket("eu-west"))
      yield* bucket.put("mon_gone", "{}")
      const { reconcile } = yield* engine(Effect.succeed([spec(1)]))
      assert.strictEqual(yield* reconcile("eu-west"), 2)
      assert.strictEqual(yield* reconcile("eu-west"), 0)
      assert.deepStrictEqual(yield* bucket.keys, [id])
    }).pipe(Effect.provide(here))
  )

  it.effect("rewrites a spec of an older engine", () =>
    Effect.gen(function* () {
      const bucket = yield* (yield* EventBus).bucket(specBucket("eu-west"))
      const old = yield* engine(Effect.succeed([spec(1)]))
      yield* old.reconcile("eu-west")
      const { reconcile } = yield* engine(Effect.succeed([{ ...spec(1), account: "a1" }]))
      assert.strictEqual(yield* reconcile("eu-west"), 1)
      assert.strictEqual(JSON.parse((yield* bucket.get(id)).value!).account, "a1")
    }).pipe(Effect.provide(here))
  )

  it.effect("detects that the bus has lost a region's bucket", () =>
    Effect.gen(function* () {
      const bus = yield* EventBus
      const { behind, reconcile } = yield* engine(Effect.succeed([spec(1)]))
      yield* reconcile("eu-west")
      assert.deepStrictEqual(yield* behind, [])
      for (const name of [specBucket("eu-west"), positionBucket]) {
        const lost = yield* bus.bucket(name)
        yield* Effect.forEach(yield* lost.keys, lost.remove)
      }
      assert.deepStrictEqual(yield* behind, ["eu-west"])
      assert.strictEqual(yield* reconcile("eu-west"), 1)
      assert.deepStrictEqual(yield* behind, [])
    }).pipe(Effect.provide(here))
  )
})
