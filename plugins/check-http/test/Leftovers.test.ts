/** Objects of a check must be freed by a minor collection, because a full one may be minutes away. */
import { AsyncResource, createHook } from "node:async_hooks"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { assert, describe, it } from "@effect/vitest"
import { BoundedEvaluator } from "@kanmon/core/BoundedEvaluator"
import * as NodeDialer from "@kanmon/core/NodeDialer"
import * as NodeResolver from "@kanmon/core/NodeResolver"
import * as Targets from "@kanmon/testkit/Targets"
import { delivered, eventually } from "@kanmon/testkit/Eventually"
import { Effect, Layer, Result } from "effect"
import { check } from "./Attempt.ts"

setFlagsFromString("--expose-gc")
const collect: (options: { readonly type: "minor" | "major" }) => void = runInNewContext("gc")

const network = NodeDialer.layer({ allowPrivate: true }).pipe(
  Layer.provideMerge(NodeResolver.layer({ allowPrivate: true }))
)
const checks = 50

/**
 * Connections of this process. Objects that one of them still references survive a collection, and are older than the
 * next one frees.
 */
const connections = (): number => process.getActiveResourcesInfo().filter((kind) => kind.startsWith("TCPSocket")).length

/** Tells how many of these objects were freed. */
const watching = Effect.acquireRelease(
  Effect.sync(() => {
    const left = new Set<number>()
    const hook = createHook({ destroy: (id) => void left.delete(id) }).enable()
    const watch = <A extends object>(object: A): A => {
      const resource = new AsyncResource("leftover")
      left.add(resource.asyncId())
      return Object.assign(object, { resource })
    }
    return { hook, left, watch }
  }),
  ({ hook }) => Effect.sync(() => hook.disable())
)

describe("an http check", () => {
  it.live("leaves nothing that only a full collection frees", () =>
    Effect.gen(function* () {
      const { port } = yield* Targets.http((_request, response) => response.end("well"))
      const prepared = Result.getOrThrow(check.prepare({ url: `http://127.0.0.1:${port}/` }))
      const { left, watch } = yield* watching
      const before = connections()
      // Frees the leftovers of other tests in this process.
      collect({ type: "major" })
      for (let count = 0; count < checks; count++)
        yield* prepared.run(watch({ region: "test-lab", stage: () => undefined, answered: () => undefined }))
      yield* eventually(Effect.sync(connections), (open) => open <= before)
      for (let times = 0; times < 3; times++) {
        collect({ type: "minor" })
        yield* delivered
      }
      // The last one is still referred to from here.
      assert.isAtMost(left.size, checks / 10)
    }).pipe(Effect.scoped, Effect.provide([BoundedEvaluator.layer, network]))
  )
})
