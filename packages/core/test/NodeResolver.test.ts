import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import * as NodeResolver from "../src/NodeResolver.ts"
import { Resolver } from "../src/Resolver.ts"

describe("lookups of the same name", () => {
  it.live("end every time when they fail immediately", () =>
    Effect.gen(function* () {
      const resolver = yield* Resolver
      for (let time = 0; time < 2; time++) {
        const asked = yield* Effect.timeoutOption(Effect.exit(resolver.addresses("shop.example")), "2 seconds")
        assert.isTrue(asked._tag === "Some" && Exit.isFailure(asked.value), `time ${time}`)
      }
    }).pipe(Effect.provide(NodeResolver.layer({ allowPrivate: true, server: "no address" })))
  )

  it.live("answer every caller, even when one throws", () =>
    Effect.gen(function* () {
      const resolver = yield* Resolver
      const riddle = { toString: () => assert.fail("read") }
      const odd = Effect.flatMap(resolver.addresses("localhost"), (): Effect.Effect<void> => riddle as never)
      yield* Effect.forkDetach(odd, { startImmediately: true })
      const found = yield* Effect.timeoutOption(resolver.addresses("localhost"), "5 seconds")
      assert.strictEqual(found._tag, "Some")
    }).pipe(Effect.provide(NodeResolver.layer({ allowPrivate: true })))
  )
})
