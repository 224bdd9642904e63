/** Every check plugin keeps the contract; the plugins are found, not listed. */
import * as path from "node:path"
import { globSync } from "node:fs"
import { pathToFileURL } from "node:url"
import type { Plugin } from "@kanmon/core/Plugin"
import * as CheckContract from "@kanmon/testkit/CheckContract"
import { assert, it } from "@effect/vitest"

const root = path.resolve(import.meta.dirname, "../..")
const folders = globSync("plugins/check-*/src/index.ts", { cwd: root }).sort()

it("finds the check plugins", () => assert.isAtLeast(folders.length, 4))

for (const file of folders) {
  const { default: plugin } = (await import(pathToFileURL(path.join(root, file)).href)) as { readonly default: Plugin }
  for (const check of plugin.checks) CheckContract.suite(check)
}
