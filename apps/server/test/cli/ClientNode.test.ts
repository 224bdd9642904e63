/** The command of the package on a Node that is too old says which one it needs. */
import { spawnSync } from "node:child_process"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"

const command = path.resolve(import.meta.dirname, "../../client/kanmon.mjs")

/** A Node of that version: its `node:module` lacks later functions. */
const old = (version: string): string => `
  import { registerHooks } from "node:module"
  const bare = { url: "data:text/javascript,export default {}", shortCircuit: true }
  registerHooks({
    resolve: (name, context, next) =>
      name === "node:module" && context.parentURL?.endsWith("/client/kanmon.mjs") ? bare : next(name, context)
  })
  Object.defineProperty(process, "versions", { value: { ...process.versions, node: ${JSON.stringify(version)} } })
`

it.each(["18.20.8", "20.20.2", "22.18.0"])("says on Node %s which Node it needs and which it found", (version) => {
  const preload = `data:text/javascript,${encodeURIComponent(old(version))}`
  const { status, stderr, stdout } = spawnSync(process.execPath, ["--import", preload, command, "whoami"], {
    encoding: "utf8"
  })
  assert.deepStrictEqual([status, stdout], [1, ""])
  assert.strictEqual(stderr, `kanmon: Node ${version} is too old; install Node 22.19 or newer\n`)
})
