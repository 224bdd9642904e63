import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import * as NodeResolver from "../src/NodeResolver.ts"
import { Resolver } from "../src/Resolver.ts"

describe("lookups of the same name", () => {
  it.live("end every time when they fail immediately", () =>
    Effect.gen(function* () {
      const resolver = yield* Resolver
      for (let time = 0; time < 2; time++) {
        const asked = yield* Effect.exit(resolver.addresses("shop.example"))
        assert.isTrue(Exit.isFailure(asked), `time ${time}`)
      }
    }).pipe(Effect.provide(NodeResolver.layer({ allowPrivate: true, server: "no address" })))
  )

  it.live("answer every caller, even when one throws", () =>
    Effect.gen(function* () {
      const resolver = yield* Resolver
      const riddle = { toString: () => assert.fail("read") }
      const odd = Effect.flatMap(resolver.addresses("localhost"), (): Effect.Effect<void> => riddle as never)
      yield* Effect.forkDetach(odd, { startImmediately: true })
      assert.isNotEmpty(yield* resolver.addresses("localhost"))
    }).pipe(Effect.provide(NodeResolver.layer({ allowPrivate: true })))
  )
})
