import { execFileSync } from "node:child_process"
import { gzipSync } from "node:zlib"
import { Script } from "node:vm"
import { assert, describe, it } from "@effect/vitest"

// As the server sees it: this test's own runner rewrites what it loads.
const source = execFileSync(
  process.execPath,
  ["-e", `import("./packages/status-page/src/Assets.ts").then(({ script }) => process.stdout.write(script.source))`],
  { encoding: "utf8" }
)

describe("the status page's script", () => {
  it("is JavaScript that uses only browser APIs", () => {
    assert.doesNotThrow(() => new Script(source))
    assert.notMatch(source, /\b(import|require|process|__vite)\b/)
  })

  it("is at most 12 kB", () => {
    assert.isAtMost(gzipSync(source).length, 12_000)
  })
})
