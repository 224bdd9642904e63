/** A stranger with a NATS client sees every observation of a running product, and every event. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { Observation } from "@kanmon/domain/Observation"
import { jetstream } from "@nats-io/jetstream"
import { connect } from "@nats-io/transport-node"
import { Effect, Schema } from "effect"
import { eventually, make, type Product } from "../support/Product.ts"
import * as NatsServer from "../support/NatsServer.ts"
import * as WebTarget from "../support/WebTarget.ts"

const join = (product: Product) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const port = /embedded NATS \S+ on port (\d+)/.exec(product.output())![1]
      const token = (await fs.readFile(path.join(product.dataDirectory, "nats/token"), "utf8")).trim()
      return connect({ servers: `127.0.0.1:${port}`, token })
    }),
    (connection) => Effect.promise(() => connection.close())
  )

it.live.skipIf(NatsServer.skipped)(
  `shows a NATS subscriber every observation, and lets it replay the events${NatsServer.note}`,
  () =>
    Effect.gen(function* () {
      const { port } = yield* WebTarget.make
      const product = yield* make()
      yield* product.healthy
      const connection = yield* join(product)
      const heard: Array<{ readonly subject: string; readonly id: string; readonly observation: Observation }> = []
      const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Observation))
      connection.subscribe("kanmon.checks.>", {
        callback: (_error, message) => {
          assert.strictEqual(message.headers?.get("ce-type"), "kanmon.check.observed")
          assert.strictEqual(message.headers?.get("ce-specversion"), "1.0")
          heard.push({
            subject: message.subject,
            id: message.headers!.get("ce-id"),
            observation: decode(message.string())
          })
        }
      })
      yield* Effect.promise(() => connection.flush())

      const ada = yield* product.signUp
      const made = yield* Effect.forEach(Array.from({ length: 5 }), (_, index) =>
        ada.call("POST", "/monitors", {
          name: `M${index}`,
          type: "http",
          url: `http://127.0.0.1:${port}/${index}`,
          interval: 10
        })
      )
      const stored = Effect.map(
        Effect.forEach(made, ({ body }) => ada.call("GET", `/monitors/${body.id}/response-times`)),
        (answers) => answers.flatMap(({ body }) => body as ReadonlyArray<{ readonly timestamp: string }>)
      )
      const points = yield* eventually(stored, (all) => all.length >= 10, 40)
      const times = new Set(heard.map(({ observation }) => new Date(observation.checkedAt).toISOString()))
      for (const { timestamp } of points) assert.isTrue(times.has(timestamp), timestamp)
      assert.strictEqual(new Set(heard.map(({ id }) => id)).size, heard.length, "each id once")
      for (const { observation, subject } of heard) {
        assert.match(
          subject,
          new RegExp(`^kanmon\\.checks\\.\\d+\\.eu-west\\.${ada.projectId}\\.${observation.monitorId}$`)
        )
      }

      // Whoever comes late reads the stream from its beginning.
      const consumer = yield* Effect.promise(() =>
        jetstream(connection).consumers.get("KANMON_EVENTS", {
          filter_subjects: `kanmon.events.${ada.projectId}.monitor.${made[0]!.body.id}.*`
        })
      )
      const replayed = yield* Effect.promise(async () => {
        const types: Array<string> = []
        for await (const message of await consumer.fetch({ max_messages: 2, expires: 10_000 }))
          types.push(message.headers!.get("ce-type"))
        return types
      })
      assert.deepStrictEqual(replayed, ["kanmon.monitor.created", "kanmon.monitor.up"])
    }).pipe(Effect.scoped),
  120_000
)
