import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { cycleThrough } from "../src/Dependencies.ts"

const names = ["a", "b", "c", "d", "e", "f", "g"]
const name = fc.constantFrom(...names)
const graph = fc.array(fc.tuple(name, name), { maxLength: 20 })

const grouped = (edges: ReadonlyArray<readonly [string, string]>) =>
  new Map([...Map.groupBy(edges, ([from]) => from)].map(([from, own]) => [from, own.map(([, to]) => to)]))

/** Whether one reaches the other, by the closure of the edges. */
const reaches = (edges: ReadonlyArray<readonly [string, string]>, from: string, to: string): boolean => {
  const reached = new Set<string>()
  let added = edges.filter(([begin]) => begin === from).map(([, end]) => end)
  while (added.length > 0) {
    for (const each of added) reached.add(each)
    added = edges.flatMap(([begin, end]) => (reached.has(begin) && !reached.has(end) ? [end] : []))
  }
  return reached.has(to)
}

describe("cycleThrough", () => {
  it("finds a cycle exactly when the monitor reaches itself", () =>
    fc.assert(
      fc.property(graph, name, (edges, start) => {
        assert.strictEqual(cycleThrough(start, grouped(edges)) !== undefined, reaches(edges, start, start))
      })
    ))

  it("returns a path along the dependencies that begins and ends with the monitor", () =>
    fc.assert(
      fc.property(graph, name, (edges, start) => {
        const cycle = cycleThrough(start, grouped(edges))
        if (cycle === undefined) return
        assert.strictEqual(cycle[0], start)
        assert.strictEqual(cycle.at(-1), start)
        assert.strictEqual(new Set(cycle).size, cycle.length - 1)
        for (const [index, from] of cycle.slice(0, -1).entries())
          assert.isTrue(edges.some(([begin, end]) => begin === from && end === cycle[index + 1]))
      })
    ))

  it("lets monitors be added one after the other in the order of their names", () =>
    fc.assert(
      fc.property(graph, (edges) => {
        const downward = edges.filter(([from, to]) => from > to)
        for (const start of names) assert.isUndefined(cycleThrough(start, grouped(downward)))
      })
    ))
})
