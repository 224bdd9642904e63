/** What a process loads at its start: a command loads its own code alone, and a probe no feature that needs a database. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"

const root = path.resolve(import.meta.dirname, "../..")

/** The static imports of values: what is imported on demand, or for types alone, is not loaded. */
const importsOf = (source: string): ReadonlyArray<string> =>
  [...source.matchAll(/^(?:import|export)(?! type\b)(?:[^"';]*\bfrom)?\s*"([^"]+)"/gm)].map(([, to]) => to!)

/** This repository's files that a file loads, itself included, by their path from the root. */
const loaded = (file: string, found = new Set<string>()): ReadonlySet<string> => {
  if (found.has(file)) return found
  found.add(file)
  const place = path.join(root, file)
  for (const to of importsOf(readFileSync(place, "utf8"))) {
    if (!/^\.|^@kanmon\//.test(to)) continue
    const next = path.relative(root, createRequire(place).resolve(to))
    if (next.endsWith(".ts")) loaded(next, found)
  }
  return found
}

const below = (files: ReadonlySet<string>, folder: string): ReadonlyArray<string> =>
  [
    ...new Set([...files].flatMap((file) => (file.startsWith(folder) ? file.slice(folder.length).split("/")[0]! : [])))
  ].sort()

const features = (entry: string): ReadonlyArray<string> => {
  const files = loaded(entry)
  return ["packages/identity/src/", "packages/monitoring/src/"]
    .flatMap((folder) => below(files, folder))
    .filter((name) => !name.endsWith(".ts"))
}

describe("what is loaded at the start", () => {
  it.each(["Kanmon.ts", "ClientProgram.ts"])("is no command of %s before one is chosen", (program) => {
    const entry = `apps/server/src/cli/${program}`
    // The frame of all commands: how it is run, how it ends, how it tells mistakes.
    assert.deepStrictEqual(below(loaded(entry), "apps/server/src/cli/"), [
      program,
      "Program.ts",
      "Shutdown.ts",
      "Usage.ts"
    ])
  })

  it("is no feature, bus or probe before the settings of serve are read", () => {
    const files = loaded("apps/server/src/cli/Serve.ts")
    assert.deepStrictEqual(features("apps/server/src/cli/Serve.ts"), [])
    assert.deepStrictEqual([...below(files, "packages/bus/"), ...below(files, "packages/probe/")], [])
  })

  it("is no feature but the regions for a probe alone, and all of them with a database", () => {
    assert.deepStrictEqual(features("apps/server/src/Product.ts"), ["regions"])
    assert.includeMembers([...features("apps/server/src/roles/WithStore.ts")], ["alerts", "evaluation", "monitors"])
  })
})
