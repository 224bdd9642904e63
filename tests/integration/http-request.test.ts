/** Kanmon's own requests: what a provider answers is bounded, and read in time in proportion to it. */
import { assert, describe, it } from "@effect/vitest"
import * as Targets from "@kanmon/testkit/Targets"
import { Effect, Layer } from "effect"
import * as HttpDelivery from "@kanmon/core/HttpDelivery"
import * as HttpRequest from "@kanmon/core/HttpRequest"
import * as NodeDialer from "@kanmon/core/NodeDialer"
import * as NodeResolver from "@kanmon/core/NodeResolver"

const network = NodeDialer.layer({ allowPrivate: true }).pipe(
  Layer.provideMerge(NodeResolver.layer({ allowPrivate: true }))
)

const send = (port: number, limit?: number) =>
  HttpRequest.send({
    url: new URL(`http://127.0.0.1:${port}/`),
    method: "POST",
    body: "{}",
    ...(limit === undefined ? {} : { limit })
  }).pipe(Effect.provide(network))

/** Answers with this many chunks of one byte, in packets of any size. */
const dripping = (chunks: number, status = 200) =>
  Targets.tcp((socket) => {
    socket.once("data", () => {
      socket.write(`HTTP/1.1 ${status} X\r\ntransfer-encoding: chunked\r\n\r\n`)
      socket.end(`${"1\r\nx\r\n".repeat(chunks)}0\r\n\r\n`)
    })
  })

describe("a response to Kanmon's own request", () => {
  it.live.each([200, 500])("of many chunks of one byte is read once, up to the limit: %i", (status) =>
    Effect.gen(function* () {
      const target = yield* dripping(66_000, status)
      const response = yield* send(target.port)
      assert.strictEqual(response.status, status)
      assert.strictEqual(response.body, "x".repeat(64 * 1024))
      yield* Targets.closed(target)
    }).pipe(Effect.scoped)
  )

  it.live("costs nothing behind the limit", () =>
    Effect.gen(function* () {
      const limit = 64 * 1024
      const cost = Effect.fnUntraced(function* (behind: number) {
        const { port } = yield* dripping(limit + behind)
        const before = process.threadCpuUsage()
        yield* send(port)
        const { system, user } = process.threadCpuUsage(before)
        return user + system
      })
      yield* cost(0)
      // Joined again with each chunk behind the limit, these took seconds.
      assert.isBelow(yield* cost(60_000), 8 * (yield* cost(0)))
    }).pipe(Effect.scoped)
  )

  it.live("ends at the limit, although the server goes on", () =>
    Effect.gen(function* () {
      const target = yield* Targets.tcp((socket) => {
        socket.once("data", () => {
          socket.write("HTTP/1.1 200 OK\r\n\r\n")
          const more = (): void => {
            while (!socket.destroyed && socket.write("y".repeat(10_000)));
            if (!socket.destroyed) socket.once("drain", more)
          }
          more()
        })
      })
      assert.strictEqual((yield* send(target.port, 1000)).body, "y".repeat(1000))
      yield* Targets.closed(target)
    }).pipe(Effect.scoped)
  )
})

describe("a response whose body is cut", () => {
  const head = (status: number, more: string) => `HTTP/1.1 ${status} X\r\nretry-after: 7\r\n${more}\r\n\r\n`
  const framings = [
    ["shorter than it says", "content-length: 20", "beginning"],
    ["in a chunk", "transfer-encoding: chunked", "14\r\nbeginning"],
    ["before the last chunk", "transfer-encoding: chunked", "9\r\nbeginning\r\n"],
    ["by what is no chunk", "transfer-encoding: chunked", "9\r\nbeginning\r\nno chunk\r\n"],
    ["before it begins", "content-length: 20", ""]
  ] as const
  const cut = (status: number, more: string, body: string) =>
    Targets.tcp((socket) => void socket.once("data", () => socket.end(head(status, more) + body)))

  it.live.each(framings)("is no response to a lookup, which learns its status: %s", ([, more, body]) =>
    Effect.gen(function* () {
      const { port } = yield* cut(200, more, body)
      const none = yield* Effect.flip(send(port))
      assert.strictEqual(none.partial?.status, 200)
    }).pipe(Effect.scoped)
  )

  it.live.each(framings)("accepts a message, or postpones it, by its status: %s", ([, more, body]) =>
    Effect.gen(function* () {
      const deliver = Effect.fnUntraced(function* (status: number) {
        const { port } = yield* cut(status, more, body)
        return yield* HttpDelivery.send({
          url: `http://127.0.0.1:${port}/`,
          method: "POST",
          body: "{}",
          secrets: []
        }).pipe(
          Effect.match({
            onSuccess: (answer) => answer.status,
            onFailure: ({ reason }) => [reason._tag, reason._tag === "Throttled" ? reason.retryAfter : undefined]
          })
        )
      }, Effect.provide(network))
      for (const status of [200, 202]) assert.strictEqual(yield* deliver(status), status)
      for (const status of [429, 408, 503]) assert.deepStrictEqual(yield* deliver(status), ["Throttled", 7])
      // Asked for again, because the body may say that the refusal is not for good.
      for (const status of [301, 401, 410]) assert.deepStrictEqual(yield* deliver(status), ["Unreachable", undefined])
    }).pipe(Effect.scoped)
  )
})
