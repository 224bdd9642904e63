/** The product's own network and its resolver are taken away under 500 monitors. No customer is paged for that. */
import { createServer, type Server } from "node:http"
import { type AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import * as DnsTarget from "@kanmon/testkit/DnsTarget"
import { Effect, type Scope } from "effect"
import { eventually, make } from "../support/Product.ts"
import * as Receiver from "../support/Receiver.ts"

const targets = 500
const address = (index: number): string => `127.1.${Math.floor(index / 250)}.${(index % 250) + 1}`

/** One server behind hundreds of addresses, as a network would be: it can go away and come back with some of them broken. */
const network: Effect.Effect<
  {
    readonly port: number
    readonly away: Effect.Effect<void>
    readonly back: (broken: ReadonlyArray<string>) => Effect.Effect<void>
  },
  never,
  Scope.Scope
> = Effect.acquireRelease(
  Effect.promise(async () => {
    let broken: ReadonlyArray<string> = []
    let server: Server | undefined
    const listen = (port: number) =>
      new Promise<void>((resolve) => {
        server = createServer((request, response) => {
          response.statusCode = broken.some((host) => request.headers.host?.startsWith(`${host}:`)) ? 500 : 200
          response.end("ok")
        }).listen(port, "0.0.0.0", () => resolve())
      })
    const close = () =>
      new Promise<void>((resolve) => {
        server?.close(() => resolve())
        server?.closeAllConnections()
        server = undefined
      })
    await listen(0)
    const { port } = server!.address() as AddressInfo
    return {
      port,
      close,
      away: Effect.promise(close),
      back: (those: ReadonlyArray<string>) =>
        Effect.promise(() => {
          broken = those
          return listen(port)
        })
    }
  }),
  ({ close }) => Effect.promise(close)
)

// Linux answers on every address of 127.0.0.0/8; other systems on one alone.
describe.skipIf(process.platform !== "linux")("a product whose network goes away", () => {
  it.live(
    "pages nobody for it, and tells afterwards what really broke",
    () =>
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
        const sight = Effect.map(product.call("GET", "/health"), ({ body }) => body.sight as string)
        yield* eventually(standing("up"), (all) => all.length === targets, 60)

        resolves = false
        yield* net.away
        yield* eventually(sight, (word) => word === "blind")
        // Two intervals in the dark.
        yield* Effect.sleep("22 seconds")
        assert.deepStrictEqual(yield* standing("down"), [])
        assert.deepStrictEqual(receiver.received, [])
        assert.include(product.output(), "cannot see")

        const broken = [7, 8, 9].map(host)
        resolves = true
        yield* net.back(broken)
        yield* eventually(sight, (word) => word === "ok", 60)
        const told = yield* eventually(
          Effect.sync(() => receiver.received.map(({ body }) => `${body.event} ${body.monitor.name}`).sort()),
          (all) => all.length >= 3,
          60
        )
        assert.deepStrictEqual(told, ["monitor_down m7", "monitor_down m8", "monitor_down m9"])
        yield* eventually(standing("up"), (all) => all.length === targets - 3, 60)
        assert.strictEqual(receiver.received.length, 3)
      }).pipe(Effect.scoped),
    240_000
  )
})
