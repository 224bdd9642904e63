/** The product's own network and its resolver are taken away under 200 monitors. No customer is paged for that. */
import { createServer, type Server } from "node:http"
import { type AddressInfo } from "node:net"
import { assert, describe, it, layer } from "@effect/vitest"
import * as DnsTarget from "@kanmon/testkit/DnsTarget"
import { Context, Effect, Layer, type Scope } from "effect"
import { type Client, eventually, make, type Product } from "../support/Product.ts"
import * as Receiver from "../support/Receiver.ts"
import * as WebTarget from "../support/WebTarget.ts"

const targets = 200
const address = (index: number): string => `127.1.${Math.floor(index / 100)}.${(index % 100) + 1}`

const metric = (product: Product, name: string) =>
  Effect.map(product.call("GET", new URL("/metrics", product.base).href), ({ body }) =>
    Number(new RegExp(`^${name}(?:\\{.*\\})? (\\d+)$`, "m").exec(body)?.[1] ?? 0)
  )

/** How many scheduled checks the probe has begun. */
const begun = (product: Product) => metric(product, "kanmon_schedule_lag_milliseconds_count")

/** One server behind hundreds of addresses, as a network would be: it can go away and come back with some of them broken. */
const network: Effect.Effect<
  {
    readonly port: number
    readonly away: Effect.Effect<void>
    readonly back: (broken: ReadonlyArray<string>) => Effect.Effect<void>
    /** These hang up from now on, without an answer. */
    readonly close: (closed: ReadonlyArray<string>) => Effect.Effect<void>
  },
  never,
  Scope.Scope
> = Effect.acquireRelease(
  Effect.promise(async () => {
    let broken: ReadonlyArray<string> = []
    let closed: ReadonlyArray<string> = []
    let server: Server | undefined
    const listen = (port: number) =>
      new Promise<void>((resolve) => {
        server = createServer((request, response) => {
          const asked = (host: string) => request.headers.host?.startsWith(`${host}:`)
          if (closed.some(asked)) return void request.socket.destroy()
          response.statusCode = broken.some(asked) ? 500 : 200
          response.end("ok")
        }).listen(port, "0.0.0.0", () => resolve())
      })
    const stop = () =>
      new Promise<void>((resolve) => {
        server?.close(() => resolve())
        server?.closeAllConnections()
        server = undefined
      })
    await listen(0)
    const { port } = server!.address() as AddressInfo
    return {
      port,
      stop,
      away: Effect.promise(stop),
      close: (those: ReadonlyArray<string>) => Effect.sync(() => void (closed = those)),
      back: (those: ReadonlyArray<string>) =>
        Effect.promise(() => {
          broken = those
          return listen(port)
        })
    }
  }),
  ({ stop }) => Effect.promise(stop)
)

// Linux answers on every address of 127.0.0.0/8; other systems on one alone.
describe.skipIf(process.platform !== "linux")("a product whose network goes away", () => {
  it.live("sends no alert while offline, and reports real outages afterwards", () =>
    Effect.gen(function* () {
      let resolves = true
      const dns = yield* DnsTarget.dns((name, type) => {
        if (!resolves) return "silence"
        const index = /^host(\d+)\.shop\.example$/.exec(name)?.[1]
        return type === "A" && index !== undefined
          ? [{ type: "A", name, ttl: 1, data: address(Number(index)) }]
          : "nxdomain"
      })
      const net = yield* network
      const receiver = yield* Receiver.make
      const product = yield* make({
        withoutNats: true,
        env: { KANMON_WRITES_PER_MINUTE: "100000", KANMON_DNS_RESOLVER: dns.server }
      })
      yield* product.healthy
      const ada = yield* product.signUp
      yield* ada.call("POST", "/notification-channels", {
        name: "Hook",
        type: "webhook",
        config: { url: receiver.url }
      })
      yield* ada.call("POST", "/alert-rules", { name: "Down", trigger: "monitor_down" })
      // Half of them by name.
      const host = (index: number) => (index % 2 === 0 ? address(index) : `host${index}.shop.example`)
      yield* Effect.forEach(
        Array.from({ length: targets }),
        (_, index) =>
          ada.call("POST", "/monitors", {
            name: `m${index}`,
            type: "http",
            url: `http://${host(index)}:${net.port}/`,
            interval: 10,
            timeout: 4
          }),
        { concurrency: 16 }
      )
      const standing = (status: string) =>
        Effect.map(ada.call("GET", `/monitors?status=${status}`), ({ body }) => body as ReadonlyArray<any>)
      const connectivity = Effect.map(product.call("GET", "/health"), ({ body }) => body.connectivity as string)
      yield* eventually(standing("up"), (all) => all.length === targets)

      resolves = false
      yield* net.away
      yield* eventually(connectivity, (word) => word === "offline")
      // All are checked twice without a connection.
      const before = yield* begun(product)
      yield* eventually(begun(product), (count) => count >= before + 2 * targets)
      assert.deepStrictEqual(yield* standing("down"), [])
      assert.deepStrictEqual(receiver.received, [])
      assert.include(product.output(), "lost its network connection")

      const broken = [7, 8, 9].map(host)
      resolves = true
      yield* net.back(broken)
      yield* eventually(connectivity, (word) => word === "ok")
      const told = yield* eventually(
        Effect.sync(() => receiver.received.map(({ body }) => `${body.event} ${body.monitor.name}`).sort()),
        (all) => all.length >= 3
      )
      assert.deepStrictEqual(told, ["monitor_down m7", "monitor_down m8", "monitor_down m9"])
      yield* eventually(standing("up"), (all) => all.length === targets - 3)
      assert.strictEqual(receiver.received.length, 3)
    }).pipe(Effect.scoped)
  )
})

