/** With the configuration of `kanmon nats config`, each role does its work, and a stolen key opens no other door. */
import { assert, describe, layer } from "@effect/vitest"
import { AckPolicy, DeliverPolicy, jetstream, jetstreamManager } from "@nats-io/jetstream"
import type { NatsConnection } from "@nats-io/transport-node"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import * as EventReader from "../support/EventReader.ts"
import * as NatsServer from "../support/NatsServer.ts"
import { eventually, make } from "../support/Product.ts"
import { RoledNats } from "../support/RoledNats.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import * as WebTarget from "../support/WebTarget.ts"

const environment = RoledNats.layer(["eu-west", "us-east"]).pipe(Layer.provideMerge(SecureRandom.layerWebCrypto))

describe.skipIf(NatsServer.skipped)(`a bus with a user for each role${NatsServer.note}`, () => {
  layer(environment, { timeout: "10 minutes", excludeTestServices: true })((it) => {
    it.effect("lets each role work, in separate processes", () =>
      Effect.gen(function* () {
        const bus = yield* RoledNats
        const database = Redacted.value(yield* TestDatabase.create)
        const controlPlane = {
          DATABASE_URL: database,
          KANMON_SECRET: "a secret that api and engine share",
          KANMON_REGIONS: "eu-west"
        }
        const role = (name: string, user: string, env = {}) =>
          make({ env: { ...env, KANMON_ROLES: name, NATS_URL: bus.urlOf(user) } })
        // The probe comes first, and waits.
        const probe = yield* role("probe", "probe-eu-west")
        yield* eventually(Effect.sync(probe.output), (text) =>
          text.includes("Waiting for the engine to create the bucket")
        )
        const [api, engine] = yield* Effect.all([
          role("api", "api", controlPlane),
          role("engine", "engine", controlPlane)
        ])
        yield* api.healthy
        const ada = yield* api.signUp
        const listening = yield* EventReader.open(`${api.base}/events?types=kanmon.monitor.up`, {
          "x-api-key": ada.key
        })
        const target = yield* WebTarget.make
        const monitor = yield* ada.call("POST", "/monitors", {
          name: "Shop",
          type: "http",
          url: `http://127.0.0.1:${target.port}/`,
          interval: 10
        })
        assert.strictEqual(monitor.status, 201)
        const [up] = yield* listening.take(1)
        assert.strictEqual(up!.event.data.monitorId, monitor.body.id)
        yield* eventually(ada.call("GET", `/monitors/${monitor.body.id}`), ({ body }) => body.status === "up")
        const { body: health } = yield* api.call("GET", "/health")
        assert.deepInclude(health, { stale: 0 })
        assert.strictEqual(health.clock.status, "ok", "it may measure its clock")
        const ends = yield* Effect.all([probe.stop(), api.stop(), engine.stop()], { concurrency: 3 })
        assert.deepStrictEqual(ends, ["0", "0", "0"])
        for (const { output } of [probe, api, engine]) {
          assert.notInclude(output(), "does not let this user")
          assert.notInclude(output(), `"level":"ERROR"`)
        }

        const connection = yield* bus.join("subscriber")
        const told = yield* Effect.promise(() => everything(connection))
        assert.include(told, `kanmon.events.${ada.projectId}.monitor.${monitor.body.id}.up`)
      })
    )
  })
})

/** What a subscriber reads of the stream of events, from its beginning. */
const everything = async (connection: NatsConnection): Promise<ReadonlyArray<string>> => {
  const manager = await jetstreamManager(connection)
  await manager.consumers.add("KANMON_EVENTS", {
    durable_name: "everything",
    deliver_policy: DeliverPolicy.All,
    ack_policy: AckPolicy.Explicit
  })
  const consumer = await jetstream(connection).consumers.get("KANMON_EVENTS", "everything")
  const { num_pending: count } = await consumer.info()
  const subjects: Array<string> = []
  for await (const message of await consumer.fetch({ max_messages: count, expires: 240_000 })) {
    subjects.push(message.subject)
    await message.ackAck()
  }
  return subjects
}
