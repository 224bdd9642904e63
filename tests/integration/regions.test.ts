/** Regions outlive their probes on a real PostgreSQL until an operator closes them. */
import { eventually } from "@kanmon/testkit/Eventually"
import * as InProcessBus from "@kanmon/bus/InProcessBus"
import { EventBus } from "@kanmon/core/EventBus"
import { probeBucket } from "@kanmon/domain/Subjects"
import { Regions } from "@kanmon/monitoring/testing/regions/Regions.ts"
import { ProbeRegionRepository } from "@kanmon/monitoring/testing/regions/ProbeRegionRepository.ts"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import * as TestDatabase from "../support/TestDatabase.ts"

/** Lets simulated time pass until these are the labels; the database answers in real time. A live probe announces itself meanwhile. */
const until = <E = never>(
  regions: Regions["Service"],
  labels: ReadonlyArray<string>,
  announce: Effect.Effect<unknown, E> = Effect.void
) =>
  eventually(
    announce.pipe(Effect.andThen(TestClock.adjust("1 second")), Effect.andThen(regions.current)),
    (current) => current.labels.join() === labels.join()
  )

const environment = ProbeRegionRepository.layer.pipe(Layer.provideMerge(TestDatabase.database))

layer(environment, { timeout: "60 seconds" })("regions", (it) => {
  it.effect("stays known without probes, also after a restart, until it is closed", () =>
    Effect.gen(function* () {
      const bus = Context.get(yield* Layer.build(InProcessBus.layer()), EventBus)
      const probes = yield* bus.bucket(probeBucket, { ttlMillis: 5000 })
      const known = yield* ProbeRegionRepository
      const start = (scope: Scope.Scope) =>
        Effect.map(
          Layer.buildWithScope(
            Layer.fresh(Regions.layer(["eu-west"])).pipe(Layer.provide(Layer.succeed(EventBus, bus))),
            scope
          ),
          (context) => Context.get(context, Regions)
        )
      const first = yield* Scope.make()
      const regions = yield* start(first)
      yield* until(regions, ["eu-west"])
      const announce = probes.put("us-east.p1", "{}")
      const { probes: alive } = yield* until(regions, ["eu-west", "us-east"], announce)
      assert.deepStrictEqual(alive, { "us-east": 1 })
      yield* eventually(known.seen([]), (labels) => labels.includes("us-east"))
      yield* TestClock.adjust("1 minute")
      // A look that was under way may still have seen the probe.
      const gone = yield* eventually(
        until(regions, ["eu-west", "us-east"]),
        ({ probes }) => Object.keys(probes).length === 0
      )
      assert.deepStrictEqual(gone.probes, {})
      assert.deepStrictEqual(gone.labels, ["eu-west", "us-east"])
      yield* Scope.close(first, Exit.void)

      const again = yield* start(yield* Effect.scope)
      yield* until(again, ["eu-west", "us-east"])
      yield* known.close("us-east")
      yield* until(again, ["eu-west"])
      yield* until(again, ["eu-west", "us-east"], announce)
    }).pipe(Effect.scoped)
  )
})
