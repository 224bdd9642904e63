/**
 * Every feature in an installation as operators build it: each role in processes of its own, with the NATS user and the
 * settings of its role and no other, two apis, two engines, and four probes in three regions.
 */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { assert, describe, layer } from "@effect/vitest"
import * as Database from "@kanmon/platform/database/Database"
import { dns } from "@kanmon/testkit/DnsTarget"
import { Context, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { instanceId } from "../../apps/server/src/roles/Shared.ts"
import * as EventReader from "../support/EventReader.ts"
import * as Folder from "../support/Folder.ts"
import * as Installation from "../support/Installation.ts"
import { kanmon } from "../support/Kanmon.ts"
import * as NatsServer from "../support/NatsServer.ts"
import { eventually } from "../support/Product.ts"
import * as Receiver from "../support/Receiver.ts"
import { RoledNats } from "../support/RoledNats.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import * as WebTarget from "../support/WebTarget.ts"

/** The installation, with Ada's project in it: a shop, the webhook that is told of it, and who listens to what happens. */
const stage = Effect.gen(function* () {
  const installation = yield* Installation.start
  const { apis, bus, database } = installation
  const [first, second] = apis
  const ada = yield* first.signUp
  const shop = yield* WebTarget.make
  const receiver = yield* Receiver.make
  const subscriber = yield* bus.join("subscriber")
  const heard: Array<{ readonly subject: string; readonly payload: any }> = []
  for (const subjects of ["kanmon.checks.>", "kanmon.events.>"])
    subscriber.subscribe(subjects, {
      callback: (_error, message) => void heard.push({ subject: message.subject, payload: message.json() })
    })
  const stream = yield* EventReader.open(`${second.base}/events`, { "x-api-key": ada.key })
  const create = (route: string, body: object) =>
    Effect.map(ada.call("POST", route, body), (made) => {
      assert.strictEqual(made.status, 201, JSON.stringify(made.body))
      return made.body
    })
  const web = { type: "http", url: `http://127.0.0.1:${shop.port}/`, interval: 10, timeout: 5 }
  const sql = yield* SqlClient.SqlClient.pipe(
    Effect.provide(yield* Layer.build(Database.layer(Redacted.make(database), { maxConnections: 1 })))
  )
  return {
    ...installation,
    ada,
    shop,
    receiver,
    heard,
    stream,
    create,
    sql,
    web,
    monitor: yield* create("/monitors", { name: "Shop", ...web }),
    channel: yield* create("/notification-channels", { name: "Hook", type: "webhook", config: { url: receiver.url } }),
    /** Asked of the other api than the one that changes things. */
    look: (id: string) =>
      Effect.map(second.call("GET", `/monitors/${id}`, undefined, { "x-api-key": ada.key }), ({ body }) => body)
  }
})

class Stage extends Context.Service<Stage, Effect.Success<typeof stage>>()("@kanmon/tests/e2e/installation/Stage") {
  static readonly layer = Layer.effect(Stage, stage).pipe(
    Layer.provide(RoledNats.layer([...Installation.regions])),
    Layer.provide(SecureRandom.layerWebCrypto)
  )
}

const kill = (member: Installation.Member) => member.stop("SIGKILL")

describe.skipIf(NatsServer.skipped)(`an installation with a NATS user for each role${NatsServer.note}`, () => {
  layer(Stage.layer, { timeout: "10 minutes", excludeTestServices: true })((it) => {
    it.effect("checks monitors of every type from every region: scheduled, on demand, and before saving", () =>
      Effect.gen(function* () {
        const { ada, create, look, monitor, shop, web } = yield* Stage
        const { server } = yield* dns(() => [{ type: "A", name: "shop.example", data: "192.0.2.7" }])
        const host = { host: "127.0.0.1", interval: 10, timeout: 5 }
        const tcp = { type: "tcp", ...host, port: shop.port }
        const all = [
          monitor,
          yield* create("/monitors", { name: "Port", ...tcp }),
          yield* create("/monitors", {
            name: "Name",
            type: "dns",
            interval: 10,
            timeout: 5,
            hostname: "shop.example",
            recordType: "A",
            expectedValue: "192.0.2.7",
            resolver: server
          }),
          yield* create("/monitors", { name: "Host", type: "ping", ...host }),
          yield* create("/monitors", { name: "Cache", type: "redis-ping", ...host, port: shop.port }),
          yield* create("/monitors", { name: "Here", ...web, regions: ["ap-south"] })
        ]
        for (const { id, type } of all) {
          // Nobody here answers a ping or speaks Redis.
          const status = type.endsWith("ping") ? "down" : "up"
          yield* eventually(look(id), (now) => now.status === status)
        }
        const now = yield* ada.call("POST", `/monitors/${monitor.id}/check`)
        const rows = now.body.regions.map((row: any) => [row.region, row.status])
        assert.deepStrictEqual(
          rows,
          Installation.regions.map((region) => [region, "up"])
        )
        const trial = yield* ada.call("POST", "/monitors/test", { name: "Port", ...tcp, regions: ["us-east"] })
        assert.deepStrictEqual([trial.status, trial.body.status, trial.body.regions.length], [200, "up", 1])
        const { body: times } = yield* ada.call("GET", `/monitors/${all.at(-1).id}/response-times`)
        assert.deepStrictEqual([...new Set(times.map((row: any) => row.region))], ["ap-south"])
      })
    )

    it.effect("accepts heartbeats at every API, evaluates them, and detects missed ones", () =>
      Effect.gen(function* () {
        const { ada, apis, create, heard, look } = yield* Stage
        const job = yield* create("/monitors", { name: "Backup", type: "heartbeat", interval: 10, grace: 1 })
        const address = new URL(job.heartbeatUrl).pathname.replace("/api/v1", "")
        const signal = (suffix: string, body?: object) => apis[1].call(body ? "POST" : "GET", address + suffix, body)
        assert.strictEqual((yield* look(job.id)).status, "pending")
        yield* signal("/start?rid=one")
        assert.strictEqual((yield* signal("?rid=one", { metrics: { rows: 12 } })).status, 200)
        const up = yield* eventually(look(job.id), ({ status }) => status === "up")
        assert.isNotNull(up.lastCheckedAt)
        yield* signal("/fail")
        yield* eventually(look(job.id), ({ status }) => status === "down")
        yield* signal("")
        yield* eventually(look(job.id), ({ status }) => status === "up")
        const [metrics] = (yield* ada.call("GET", `/monitors/${job.id}/heartbeat-metrics`)).body
        assert.deepStrictEqual(metrics.metrics, { rows: 12 })
        const missed = yield* eventually(
          Effect.sync(() => heard.find(({ payload }) => payload.failure?.code === "heartbeat_missed")),
          (found) => found !== undefined
        )
        assert.include(missed!.subject, `.${job.id}`)
        const own = heard.filter(({ subject }) => subject.includes(`.heartbeat-inbox.${ada.projectId}.${job.id}`))
        assert.isAtLeast(own.length, 4, "subscribers see every observation")
        const { body } = yield* apis[0].call("GET", "/health")
        assert.deepInclude(body, { outbox: "ok", refusals: [] })
      })
    )

    it.effect("opens and ends alerts through built-in and plugin channels", () =>
      Effect.gen(function* () {
        const { ada, channel, create, heard, monitor, receiver, shop, stream } = yield* Stage
        const chat = yield* create("/notification-channels", {
          name: "Chat",
          type: "rocketchat",
          config: { webhookUrl: receiver.url.replace("/hook", "/hook/chat") }
        })
        for (const { id } of [channel, chat])
          assert.strictEqual((yield* ada.call("POST", `/notification-channels/${id}/test`)).status, 200)
        yield* create("/alert-rules", {
          name: "Down",
          trigger: "monitor_down",
          monitorIds: [monitor.id],
          channelIds: [channel.id, chat.id]
        })
        const told = (event: string) =>
          eventually(
            Effect.sync(() => receiver.received),
            (all) => all.some(({ body }) => body.event === event)
          )
        shop.status = 500
        yield* ada.call("POST", `/monitors/${monitor.id}/check`)
        yield* told("monitor_down")
        yield* eventually(
          Effect.sync(() => receiver.received),
          (all) => all.filter((one) => one.path === "/chat").length === 2
        )
        shop.status = 200
        yield* ada.call("POST", `/monitors/${monitor.id}/check`)
        yield* told("monitor_up")
        for (const name of ["monitor.down", "alert.triggered", "alert.delivered", "alert.resolved"])
          yield* eventually(
            Effect.sync(() => heard.some(({ subject }) => subject.endsWith(name.slice(name.indexOf("."))))),
            (found) => found
          )
        const types: Array<string> = []
        while (!types.includes("kanmon.alert.resolved")) types.push((yield* stream.take(1))[0]!.type)
        assert.include(types, "kanmon.monitor.down")
      })
    )

    it.effect("serves maintenance and status pages at every API", () =>
      Effect.gen(function* () {
        const { apis, create, look, web } = yield* Stage
        const monitor = yield* create("/monitors", { name: "Storefront", ...web })
        yield* create("/status-pages", { name: "Acme", slug: "acme", monitorIds: [monitor.id] })
        const now = Date.now()
        yield* create("/incidents", {
          title: "New disks",
          message: "Back soon",
          maintenance: true,
          monitorIds: [monitor.id],
          scheduledStart: new Date(now - 1000).toISOString(),
          scheduledEnd: new Date(now + 3_600_000).toISOString()
        })
        yield* eventually(look(monitor.id), ({ status }) => status === "maintenance")
        for (const api of apis) {
          const site = api.base.replace("/api/v1", "/status/acme")
          yield* eventually(api.call("GET", site), ({ body }) => body.includes("New disks"))
          const { body, status } = yield* api.call("GET", "/public/status-pages/acme")
          assert.deepStrictEqual([status, body.name], [200, "Acme"])
          const badge = yield* api.call("GET", `${site}/badge/status.svg`)
          assert.include(badge.headers.get("content-type"), "image/svg+xml")
        }
      })
    )

    it.effect("exports to an empty installation", () =>
      Effect.gen(function* () {
        const { bus, common, database } = yield* Stage
        const folder = yield* Folder.make()
        const file = path.join(folder, "all.kanmon")
        const env = { ...common, KANMON_DATA_DIR: path.join(folder, "data") }
        const exported = yield* kanmon(["export", file], { ...env, NATS_URL: bus.urlOf("engine") })
        assert.strictEqual(exported.code, 0, exported.output)
        const empty = Redacted.value(yield* TestDatabase.empty)
        assert.notStrictEqual(empty, database)
        const imported = yield* kanmon(["import", file], { ...env, DATABASE_URL: empty })
        assert.strictEqual(imported.code, 0, imported.output)
        assert.include(imported.output, "Imported")
        assert.isAbove((yield* Effect.promise(() => fs.stat(file))).size, 1000)
      }).pipe(Effect.provide(SecureRandom.layerWebCrypto))
    )

    it.effect("checks on demand after a probe was killed, once another has taken over", () =>
      Effect.gen(function* () {
        const { ada, create, probes, web } = yield* Stage
        const monitors = yield* Effect.forEach(
          [1, 2, 3, 4],
          (index) => create("/monitors", { name: `Shop ${index}`, ...web, regions: ["eu-west"] }),
          { concurrency: 4 }
        )
        const [victim] = probes["eu-west"]
        yield* kill(victim!)
        // Whosever they were: all are asked while nobody says that the victim is gone.
        const answers = yield* Effect.forEach(monitors, ({ id }) => ada.call("POST", `/monitors/${id}/check`), {
          concurrency: "unbounded"
        })
        for (const { body, status } of answers) {
          assert.strictEqual(status, 200, JSON.stringify(body))
          assert.strictEqual(body.regions[0].status, "up")
        }
        const trials = yield* Effect.forEach([1, 2], () =>
          ada.call("POST", "/monitors/test", { name: "Shop", ...web, regions: ["eu-west"] })
        )
        for (const { status } of trials) assert.strictEqual(status, 200)
        yield* victim!.start
      })
    )

    it.effect("delivers what an engine had begun to send when it was killed, by the other engine", () =>
      Effect.gen(function* () {
        const { ada, channel, create, engines, receiver, shop, sql, web } = yield* Stage
        const till = yield* create("/monitors", { name: "Till", ...web })
        yield* create("/alert-rules", {
          name: "Till",
          trigger: "monitor_down",
          monitorIds: [till.id],
          channelIds: [channel.id]
        })
        yield* ada.call("POST", `/monitors/${till.id}/check`)
        receiver.hold()
        shop.status = 500
        yield* ada.call("POST", `/monitors/${till.id}/check`)
        const sent = () => receiver.received.filter(({ body }) => body.monitor?.id === till.id)
        const [held] = yield* eventually(Effect.sync(sent), (all) => all.length === 1)
        const [lease] = yield* sql<{ by: string }>`SELECT leased_by AS by FROM channels WHERE id = ${channel.id}`
        const holder = engines.find(({ dataDirectory }) => instanceId(dataDirectory, "engine") === lease!.by)
        assert.isDefined(holder)
        yield* kill(holder!)
        receiver.answer(200)
        const [, again] = yield* eventually(Effect.sync(sent), (all) => all.length === 2)
        assert.strictEqual(again!.body.id, held!.body.id)
        const other = engines.find((engine) => engine !== holder)
        const [next] = yield* sql<{ by: string }>`SELECT leased_by AS by FROM channels WHERE id = ${channel.id}`
        assert.include([instanceId(other!.dataDirectory, "engine"), null], next!.by)
        shop.status = 200
        yield* holder!.start
      })
    )

    it.effect("keeps a region without probes, and checks its monitors when a probe returns", () =>
      Effect.gen(function* () {
        const { ada, apis, common, create, look, probes, sql, web } = yield* Stage
        const [only] = probes["us-east"]
        yield* kill(only!)
        yield* eventually(apis[0].call("GET", "/health"), ({ body }) => body.probes["us-east"] === undefined)
        const monitor = yield* create("/monitors", { name: "East", ...web, regions: ["us-east"] })
        const renamed = yield* ada.call("PATCH", `/monitors/${monitor.id}`, { name: "Far east" })
        assert.strictEqual(renamed.status, 200)
        const region = (...args: ReadonlyArray<string>) => kanmon(["region", ...args], common)
        // However long the command takes to start, the probe was alive a moment ago.
        yield* sql`UPDATE probe_regions SET last_seen_at = now() + interval '5 minutes' WHERE label = 'us-east'`
        const [listed, closed] = yield* Effect.all([region("list"), region("close", "us-east")], { concurrency: 2 })
        assert.match(listed.output, /us-east +last probe seen/)
        assert.deepInclude(closed, { code: 1 })
        assert.match(closed.output, /A probe of us-east was alive -?\d+ s ago/)
        yield* only!.start
        yield* eventually(look(monitor.id), ({ status }) => status === "up")
      })
    )

    it.effect("continues without an API, and no user was refused anything", () =>
      Effect.gen(function* () {
        const { ada, apis, engines, monitor, probes, web } = yield* Stage
        const [first, second] = apis
        yield* kill(first)
        const key = { "x-api-key": ada.key }
        assert.strictEqual((yield* second.call("POST", "/monitors", { name: "Late", ...web }, key)).status, 201)
        assert.strictEqual((yield* second.call("POST", `/monitors/${monitor.id}/check`, undefined, key)).status, 200)
        yield* first.start
        yield* first.healthy
        yield* eventually(
          Effect.forEach([...apis, ...engines, ...Object.values(probes).flat()], ({ health }) => health, {
            concurrency: "unbounded"
          }),
          (all) => all.every(({ body }) => body?.bus === "ok" && body.database !== "down" && body.outbox === "ok")
        )
        for (const { output } of [...apis, ...engines, ...Object.values(probes).flat()]) {
          assert.notInclude(output(), "does not let")
        }
      })
    )
  })
})
