/** A redirect is a new target: the first address being allowed does not allow the next. */
import { assert, describe, it } from "@effect/vitest"
import { BoundedEvaluator } from "@kanmon/core/BoundedEvaluator"
import type { Attempt } from "@kanmon/core/Check"
import * as NodeDialer from "@kanmon/core/NodeDialer"
import * as NodeResolver from "@kanmon/core/NodeResolver"
import * as Targets from "@kanmon/testkit/Targets"
import { Effect, Layer, Result } from "effect"
import plugin from "../src/index.ts"

const check = plugin.checks[0]!
const attempt: Attempt = { region: "test-lab", stage: () => undefined }

/** One attempt in a network where only these private authorities are allowed. */
const run = (port: number, allowed: ReadonlyArray<number>) => {
  const settings = { allowPrivate: false, allowTargets: new Set(allowed.map((one) => `127.0.0.1:${one}`)) }
  const network = NodeDialer.layer(settings).pipe(Layer.provideMerge(NodeResolver.layer(settings)))
  return Result.getOrThrow(check.prepare({ url: `http://127.0.0.1:${port}/` }))
    .run(attempt)
    .pipe(Effect.result, Effect.provide([network, BoundedEvaluator.layer]))
}

describe("a redirect from an allowed target", () => {
  it.live("is followed to another allowed one, and refused otherwise", () =>
    Effect.gen(function* () {
      let reached = 0
      const inner = yield* Targets.http((_request, response) => {
        reached++
        response.end("secret")
      })
      const outer = yield* Targets.http((_request, response) => {
        response.writeHead(302, { location: `http://127.0.0.1:${inner.port}/` }).end()
      })

      const good = yield* run(outer.port, [outer.port, inner.port])
      assert.isTrue(Result.isSuccess(good), JSON.stringify(good))
      assert.strictEqual(reached, 1)

      const refused = yield* run(outer.port, [outer.port])
      assert.isTrue(Result.isFailure(refused))
      if (Result.isFailure(refused)) assert.strictEqual(refused.failure.code, "address_refused")
      assert.strictEqual(reached, 1)
    }).pipe(Effect.scoped)
  )

  it.live.each([
    "http://169.254.169.254/latest/meta-data/",
    "http://[::1]:9/",
    "http://[::ffff:127.0.0.1]:9/",
    "//10.0.0.1/"
  ])("does not reach %s", (location) =>
    Effect.gen(function* () {
      const outer = yield* Targets.http((_request, response) => {
        response.writeHead(302, { location }).end()
      })
      const refused = yield* run(outer.port, [outer.port])
      assert.isTrue(Result.isFailure(refused))
      if (Result.isFailure(refused)) assert.strictEqual(refused.failure.code, "address_refused")
    }).pipe(Effect.scoped)
  )
})
