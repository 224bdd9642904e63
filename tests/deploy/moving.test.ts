/** An installation moves from the embedded servers to servers of its operator, and nobody who uses it notices. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import * as EmbeddedNats from "@kanmon/bus/EmbeddedNats"
import * as NatsBus from "@kanmon/bus/NatsBus"
import { EventBus } from "@kanmon/core/EventBus"
import { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import { message } from "@kanmon/domain/ObservationMessage"
import { phase, slotOf } from "@kanmon/domain/Slots"
import { checksStream } from "@kanmon/domain/Subjects"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import * as Folder from "../support/Folder.ts"
import { kanmon } from "../support/Kanmon.ts"
import { Nats } from "../support/Nats.ts"
import * as NatsServer from "../support/NatsServer.ts"
import { type Client, eventually, make } from "../support/Product.ts"
import * as Receiver from "../support/Receiver.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import * as WebTarget from "../support/WebTarget.ts"

const secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3"
const minute = 60_000
/** The longest interval, in seconds. */
const day = 86_400
/** Its address stays, by which browsers know its cookies. */
const settings = { KANMON_REGIONS: "eu-west,us-east", KANMON_BASE_URL: "http://kanmon.example" }

/** An observation that reached the bus after the last engine had stopped. */
const leaveUnevaluated = (dataDirectory: string, monitorId: string, projectId: string, at: number) =>
  Effect.gen(function* () {
    const binary = yield* EmbeddedNats.find(NatsServer.searchPath)
    const { token, url } = yield* EmbeddedNats.start(binary!, dataDirectory)
    const observed = message(
      {
        monitorId: MonitorId.make(monitorId),
        projectId: ProjectId.make(projectId),
        region: "eu-west",
        slot: slotOf(at, phase(monitorId, 10_000), 10_000),
        scheduledAt: at,
        checkedAt: at,
        status: "up",
        responseTime: 123.5,
        timing: {},
        failure: null,
        facts: {}
      },
      10_000
    )
    yield* Effect.gen(function* () {
      const bus = yield* EventBus
      yield* bus.ensureStream(checksStream)
      yield* bus.publish([observed])
    }).pipe(Effect.provide(NatsBus.layer({ url, token, description: "the stopped product's" })))
  }).pipe(Effect.scoped)

/** What people and programs read, as text. */
const read = Effect.fnUntraced(function* (client: Client, monitorIds: ReadonlyArray<string>, until: string) {
  const routes = [
    "/incidents",
    "/status-pages",
    "/notification-channels",
    "/alert-rules",
    "/alert-history",
    ...monitorIds.flatMap((id) => [
      `/monitors/${id}/stats`,
      `/monitors/${id}/daily-uptime`,
      `/monitors/${id}/response-times?to=${until}`
    ])
  ]
  const answers: Record<string, unknown> = {}
  for (const route of routes) {
    const { body, status } = yield* client.call("GET", route)
    assert.strictEqual(status, 200, `${route}: ${JSON.stringify(body)}`)
    answers[route] = body
  }
  return answers
})

