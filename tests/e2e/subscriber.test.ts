/** A stranger with a NATS client sees every observation of a running product, and every event; one with a key, the project's. */
import { assert, it } from "@effect/vitest"
import { Observation } from "@kanmon/domain/Observation"
import { jetstream } from "@nats-io/jetstream"
import { Effect, Schema } from "effect"
import { checkNow } from "../support/Checks.ts"
import * as EventReader from "../support/EventReader.ts"
import * as NatsServer from "../support/NatsServer.ts"
import { eventually, make } from "../support/Product.ts"
import { join } from "../support/ProductNats.ts"
import * as SharedProduct from "../support/SharedProduct.ts"
import * as WebTarget from "../support/WebTarget.ts"

it.live.skipIf(NatsServer.skipped)(
  `shows a NATS subscriber every observation, and lets it replay the events${NatsServer.note}`,
  () =>
    Effect.gen(function* () {
      const { port } = yield* WebTarget.make
      const product = yield* SharedProduct.product
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
          interval: 3600
        })
      )
      const stored = Effect.map(
        Effect.forEach(made, ({ body }) => ada.call("GET", `/monitors/${body.id}/response-times`)),
        (answers) => answers.flatMap(({ body }) => body as ReadonlyArray<{ readonly timestamp: string }>)
      )
      for (let round = 0; round < 2; round++) yield* Effect.forEach(made, ({ body }) => checkNow(ada, body.id))
      const points = yield* eventually(stored, (all) => all.length >= 10)
      const own = () => heard.filter(({ observation }) => observation.projectId === ada.projectId)
      const unheard = Effect.sync(() => {
        const times = new Set(own().map(({ observation }) => new Date(observation.checkedAt).toISOString()))
        return points.filter(({ timestamp }) => !times.has(timestamp))
      })
      yield* eventually(unheard, (all) => all.length === 0)
      assert.strictEqual(new Set(own().map(({ id }) => id)).size, own().length, "each id once")
      for (const { observation, subject } of own()) {
        assert.match(
          subject,
          new RegExp(`^kanmon\\.checks\\.\\d+\\.eu-west\\.${ada.projectId}\\.${observation.monitorId}$`)
        )
      }

      // A late subscriber reads the stream from its beginning.
      const consumer = yield* Effect.promise(() =>
        jetstream(connection).consumers.get("KANMON_EVENTS", {
          filter_subjects: `kanmon.events.${ada.projectId}.monitor.${made[0]!.body.id}.*`
        })
      )
      const replayed = yield* Effect.promise(async () => {
        const types: Array<string> = []
        for await (const message of await consumer.fetch({ max_messages: 2, expires: 240_000 }))
          types.push(message.headers!.get("ce-type"))
        return types
      })
      assert.deepStrictEqual(replayed, ["kanmon.monitor.created", "kanmon.monitor.up"])
    }).pipe(Effect.scoped)
)

it.live.skipIf(NatsServer.skipped)(`lets HTTP readers resume after a restart${NatsServer.note}`, () =>
  Effect.gen(function* () {
    const product = yield* make()
    yield* product.healthy
    const ada = yield* product.signUp
    const open = (lastEventId?: string) =>
      EventReader.open(`${product.base}/events?types=kanmon.monitor.*`, {
        "x-api-key": ada.key,
        ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId })
      })
    const seeing = yield* open()
    // It reads nothing before the product stops, and must not miss what it has not seen.
    const { lastEventId } = yield* open()
    const made = yield* ada.call("POST", "/monitors", {
      name: "Nightly",
      type: "heartbeat",
      interval: 3600
    })
    const [created] = yield* seeing.take(1)
    assert.deepStrictEqual([created!.type, created!.event.subject], ["kanmon.monitor.created", made.body.id])

    assert.strictEqual(yield* product.stop(), "0")
    assert.deepStrictEqual(yield* seeing.rest, { events: [], end: "ended" })
    yield* product.start
    yield* product.healthy
    yield* ada.call("PATCH", `/monitors/${made.body.id}`, { name: "Weekly" })
    const [updated] = yield* (yield* open(seeing.lastEventId())).take(1)
    assert.deepStrictEqual([updated!.type, updated!.event.data.name], ["kanmon.monitor.updated", "Weekly"])
    const both = yield* (yield* open(lastEventId())).take(2)
    assert.deepStrictEqual(both, [created!, updated!])

    // All that changes a list of monitors arrives, by key and by session, also after a break in the middle.
    const stream = `${product.base}/events`
    const at = seeing.lastEventId()
    const byKey = yield* EventReader.open(`${stream}?types=kanmon.monitor.*`, {
      "x-api-key": ada.key,
      "last-event-id": at
    })
    const bySession = yield* EventReader.open(
      `${stream}?types=kanmon.monitor.*&project=${ada.projectId}&lastEventId=${at}`,
      { cookie: ada.cookie }
    )
    const route = `/monitors/${made.body.id}`
    yield* ada.call("PATCH", route, { tags: ["nightly"] })
    for (const [signal, status] of [
      ["", "up"],
      ["/fail", "down"]
    ] as const) {
      yield* product.call("POST", `${made.body.heartbeatUrl}${signal}`)
      yield* eventually(ada.call("GET", route), ({ body }) => body.status === status)
    }
    yield* ada.call("PATCH", route, { paused: true })
    yield* ada.call("PATCH", route, { paused: false })
    yield* ada.call("DELETE", route)
    const until = (reader: EventReader.EventReader, type: string): Effect.Effect<ReadonlyArray<EventReader.Heard>> =>
      Effect.flatMap(reader.take(1), (one) =>
        one[0]!.type === type ? Effect.succeed(one) : Effect.map(until(reader, type), (more) => [...one, ...more])
      )
    const whole = yield* until(byKey, "kanmon.monitor.deleted")
    const first = yield* bySession.take(3)
    yield* bySession.hangUp
    const resumed = yield* EventReader.open(`${stream}?types=kanmon.monitor.*`, {
      cookie: ada.cookie,
      "kanmon-project": ada.projectId,
      "last-event-id": bySession.lastEventId()
    })
    assert.deepStrictEqual([...first, ...(yield* until(resumed, "kanmon.monitor.deleted"))], whole)
    const types = whole.map(({ type }) => type.replace("kanmon.monitor.", ""))
    assert.includeMembers(types, ["updated", "up", "down", "paused", "resumed", "deleted"])
    assert.deepStrictEqual(
      whole.map(({ event }) => event.subject),
      whole.map(() => made.body.id)
    )
    const stranger = yield* product.signUp
    const refused = yield* EventReader.ask(`${stream}?project=${ada.projectId}`, { cookie: stranger.cookie })
    assert.strictEqual(refused, 404)
  }).pipe(Effect.scoped)
)
