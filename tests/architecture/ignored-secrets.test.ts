/** Files with secrets that Kanmon's commands, and the guides' commands, write into a checkout are not committed by accident. */
import { execFile } from "node:child_process"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Folder from "../support/Folder.ts"

const root = path.resolve(import.meta.dirname, "../..")
const run = promisify(execFile)

/** What the shell blocks of the guides write that is secret. */
const written = [
  /--secrets-file (\S+)/g,
  /kanmon export (?!\/)(\S+)/g,
  /(?:>|--file=)\s?(\S+\.dump)/g,
  /curl [^\n]*-c (\w+)/g,
  /mv \.kanmon (\S+)/g,
  /cp \S*secrets\.example\.yaml (\S+)/g,
  />> (\.env)/g,
  /(?:-keyout|-out|-CAkey|--tls-key) (?!\/)(\S+\.pem)/g
]

const named = async (): Promise<ReadonlyArray<string>> => {
  const found = new Set<string>()
  for await (const file of fs.glob("{README.md,docs/{guide,operate}/*.md}", { cwd: root })) {
    const text = await fs.readFile(path.join(root, file), "utf8")
    for (const [block] of text.matchAll(/^ *```sh\n.*?^ *```$/gms))
      for (const pattern of written) for (const [, name] of block.matchAll(pattern)) found.add(name!)
  }
  return [...found]
}

/** Those that git would add. */
const added = async (folder: string, files: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  let ignored: ReadonlyArray<string> = []
  try {
    ignored = (await run("git", ["check-ignore", "--no-index", ...files], { cwd: folder })).stdout.split("\n")
  } catch (error) {
    // None is.
    if ((error as { readonly code?: number }).code !== 1) throw error
  }
  return files.filter((file) => !ignored.includes(file))
}

describe("files with secrets", () => {
  it("are ignored in a checkout", async () => {
    const files = await named()
    const known = ["kanmon.env", "kanmon.export", "kanmon.dump", "cookies", "secrets.yaml", ".env", ".kanmon-lost"]
    assert.includeMembers([...files], known)
    const others = [
      ".kanmon-lost/secret",
      "nats/keys/engine.nkey",
      "docs/deploy/compose/nats/keys/api.nkey",
      "docs/deploy/compose/.env"
    ]
    assert.deepStrictEqual(await added(root, [...files, ...others]), [])
    // The examples of such files are committed.
    const examples = ["docs/deploy/compose/.env.example", "docs/deploy/kubernetes/secrets.example.yaml"]
    assert.deepStrictEqual(await added(root, examples), examples)
  })

  it.live("are ignored beside files for kanmon apply, with the .gitignore of the example", () =>
    Effect.gen(function* () {
      const rules = yield* Effect.promise(() =>
        fs.readFile(path.join(root, "docs/examples/as-code/.gitignore"), "utf8")
      )
      const folder = yield* Folder.make({ ".gitignore": rules })
      yield* Effect.promise(() => run("git", ["init", "--quiet"], { cwd: folder }))
      assert.deepStrictEqual(
        yield* Effect.promise(() => added(folder, ["kanmon.env", "monitoring/kanmon.env", "kanmon.yaml"])),
        ["kanmon.yaml"]
      )
    }).pipe(Effect.scoped)
  )
})
