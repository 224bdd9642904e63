/** Channels are leased to one engine at a time, and returned whatever happens. */
import { eventually } from "@kanmon/testkit/Eventually"
import { assert, layer } from "@effect/vitest"
import { Deliveries } from "@kanmon/monitoring/testing/delivery/Deliveries.ts"
import type { LeasedRow } from "@kanmon/monitoring/testing/delivery/TargetLeases.ts"
import { Clock, Effect, Layer } from "effect"
import * as Deliverer from "../support/Deliverer.ts"
import * as Engines from "../support/Engines.ts"
import * as Receiver from "../support/Receiver.ts"
import { environment, evaluate, minute, noon, stage } from "../support/Stage.ts"

let outages = 0

/** Deliveries whose channels cannot be returned the first two times, as while the database restarts. */
const restarting = Layer.effect(
  Deliveries,
  Effect.map(Deliveries, (real) =>
    Deliveries.of({
      ...real,
      release: (lease, engine) =>
        Effect.suspend(() => (outages++ < 2 ? Effect.die(new Error("Connection closed")) : real.release(lease, engine)))
    })
  )
)

const worker = Deliverer.layer({
  engine: "leases",
  recipients: { confirm: false, phonePrefixes: [], perHour: { email: 100, phone: 3 } }
}).pipe(Layer.provide(restarting), Layer.provideMerge(environment))

layer(worker, { excludeTestServices: true })("a leased channel", (it) => {
  it.effect("is returned as soon as the database is back, and serves what was queued meanwhile", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.make
      const { monitor } = yield* stage({ channels: 1, url: receiver.url })
      const events = Effect.sync(() => receiver.received.map(({ body }) => body.event))
      // The worker goes by the real clock, and gives up what is a day old.
      const from = Math.floor(((yield* Clock.currentTimeMillis) - noon) / minute) - 3
      yield* evaluate(monitor, from, "up", "down")
      yield* eventually(events, (all) => all.length === 1)
      yield* evaluate(monitor, from + 2, "up")
      // A lease that nobody returns would last a minute.
      yield* eventually(events, (all) => all.length === 2)
      assert.deepStrictEqual(yield* events, ["monitor_down", "monitor_up"])
      assert.isAbove(outages, 2)
    })
  )
})

layer(environment, { excludeTestServices: true })("a lease", (it) => {
  it.effect("is ended by its own release alone, however often that is repeated", () =>
    Effect.gen(function* () {
      const deliveries = yield* Deliveries
      const { channels, monitor } = yield* stage({ channels: 1 })
      yield* Engines.join("one")
      yield* evaluate(monitor, 0, "up", "down")
      const own = (leased: ReadonlyArray<LeasedRow>) => leased.find(({ id }) => id === channels[0])
      const lease = Effect.map(deliveries.lease("one", 60_000, 100), own)
      const first = yield* lease
      yield* deliveries.release(first!, "one")
      const second = yield* Effect.flatMap(Effect.sleep(2), () => lease)
      assert.isDefined(second)
      yield* deliveries.release(first!, "one")
      assert.isUndefined(yield* lease)
      yield* deliveries.release(second!, "one")
      assert.isDefined(yield* lease)
    })
  )
})
