/** Channels are leased to one engine at a time, and returned whatever happens. */
import { eventually } from "@kanmon/testkit/Eventually"
import { assert, layer } from "@effect/vitest"
import * as DeliveryWorker from "@kanmon/control-plane/src/alerts/DeliveryWorker.ts"
import { Deliveries } from "@kanmon/control-plane/src/alerts/Deliveries.ts"
import { ChannelRunner } from "@kanmon/core/ChannelRunner"
import * as NodeResolver from "@kanmon/core/NodeResolver"
import { Catalogue } from "@kanmon/core/PluginHost"
import { RecipientPolicy } from "@kanmon/core/Recipient"
import { Effect, Layer } from "effect"
import { bundled } from "../../apps/server/src/plugins.gen.ts"
import * as Engines from "../support/Engines.ts"
import * as Receiver from "../support/Receiver.ts"
import { environment, evaluate, stage } from "../support/Stage.ts"

let outages = 0

/** Deliveries whose channels cannot be returned the first two times, as while the database restarts. */
const restarting = Layer.effect(
  Deliveries,
  Effect.map(Deliveries, (real) =>
    Deliveries.of({
      ...real,
      release: (channel, engine) =>
        Effect.suspend(() =>
          outages++ < 2 ? Effect.die(new Error("Connection closed")) : real.release(channel, engine)
        )
    })
  )
)

const worker = Layer.unwrap(
  Effect.as(
    Engines.join("leases"),
    DeliveryWorker.layer({ engine: "leases", baseUrl: "https://kanmon.example", groupAlerts: 10 }).pipe(
      Layer.provide(restarting),
      Layer.provide(ChannelRunner.layer({ dialer: { allowPrivate: true }, operator: new Map() })),
      Layer.provide(NodeResolver.layer({ allowPrivate: true })),
      Layer.provide(Catalogue.layer(bundled)),
      Layer.provide(
        Layer.succeed(RecipientPolicy, { confirm: false, phonePrefixes: [], perHour: { email: 100, phone: 3 } })
      )
    )
  )
).pipe(Layer.provideMerge(environment))

layer(worker, { excludeTestServices: true })("a leased channel", (it) => {
  it.effect("is returned as soon as the database is back, and serves what was queued meanwhile", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.make
      const { monitor } = yield* stage({ channels: 1, url: receiver.url })
      const events = Effect.sync(() => receiver.received.map(({ body }) => body.event))
      yield* evaluate(monitor, 0, "up", "down")
      yield* eventually(events, (all) => all.length === 1)
      yield* evaluate(monitor, 2, "up")
      // A lease that nobody returns would last a minute.
      yield* eventually(events, (all) => all.length === 2)
      assert.deepStrictEqual(yield* events, ["monitor_down", "monitor_up"])
      assert.isAbove(outages, 2)
    })
  )
})
