/**
 * The workflows run other people's code with the rights of a release: what they run is named by its commit, which cannot be moved. And
 * they run every test that only a workflow runs.
 */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"

const root = path.resolve(import.meta.dirname, "../..")

/** Every action that a workflow or an action of ours uses, by file. */
const used = async (): Promise<ReadonlyArray<readonly [file: string, line: string]>> => {
  const files: Array<string> = []
  for await (const file of fs.glob(".github/{workflows,actions}/**/*.yml", { cwd: root })) files.push(file)
  const lines = await Promise.all(
    files.map(async (file) =>
      [...(await fs.readFile(path.join(root, file), "utf8")).matchAll(/^\s*-?\s*uses:\s*(\S.*)$/gm)].map(
        ([, line]) => [file, line!] as const
      )
    )
  )
  return lines.flat()
}

describe("the workflows", () => {
  it("name the actions of others by commit, with the version beside it", async () => {
    const others = (await used()).filter(([, line]) => !line.startsWith("./"))
    assert.isAbove(others.length, 10)
    for (const [file, line] of others) assert.match(line, /^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/, file)
  })

  it("name one commit for each action and version", async () => {
    const versions = new Map<string, string>()
    for (const [, line] of await used()) {
      const [action = "", commit = "", version = ""] = line.split(/@| # /)
      if (line.startsWith("./")) continue
      assert.strictEqual(versions.get(`${action} ${version}`) ?? commit, commit, action)
      versions.set(`${action} ${version}`, commit)
    }
  })

  it("run each test file that does more at night, at night", async () => {
    const nightly: Array<string> = []
    for await (const file of fs.glob("{tests,packages,plugins,apps}/**/*.test.ts", {
      cwd: root,
      exclude: (name) => name === "node_modules" || name === "dist"
    }))
      if (/env\["KANMON_NIGHTLY"\]/.test(await fs.readFile(path.join(root, file), "utf8"))) nightly.push(file)
    assert.isAbove(nightly.length, 4)
    const workflow = await fs.readFile(path.join(root, ".github/workflows/nightly.yml"), "utf8")
    const [, run = ""] = /- run: (npx vitest run .*)\n\s+env:\n\s+KANMON_NIGHTLY: all\n/.exec(workflow) ?? []
    assert.sameMembers(
      run.split(" ").filter((word) => word.startsWith("tests/") && !word.endsWith(".ts")),
      nightly.map((file) => file.slice(0, -".test.ts".length))
    )
  })
})
