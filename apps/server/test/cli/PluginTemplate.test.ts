/** The files of a new plugin. */
import { runInNewContext } from "node:vm"
import { assert, describe, it } from "@effect/vitest"
import * as PluginTemplate from "../../src/cli/PluginTemplate.ts"

const names = ["check-grpc", "notify-gong"]

describe.each(names)("the tests of a new %s", (name) => {
  const manifest = JSON.parse(PluginTemplate.files({ name, promises: false, inside: false })!["package.json"]!)
  const [, code] = /^node -e "(.*)"$/.exec(manifest.scripts.pretest)!

  it.each([
    ["20.18.0", true],
    ["22.18.9", true],
    ["22.19.0", false],
    ["24.21.0", false],
    ["26.0.0", false]
  ])("say on Node %s whether it is too old", (version, isRefused) => {
    const said: Array<string> = []
    let exited: number | undefined
    runInNewContext(code!, {
      process: { versions: { node: version }, exit: (status: number) => (exited = status) },
      console: { error: (text: string) => said.push(text) }
    })
    assert.strictEqual(exited, isRefused ? 1 : undefined)
    assert.deepStrictEqual(
      said,
      isRefused ? [`This plugin needs Node 22.19 or newer, as Kanmon does; this is Node ${version}`] : []
    )
    assert.strictEqual(manifest.engines.node, ">=22.19")
  })
})
