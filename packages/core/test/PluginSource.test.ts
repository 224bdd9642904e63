import { assert, describe, it } from "@effect/vitest"
import { entryOf } from "../src/PluginSource.ts"

describe("the entry of a plugin's package", () => {
  it.each<[string, Parameters<typeof entryOf>[0], string]>([
    ["nothing is declared", undefined, "index.js"],
    ["there is a main", { main: "./lib/plugin.js" }, "./lib/plugin.js"],
    ["exports are one file", { exports: "./plugin.js", main: "./other.js" }, "./plugin.js"],
    ["exports have conditions", { exports: { types: "./p.d.ts", require: "./p.cjs", import: "./p.js" } }, "./p.js"],
    ["exports have paths", { exports: { ".": { node: { import: "./n.js" }, default: "./d.js" } } }, "./n.js"],
    [
      "there is a source, too",
      { exports: { ".": { source: "./src/index.ts", default: "./dist/index.js" } } },
      "./dist/index.js"
    ]
  ])("is found when %s", (_case, manifest, entry) => assert.strictEqual(entryOf(manifest, false), entry))

  it("is the source of a folder that is named by its path", () => {
    const manifest = { exports: { ".": { default: "./dist/index.js", source: "./src/index.ts" } } }
    assert.strictEqual(entryOf(manifest, true), "./src/index.ts")
  })
})