/** One product for all tests of targets; each leaves it without monitors. */
class Running extends Context.Service<Running, Product>()("@kanmon/tests/e2e/offline/Running") {
  static readonly layer = Layer.effect(
    Running,
    Effect.tap(
      make({
        withoutNats: true,
        // Each alert counts here, so a burst is not sent as one message.
        env: { KANMON_WRITES_PER_MINUTE: "100000", KANMON_GROUP_ALERTS: "1000" }
      }),
      ({ healthy }) => healthy
    )
  )
}

/** An account that is notified of outages. */
const subscriber = (product: Product) =>
  Effect.gen(function* () {
    const client = yield* product.signUp
    const receiver = yield* Receiver.make
    yield* client.call("POST", "/notification-channels", {
      name: "Hook",
      type: "webhook",
      config: { url: receiver.url }
    })
    yield* client.call("POST", "/alert-rules", { name: "Down", trigger: "monitor_down" })
    const status = (expected: string) =>
      Effect.map(client.call("GET", `/monitors?status=${expected}`), ({ body }) => body.length as number)
    return {
      client,
      status,
      /** The names of the monitors that it was notified of. */
      notified: Effect.sync(() => receiver.received.map(({ body }) => body.monitor.name as string).sort())
    }
  })

/** Deletes projects, and waits until the probe has forgotten their monitors. */
const leave = (product: Product, ...clients: ReadonlyArray<Client & { readonly projectId: string }>) =>
  Effect.andThen(
    Effect.forEach(clients, ({ call, projectId }) => call("DELETE", `/projects/${projectId}`)),
    eventually(metric(product, "kanmon_monitors_watched"), (count) => count === 0)
  )

describe.skipIf(process.platform !== "linux")("a product whose targets fail, and not its network", () => {
  layer(Running.layer, { timeout: "10 minutes", excludeTestServices: true })((it) => {
    it.effect("alerts one account although 45 targets of another never worked", () =>
      Effect.gen(function* () {
        const product = yield* Running
        const web = yield* WebTarget.make
        const shop = yield* subscriber(product)
        const free = yield* product.signUp
        yield* shop.client.call("POST", "/monitors", {
          name: "Shop",
          type: "http",
          url: `http://127.0.0.1:${web.port}/`,
          interval: 10
        })
        yield* Effect.forEach(
          Array.from({ length: 45 }),
          (_, index) =>
            free.call("POST", "/monitors", {
              name: `never${index}`,
              type: "tcp",
              host: `127.2.0.${index + 1}`,
              port: 9,
              interval: 10
            }),
          { concurrency: 8 }
        )
        yield* eventually(shop.status("up"), (count) => count === 1)
        yield* eventually(
          Effect.map(free.call("GET", "/monitors?status=down"), ({ body }) => body.length as number),
          (count) => count === 45
        )
        web.status = 503
        assert.deepStrictEqual(yield* eventually(shop.notified, (names) => names.length > 0), ["Shop"])
        const { body: health } = yield* product.call("GET", "/health")
        assert.strictEqual(health.connectivity, "ok")
        yield* leave(product, shop.client, free)
      }).pipe(Effect.scoped)
    )

    it.effect("alerts about 30 of an account's 40 targets that stay closed", () =>
      Effect.gen(function* () {
        const product = yield* Running
        const net = yield* network
        const ada = yield* subscriber(product)
        yield* Effect.forEach(
          Array.from({ length: 40 }),
          (_, index) =>
            ada.client.call("POST", "/monitors", {
              name: `m${index}`,
              type: "http",
              url: `http://${address(index)}:${net.port}/`,
              interval: 10
            }),
          { concurrency: 8 }
        )
        yield* eventually(ada.status("up"), (count) => count === 40)
        const closed = Array.from({ length: 30 }, (_, index) => index)
        yield* net.close(closed.map(address))
        const names = yield* eventually(ada.notified, (all) => all.length >= 30)
        assert.deepStrictEqual(names, closed.map((index) => `m${index}`).sort())
        assert.strictEqual(yield* ada.status("up"), 10)
        yield* leave(product, ada.client)
      }).pipe(Effect.scoped)
    )
  })
})
