/** Monitors that the server deletes bit by bit: lists do not show them meanwhile, whatever still arrives of them. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { MonitorStore, type MonitorSummary } from "../src/live/MonitorStore.ts"

const summary = (id: string): MonitorSummary => ({
  id,
  name: id,
  type: "http",
  target: null,
  group: null,
  tags: [],
  regions: [],
  status: "up",
  since: 0,
  stale: false,
  failure: null,
  uptime: null,
  responseTime: null,
  results: ""
})

const ids = ["a", "b", "c", "d"]
const all = ids.map(summary)
const shown = (store: MonitorStore) => [...store.monitors.keys()].toSorted()

describe("monitors that leave", () => {
  it("stay away from lists that are loaded meanwhile, and count no more", () => {
    fc.assert(
      fc.property(fc.subarray(ids), fc.subarray(ids), (leaving, deleted) => {
        const store = new MonitorStore()
        store.replace(all, all.length)
        const stay = store.leave(leaving)
        const others = ids.filter((id) => !leaving.includes(id))
        assert.deepStrictEqual(shown(store), others)
        assert.strictEqual(store.total, others.length)
        const left = all.filter(({ id }) => !leaving.includes(id) || !deleted.includes(id))
        store.replace(left, left.length)
        assert.deepStrictEqual(shown(store), others)
        assert.strictEqual(store.total, others.length)
        // It was stopped: what the server kept is shown again.
        stay()
        store.replace(left, left.length)
        assert.deepStrictEqual(
          shown(store),
          left.map(({ id }) => id)
        )
        assert.strictEqual(store.total, left.length)
      })
    )
  })
})
