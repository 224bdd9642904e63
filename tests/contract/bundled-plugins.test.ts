/** The plugins of Kanmon, inspected as those from outside are: a server does not do it again at each of its starts. */
import { assert, describe, it } from "@effect/vitest"
import { load } from "@kanmon/core/PluginHost"
import { Effect } from "effect"
import { bundled } from "../../apps/server/src/plugins.gen.ts"

describe("the plugins of Kanmon", () => {
  it.effect("pass the inspection of a plugin from outside, and provide the same without it", () =>
    Effect.gen(function* () {
      const inspected = yield* load(bundled.map((source) => ({ ...source, inspected: false })))
      assert.deepStrictEqual(inspected.refused, [])
      const started = yield* load(bundled)
      assert.deepStrictEqual([...started.checks.keys()], [...inspected.checks.keys()])
      assert.deepStrictEqual([...started.channels.keys()], [...inspected.channels.keys()])
      assert.isAbove(started.checks.size + started.channels.size, 15)
    })
  )
})
