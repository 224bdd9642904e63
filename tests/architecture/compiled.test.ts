/** When the compiled server runs, and when the sources do. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Compiled from "../../apps/server/src/Compiled.js"
import * as Folder from "../support/Folder.ts"

const at = Date.UTC(2026, 0, 1)

/** A repository whose files were all changed a minute before the server was compiled. */
const repository = Effect.gen(function* () {
  const root = yield* Folder.make({
    "package.json": "{}",
    "packages/core/src/Check.ts": "",
    "packages/core/src/internal/Deep.ts": "",
    "packages/plain/README.md": "",
    "plugins/check-tcp/src/index.ts": "",
    "apps/server/src/main.js": "",
    "apps/server/dist/built.json": JSON.stringify({ at }),
    "apps/server/dist/kanmon.js": ""
  })
  const change = (file: string, millis: number) =>
    Effect.promise(() => fs.utimes(path.join(root, file), new Date(millis), new Date(millis)))
  const all = yield* Effect.promise(() => fs.readdir(root, { recursive: true }))
  for (const file of all) yield* change(file, at - 60_000)
  const entry = (args: ReadonlyArray<string>, plugins?: string) => Compiled.entry({ args, plugins, root })
  return { root, change, entry }
})

describe("the compiled server", () => {
  it.effect("runs while no source is newer", () =>
    Effect.gen(function* () {
      const { change, entry } = yield* repository
      assert.match(entry(["serve"])!, /^file:.*\/apps\/server\/dist\/kanmon\.js$/)
      for (const file of ["packages/core/src/internal/Deep.ts", "plugins/check-tcp/src/index.ts", "package.json"]) {
        yield* change(file, at + 1)
        assert.isUndefined(entry(["serve"]), file)
        yield* change(file, at - 1)
        assert.isDefined(entry(["serve"]), file)
      }
    })
  )

  it.effect("leaves plugins from outside to the sources, whose modules they share", () =>
    Effect.gen(function* () {
      const { entry } = yield* repository
      assert.isUndefined(entry(["serve"], "./my-plugin"))
      assert.isUndefined(entry(["plugin", "test", "./my-plugin"]))
      assert.isDefined(entry(["serve"], " "))
    })
  )

  it.effect("is not needed", () =>
    Effect.gen(function* () {
      const { entry, root } = yield* repository
      yield* Effect.promise(() => fs.rm(path.join(root, "apps/server/dist"), { recursive: true }))
      assert.isUndefined(entry(["serve"]))
    })
  )
})
