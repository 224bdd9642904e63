/** The modules of the HTTP contract import each other in one direction, types included. Proved by a planted circle. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"

const root = path.resolve(import.meta.dirname, "../../packages/protocol/src")

/** Sources by their path below `src`. */
type Sources = Readonly<Record<string, string>>

const importsOf = (file: string, source: string): ReadonlyArray<string> =>
  [...source.matchAll(/(?:\bfrom|\bimport\(|\bimport)\s*"(\.[^"]+)"/g)].map(([, to]) =>
    path.posix.join(path.posix.dirname(file), to!)
  )

/** Each module that reaches itself, with the imports that lead on. */
const circles = (sources: Sources): ReadonlyArray<string> => {
  const imports = new Map(Object.entries(sources).map(([file, source]) => [file, importsOf(file, source)]))
  const reached = (from: string, seen = new Set<string>()): ReadonlySet<string> => {
    for (const to of imports.get(from) ?? []) if (!seen.has(to)) reached(to, seen.add(to))
    return seen
  }
  const inCircle = [...imports.keys()].filter((file) => reached(file).has(file))
  return inCircle.map((file) => {
    const onward = imports.get(file)!.filter((to) => inCircle.includes(to))
    return `${file} is part of a circle: it imports ${onward.join(", ")}`
  })
}

const read = async (): Promise<Sources> => {
  const files = (await fs.readdir(root, { recursive: true })).filter((file) => file.endsWith(".ts"))
  const entries = files.map(async (file) => [file, await fs.readFile(path.join(root, file), "utf8")] as const)
  return Object.fromEntries(await Promise.all(entries))
}

describe("the modules of the HTTP contract", () => {
  it("make no circle", async () => {
    const sources = await read()
    assert.isAbove(Object.keys(sources).length, 40)
    assert.deepStrictEqual(circles(sources), [])
  })

  it("are reported when they make one, also of types", () => {
    const canary = {
      "PlansApi.ts": `import * as Examples from "./internal/Examples.ts"`,
      "internal/Examples.ts": `import type { Plan } from "../PlansApi.ts"\nimport { key } from "../Key.ts"`,
      "Key.ts": `import { Schema } from "effect"`
    }
    assert.deepStrictEqual(circles(canary), [
      "PlansApi.ts is part of a circle: it imports internal/Examples.ts",
      "internal/Examples.ts is part of a circle: it imports PlansApi.ts"
    ])
  })
})
