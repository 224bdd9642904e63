/** The worked plugins of the guide, in the running product, loaded from a folder that is no part of this workspace. */
import * as fs from "node:fs/promises"
import { createServer } from "node:net"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import * as Folder from "../support/Folder.ts"
import { kanmonProcess } from "../support/Kanmon.ts"
import { checkedAs } from "../support/Checks.ts"
import { eventually, make } from "../support/Product.ts"
import * as Receiver from "../support/Receiver.ts"

const examples = path.resolve(import.meta.dirname, "../../docs/examples/plugins")

/** The examples where nothing of this repository is near. */
const copied = Effect.gen(function* () {
  const folder = yield* Folder.make()
  yield* Effect.promise(() => fs.cp(examples, folder, { recursive: true }))
  return {
    folder,
    env: { KANMON_PLUGINS: ["check-redis-ping", "notify-rocketchat"].map((name) => path.join(folder, name)).join(",") }
  }
})

interface Redis {
  readonly port: number
  answer: string
}

/** Says what it is told to say to whatever it is asked. */
const redis: Effect.Effect<Redis, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.callback<{ readonly redis: Redis; readonly close: () => void }>((resume) => {
      const server = createServer((socket) => {
        socket.on("error", () => undefined)
        socket.on("data", () => void socket.write(redis.answer))
      })
      const redis = { port: 0, answer: "+PONG\r\n" }
      server.listen(0, "127.0.0.1", () => {
        redis.port = (server.address() as { readonly port: number }).port
        resume(Effect.succeed({ redis, close: () => void server.close() }))
      })
    }),
    ({ close }) => Effect.sync(close)
  ),
  (made) => made.redis
)

describe("third-party plugins", () => {
  it.live("checks and notifies like built-in plugins", () =>
    Effect.gen(function* () {
      const { env, folder } = yield* copied
      const target = yield* redis
      const receiver = yield* Receiver.make
      const product = yield* make({ env, withoutNats: true })
      yield* product.healthy
      const ada = yield* product.signUp

      const { body: plugins } = yield* ada.call("GET", "/plugins")
      const outside = plugins.filter(({ origin }: any) => origin === "outside")
      assert.deepStrictEqual(
        outside.map(({ name, status, checks, channels }: any) => [
          name,
          status,
          [...checks, ...channels].map(({ type }: any) => type)
        ]),
        [
          ["check-redis-ping", "loaded", ["redis-ping"]],
          ["notify-rocketchat", "loaded", ["rocketchat"]]
        ]
      )
      assert.notInclude(JSON.stringify(plugins), folder)

      const { schemas } = (yield* ada.call("GET", "/openapi.json")).body.components
      const { password, username } = schemas["MonitorRequest.redis-ping"].properties
      assert.isDefined(password)
      assert.deepStrictEqual(username["x-shown-when"], { field: "password" })
      assert.isTrue(schemas["NotificationChannelRequest.rocketchat"].properties.config.properties.webhookUrl.writeOnly)

      const channel = yield* ada.call("POST", "/notification-channels", {
        name: "Operations",
        type: "rocketchat",
        config: { webhookUrl: receiver.url }
      })
      assert.strictEqual(channel.status, 201, JSON.stringify(channel.body))
      assert.match(channel.body.config.webhookUrl, /^••••/)
      const tested = yield* ada.call("POST", `/notification-channels/${channel.body.id}/test`)
      assert.strictEqual(tested.status, 200, JSON.stringify(tested.body))
      assert.isString(receiver.received[0]!.body.text)

      const misspelt = { name: "Cache", type: "redis-ping", host: "127.0.0.1", prot: target.port, interval: 3600 }
      const refusal = yield* ada.call("POST", "/monitors", misspelt)
      assert.deepStrictEqual([refusal.status, refusal.body.errors[0].path], [422, "prot"])
      const monitor = yield* ada.call("POST", "/monitors", {
        name: "Cache",
        type: "redis-ping",
        host: "127.0.0.1",
        port: target.port,
        interval: 3600
      })
      assert.strictEqual(monitor.status, 201, JSON.stringify(monitor.body))
      yield* ada.call("POST", "/alert-rules", { name: "Down", channelIds: [channel.body.id] })
      yield* checkedAs(ada, monitor.body.id, "up")

      target.answer = "-LOADING Redis is loading the dataset in memory\r\n"
      yield* checkedAs(ada, monitor.body.id, "down")
      const told = yield* eventually(
        Effect.sync(() => receiver.received.map(({ body }) => JSON.stringify(body))),
        (all) => all.length > 1
      )
      assert.include(told[1]!, "Cache")
      assert.strictEqual(yield* product.stop("SIGTERM"), "0")
    }).pipe(Effect.scoped)
  )

  it.live("appears in the output of doctor", () =>
    Effect.gen(function* () {
      const { env, folder } = yield* copied
      const { output } = yield* kanmonProcess(["doctor"], { ...env, KANMON_DATA_DIR: path.join(folder, "data") })
      assert.include(output, `check-redis-ping from ${folder}/check-redis-ping: the check redis-ping`)
      assert.include(output, `notify-rocketchat from ${folder}/notify-rocketchat: the channel rocketchat`)
    }).pipe(Effect.scoped)
  )
})
