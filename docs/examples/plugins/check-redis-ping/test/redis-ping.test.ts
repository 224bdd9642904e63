/** Tests beyond the contract: Redis's responses. */
import { assert, describe, it } from "@effect/vitest"
import { BoundedEvaluator } from "@kanmon/core/BoundedEvaluator"
import type { Capabilities, CheckFailed, Passed } from "@kanmon/core/Check"
import * as NodeDialer from "@kanmon/core/NodeDialer"
import * as NodeResolver from "@kanmon/core/NodeResolver"
import * as Targets from "@kanmon/testkit/Targets"
import { Effect, Layer, Result } from "effect"
import plugin from "../src/index.ts"

const policy = { allowPrivate: true }
const network = NodeDialer.layer(policy).pipe(Layer.provideMerge(NodeResolver.layer(policy)))

/** A Redis server with or without a password; it accepts commands in any fragments. */
const redis = (password?: string) =>
  Targets.tcp((socket) => {
    let allowed = password === undefined
    socket.on("data", (chunk) => {
      const [, , name, , first] = chunk.toString().split("\r\n")
      if (name === "AUTH") allowed = first === password
      if (name === "AUTH") socket.write(allowed ? "+OK\r\n" : "-WRONGPASS invalid username-password pair\r\n")
      else socket.write(allowed ? "+PONG\r\n" : "-NOAUTH Authentication required.\r\n")
    })
  })

const pinged = (target: Targets.Target, config: object = {}) => {
  const prepared = Result.getOrThrow(plugin.checks[0]!.prepare({ host: target.host, port: target.port, ...config }))
  const run: Effect.Effect<Passed, CheckFailed, Capabilities> = prepared.run({
    region: "eu-west",
    stage: () => undefined
  })
  return Effect.provide(run, [network, BoundedEvaluator.layer])
}

const codeOf = (target: Targets.Target, config?: object) =>
  Effect.map(Effect.flip(pinged(target, config)), ({ code }) => code)

describe("the check redis-ping", () => {
  it.live("passes when the server answers PONG", () =>
    Effect.gen(function* () {
      const { facts, responseTime } = yield* pinged(yield* redis())
      assert.deepStrictEqual(facts, { address: "127.0.0.1" })
      assert.isAtLeast(responseTime, 0)
    })
  )

  it.live("authenticates first, and reports what is wrong with the password", () =>
    Effect.gen(function* () {
      const target = yield* redis("open sesame")
      yield* pinged(target, { password: "open sesame" })
      assert.strictEqual(yield* codeOf(target, { password: "abracadabra" }), "password_refused")
      assert.strictEqual(yield* codeOf(target), "password_missing")
    })
  )

  it.live("fails on any other answer", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* codeOf(yield* Targets.raw("220 mail.example ESMTP\r\n")), "unexpected_answer")
      assert.strictEqual(yield* codeOf(yield* Targets.raw("x".repeat(5000))), "protocol_error")
      assert.strictEqual(yield* codeOf(yield* Targets.raw("")), "connection_closed")
    })
  )
})
