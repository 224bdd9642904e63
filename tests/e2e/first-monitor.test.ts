/** A new user's first minutes: sign up, read the key, create monitors, read their status. With both buses. */
import { createServer as createTcpServer } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import * as NatsServer from "../support/NatsServer.ts"
import { checkedAs } from "../support/Checks.ts"
import { eventually, make } from "../support/Product.ts"
import * as WebTarget from "../support/WebTarget.ts"

const acceptor: Effect.Effect<number, never, Scope.Scope> = Effect.acquireRelease(
  Effect.callback<{ port: number; close: () => void }>((resume) => {
    const server = createTcpServer((socket) => socket.end())
    server.listen(0, "127.0.0.1", () =>
      resume(Effect.succeed({ port: (server.address() as { port: number }).port, close: () => void server.close() }))
    )
  }),
  ({ close }) => Effect.sync(close)
).pipe(Effect.map(({ port }) => port))

describe.each([
  // Without an installed nats-server, the product uses the in-process bus.
  { bus: NatsServer.skipped ? "unasked in-process" : "NATS", withoutNats: false },
  { bus: "in-process", withoutNats: true }
])("a new user, $bus bus", ({ withoutNats }) => {
  it.live("signs up, creates http, tcp, dns and ping monitors, and reads correct statuses", () =>
    Effect.gen(function* () {
      const web = yield* WebTarget.make
      const port = yield* acceptor
      const product = yield* make({ ownDatabase: true, withoutNats })
      yield* product.healthy
      const health = yield* product.call("GET", "/health")
      assert.strictEqual(health.body.status, "ok")

      const ada = yield* product.signUp
      assert.match(ada.key, /^km_[0-9A-Za-z]{40,44}$/)

      const create = (body: unknown) => ada.call("POST", "/monitors", body)
      const http = yield* create({ name: "Web", type: "http", url: `http://127.0.0.1:${web.port}/`, interval: 10 })
      assert.strictEqual(http.status, 201, JSON.stringify(http.body))
      const tcp = yield* create({ name: "Port", type: "tcp", host: "127.0.0.1", port, interval: 10 })
      const ping = yield* create({ name: "Ping", type: "ping", host: "127.0.0.1", interval: 10 })
      const dns = yield* create({ name: "Name", type: "dns", hostname: "localhost.invalid", interval: 10 })
      assert.deepStrictEqual([tcp.status, ping.status, dns.status], [201, 201, 201])

      const stands = (id: string) => Effect.map(ada.call("GET", `/monitors/${id}`), ({ body }) => body.status as string)
      yield* eventually(stands(http.body.id), (status) => status === "up")
      yield* eventually(stands(tcp.body.id), (status) => status === "up")
      // Nothing listens on port 80 of this machine's loopback, or something does: either way it is told.
      yield* eventually(stands(ping.body.id), (status) => status === "down" || status === "up")

      const stats = yield* ada.call("GET", `/monitors/${http.body.id}/stats`)
      assert.strictEqual(stats.body.status, "up")
      assert.isAbove(stats.body.avgResponseTime, 0)
      const times = yield* ada.call("GET", `/monitors/${http.body.id}/response-times`)
      assert.strictEqual(times.body[0].region, "eu-west")

      web.status = 503
      yield* checkedAs(ada, http.body.id, "down")
      const paused = yield* ada.call("PATCH", `/monitors/${http.body.id}`, { paused: true })
      assert.strictEqual(paused.body.status, "paused")
      web.status = 200
      yield* ada.call("PATCH", `/monitors/${http.body.id}`, { paused: false })
      yield* checkedAs(ada, http.body.id, "up")

      const uptime = yield* eventually(
        Effect.map(
          ada.call("GET", `/monitors/${http.body.id}/daily-uptime`),
          ({ body }) => body as Array<{ uptime: number }>
        ),
        (days) => days.length > 0
      )
      assert.isBelow(uptime[0]!.uptime, 100)

      const gone = yield* ada.call("DELETE", `/monitors/${http.body.id}`)
      assert.deepStrictEqual(gone.body, { id: http.body.id, deleted: true })
      assert.strictEqual((yield* ada.call("GET", `/monitors/${http.body.id}`)).status, 404)

      assert.strictEqual(yield* product.stop("SIGTERM"), "0")
      assert.notInclude(product.output(), ada.key)
    }).pipe(Effect.scoped)
  )
})
