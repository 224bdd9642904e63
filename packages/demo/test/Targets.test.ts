/** The local targets of the demo, requested as its monitors do. */
import { Resolver } from "node:dns/promises"
import { get } from "node:http"
import { connect } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { hostname } from "../src/Shop.ts"
import * as Targets from "../src/Targets.ts"

const statusOf = (port: number, path: string) =>
  Effect.callback<number>((resume) => {
    get({ host: "127.0.0.1", port, path, agent: false }, (response) => {
      response.resume()
      resume(Effect.succeed(response.statusCode ?? 0))
    })
  })

const accepts = (port: number) =>
  Effect.callback<boolean>((resume) => {
    const socket = connect(port, "127.0.0.1")
    const conclude = (answer: boolean) => resume(Effect.succeed(answer))
    socket.once("connect", () => conclude(true))
    socket.once("error", () => conclude(false))
    socket.once("connect", () => socket.destroy())
  })

const resolverAt = (port: number) => {
  const resolver = new Resolver({ timeout: 2000, tries: 1 })
  resolver.setServers([`127.0.0.1:${port}`])
  return resolver
}

const codeOf = (answer: Promise<unknown>) =>
  Effect.promise(() =>
    answer.then(
      () => "answered",
      (error: NodeJS.ErrnoException) => error.code
    )
  )

describe("the targets of the demo", () => {
  it.live("behave as the components of the shop do", () =>
    Effect.gen(function* () {
      const { http } = yield* Targets.start()
      assert.strictEqual(yield* statusOf(http, "/shop"), 200)
      assert.strictEqual(yield* statusOf(http, "/payments"), 503)
      assert.strictEqual(yield* statusOf(http, "/nothing"), 404)
    }).pipe(Effect.scoped)
  )

  it.live("accept connections, and know one name with one address", () =>
    Effect.gen(function* () {
      const { dns, tcp } = yield* Targets.start()
      assert.isTrue(yield* accepts(tcp))
      const names = resolverAt(dns)
      assert.deepStrictEqual(yield* Effect.promise(() => names.resolve4(hostname.toUpperCase())), ["127.0.0.1"])
      assert.strictEqual(yield* codeOf(names.resolve6(hostname)), "ENODATA")
      assert.strictEqual(yield* codeOf(names.resolve4("elsewhere.test")), "ENOTFOUND")
    }).pipe(Effect.scoped)
  )

  it.live("restart on the same ports, and fail with the port if one is taken", () =>
    Effect.gen(function* () {
      const ports = yield* Effect.scoped(Targets.start())
      assert.isFalse(yield* accepts(ports.tcp))
      assert.deepStrictEqual(yield* Targets.start(ports), ports)
      const error = yield* Effect.flip(Effect.scoped(Targets.start(ports)))
      assert.include(error.message, String(ports.http))
    }).pipe(Effect.scoped)
  )
})
