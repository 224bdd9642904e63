/** The files of the guide to on-call duty are valid, and name nothing that they do not have. */
import * as fs from "node:fs"
import * as path from "node:path"
import * as Decoding from "@kanmon/as-code/Decoding"
import * as Directory from "@kanmon/as-code/Directory"
import * as Source from "@kanmon/as-code/Source"
import { load } from "@kanmon/core/PluginHost"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { bundled } from "../../apps/server/src/plugins.gen.ts"

const guide = fs.readFileSync(path.resolve(import.meta.dirname, "../../docs/guide/being-on-call.md"), "utf8")
const files = [...guide.matchAll(/^```yaml\n# (\S+)\n(.*?)^```$/gms)].map(([, name, text]) => [name!, text!] as const)
const people = ["ada", "ben", "cleo", "dan", "dora", "emil", "eve", "finn"]

it("has a file for each of three set-ups", () => {
  assert.deepStrictEqual(
    files.map(([name]) => name),
    ["on-call.yaml", "follow-the-sun.yaml", "second-line.yaml"]
  )
})

it.effect.each(files)("contains a complete file: %s", ([name, text]) =>
  Effect.gen(function* () {
    const source = Source.read([{ name, text }], {})
    const { mistakes, wanted } = Decoding.decode(source.entries, yield* load(bundled))
    assert.deepStrictEqual([...source.mistakes, ...mistakes], [])
    const members = people.map((one) => ({ userId: `usr_${one}`, email: `${one}@example.org` }))
    assert.deepStrictEqual(Directory.objections(wanted, Directory.make({ members, teams: [] }, [])), [])
    assert.includeMembers(
      wanted.map(({ kind }) => kind),
      ["schedule", "policy"]
    )
  })
)