describe.skipIf(NatsServer.skipped)(`moving${NatsServer.note}`, () => {
  it.live("keeps accounts, keys, secrets, history and unevaluated observations, and continues to check", () =>
    Effect.gen(function* () {
      const web = yield* WebTarget.make
      const receiver = yield* Receiver.make
      const old = yield* make({ ownDatabase: true, env: { ...settings } })
      yield* old.healthy
      const ada = yield* old.signUp
      const channel = yield* ada.call("POST", "/notification-channels", {
        name: "Hook",
        type: "webhook",
        config: { url: receiver.url, secret }
      })
      yield* ada.call("POST", "/alert-rules", {
        name: "Down",
        channelIds: [channel.body.id],
        trigger: "monitor_down"
      })
      const monitor = (name: string, url: string, interval: number) =>
        Effect.map(
          ada.call("POST", "/monitors", { name, type: "http", url, interval, regions: ["eu-west"] }),
          ({ body }) => body.id as string
        )
      // Checked once, when they are made: a further check under way would belong to neither reading.
      const up = yield* monitor("Up", `http://127.0.0.1:${web.port}/`, day)
      const down = yield* monitor("Down", "http://127.0.0.1:9/", day)
      const late = yield* monitor("Late", `http://127.0.0.1:${web.port}/late`, 10)
      yield* ada.call("POST", "/incidents", {
        title: "Slow",
        status: "investigating",
        message: "We look",
        monitorIds: [up]
      })
      yield* ada.call("POST", "/status-pages", { name: "Shop", slug: `moved-${old.pid()}`, monitorIds: [up, down] })
      const hasDelivered = ({ body }: { readonly body: any }) => body[0]?.status === "delivered"
      yield* eventually(ada.call("GET", "/alert-history"), hasDelivered)
      yield* eventually(ada.call("GET", `/monitors/${up}`), ({ body }) => body.status === "up")
      for (const id of [up, down, late]) yield* ada.call("PATCH", `/monitors/${id}`, { paused: true })
      const stopped = Date.now() + 1000
      const before = yield* read(ada, [up, down], new Date(stopped).toISOString())
      assert.strictEqual(yield* old.stop(), "0")
      yield* leaveUnevaluated(old.dataDirectory, late, ada.projectId, stopped + 1000)

      const file = path.join(yield* Folder.make(), "kanmon.export")
      const here = { PATH: NatsServer.searchPath, KANMON_DATA_DIR: old.dataDirectory }
      const exported = yield* kanmon(["export", file], here)
      assert.strictEqual(exported.code, 0, exported.output)
      assert.include(exported.output, "and 1 observation not yet evaluated")

      const servers = {
        DATABASE_URL: Redacted.value(yield* TestDatabase.empty),
        KANMON_SECRET: yield* Effect.promise(() => fs.readFile(path.join(old.dataDirectory, "secret"), "utf8"))
      }
      const imported = yield* kanmon(["import", file], { ...servers, KANMON_DATA_DIR: yield* Folder.make() })
      assert.strictEqual(imported.code, 0, imported.output)
      const { token, url } = yield* Nats
      const bus = new URL(Redacted.value(url))
      bus.username = Redacted.value(token)
      const fresh = yield* make({ env: { ...servers, NATS_URL: bus.href, ...settings } })
      yield* fresh.healthy

      const again: Client = {
        key: ada.key,
        call: (method, route, body) => fresh.call(method, route, body, { "x-api-key": ada.key })
      }
      assert.deepStrictEqual(yield* read(again, [up, down], new Date(stopped).toISOString()), before)
      const projects = yield* fresh.call("GET", "/projects", undefined, { cookie: ada.cookie })
      assert.strictEqual(projects.body[0].apiKey, ada.key)

      // What was not evaluated there is evaluated here.
      const points = again.call(
        "GET",
        `/monitors/${late}/response-times?to=${new Date(stopped + 2 * minute).toISOString()}`
      )
      yield* eventually(points, ({ body }) => JSON.stringify(body).includes("123.5"))

      yield* again.call("POST", `/notification-channels/${channel.body.id}/test`)
      const told = receiver.received.at(-1)!
      assert.strictEqual(told.body.event, "test")
      assert.match(told.headers["webhook-signature"]!, /^v1,/)

      const overIt = yield* kanmon(["import", file], { ...servers, KANMON_DATA_DIR: yield* Folder.make() })
      assert.deepStrictEqual([overIt.code, /A Kanmon server uses this database/.test(overIt.output)], [1, true])

      yield* again.call("PATCH", `/monitors/${up}`, { paused: false, interval: 10 })
      const resumed = Date.now()
      yield* eventually(
        again.call("GET", `/monitors/${up}`),
        ({ body }) => body.status === "up" && Date.parse(body.lastCheckedAt) > resumed
      )
    }).pipe(Effect.provide(Nats.layer), Effect.provide(SecureRandom.layerWebCrypto), Effect.scoped)
  )
})
