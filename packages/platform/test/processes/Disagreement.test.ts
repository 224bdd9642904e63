import { assert, describe, it } from "@effect/vitest"
import { disagreements, explain, type RunningProcess } from "@kanmon/platform/processes"
import * as fc from "fast-check"

const settings = fc.dictionary(fc.constantFrom("A", "B", "C", "D"), fc.constantFrom("1", "2"))
const process = fc.record({ id: fc.string({ minLength: 1 }), roles: fc.constant(["api"]), settings })
const processes = fc.uniqueArray(process, { selector: ({ id }) => id, maxLength: 5 })

describe("disagreements between processes", () => {
  it("finds exactly the settings that both processes read with different values", () => {
    fc.assert(
      fc.property(process, processes, (own, all) => {
        const found = disagreements(own, all)
        for (const other of all)
          for (const name of ["A", "B", "C", "D"]) {
            const [mine, theirs] = [own.settings[name], other.settings[name]]
            const differ = other.id !== own.id && mine !== undefined && theirs !== undefined && mine !== theirs
            assert.strictEqual(
              found.some(({ process: { id }, setting }) => id === other.id && setting === name),
              differ
            )
          }
      })
    )
  })

  it("is found by both processes", () => {
    fc.assert(
      fc.property(process, process, (one, other) => {
        const names = (found: ReturnType<typeof disagreements>) => found.map(({ setting }) => setting)
        assert.deepStrictEqual(names(disagreements(one, [other])), names(disagreements(other, [one])))
      })
    )
  })

  it("is explained with the setting and both processes' roles", () => {
    const own: RunningProcess = { id: "p1", roles: ["api"], settings: { KANMON_SIGNUP: "x" } }
    const other: RunningProcess = { id: "p2", roles: ["engine"], settings: { KANMON_SIGNUP: "y" } }
    assert.strictEqual(
      explain(own, disagreements(own, [other])[0]!),
      "KANMON_SIGNUP of this process (api) differs from that of another one (engine, p2). Give both the same value."
    )
  })
})
