import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { MonitorId, ProjectId } from "../src/Ids.ts"
import { initial, evaluate } from "../src/StatusEvaluation.ts"
import type { MonitorState } from "../src/MonitorState.ts"
import type { Observation } from "../src/Observation.ts"
import { isStale, markStale, resultAtOf, staleAt } from "../src/Staleness.ts"
import type { RegionStatus } from "../src/Status.ts"

const interval = 60_000
const timeoutMillis = 30_000
const settings = { intervalMillis: interval, regions: [], timeoutMillis, countsFrom: 0 }
const silence = 3 * interval + timeoutMillis

const observed = (slot: number, status: RegionStatus): Observation => ({
  monitorId: MonitorId.make("mon_1"),
  projectId: ProjectId.make("prj_1"),
  region: "eu-west",
  slot,
  scheduledAt: slot * interval,
  checkedAt: slot * interval,
  status,
  responseTime: null,
  timing: {},
  failure: null,
  facts: {}
})

const after = (...statuses: ReadonlyArray<RegionStatus>): MonitorState =>
  statuses.reduce((state, status, index) => evaluate(state, observed(index + 1, status), settings).state, initial(0))

const statuses = fc.array(fc.constantFrom<RegionStatus>("up", "degraded", "down", "unknown"), { maxLength: 20 })

describe("staleness", () => {
  it("begins three intervals and the timeout after the newest result that was not unknown", () => {
    fc.assert(
      fc.property(statuses, fc.nat(40 * interval), (seen, now) => {
        const state = after(...seen)
        const newest = seen.findLastIndex((status) => status !== "unknown")
        const due = (newest < 0 ? 0 : (newest + 1) * interval) + silence
        assert.strictEqual(staleAt(state, settings), due)
        const marked = markStale(state, settings, now).state
        assert.strictEqual(isStale(marked), now >= due)
        if (now < due) assert.strictEqual(marked, state)
        else assert.strictEqual(marked.staleSince, due)
      })
    )
  })

  it("ends with the first result that is not unknown", () => {
    const marked = markStale(after("up"), settings, 10 * interval).state
    assert.isTrue(isStale(evaluate(marked, observed(11, "unknown"), settings).state))
    for (const status of ["up", "degraded", "down"] as const)
      assert.isFalse(isStale(evaluate(marked, observed(11, status), settings).state))
  })

  it("keeps the status, and ends the known history where a late result would have", () => {
    const { changes, state } = markStale(after("up"), settings, 10 * interval)
    assert.strictEqual(state.status, "up")
    const gap = evaluate(after("up"), observed(11, "up"), settings).changes.slice(0, 1)
    assert.deepStrictEqual(changes, gap)
    assert.deepStrictEqual(
      evaluate(state, observed(11, "up"), settings).changes.map(({ at, status }) => [status, at]),
      [["up", 11 * interval]]
    )
  })

  it("is marked once, and never for a paused monitor", () => {
    const marked = markStale(after("up"), settings, 10 * interval).state
    assert.strictEqual(markStale(marked, settings, 20 * interval).state, marked)
    const paused = initial(0, "paused")
    assert.strictEqual(markStale(paused, settings, 20 * interval).state, paused)
  })

  it("ignores silence from before the monitor was changed or while Kanmon was down", () => {
    const countsFrom = 9 * interval
    assert.isFalse(isStale(markStale(after("up"), { ...settings, countsFrom }, 10 * interval).state))
    assert.strictEqual(staleAt(after("up"), { ...settings, countsFrom }), countsFrom + silence)
  })

  it("counts a resumed monitor from its resumption", () => {
    assert.strictEqual(staleAt(initial(50 * interval), settings), 50 * interval + silence)
  })

  it("reads states written before resultAt existed", () => {
    const { resultAt: _, ...old } = after("up", "down", "unknown")
    const known = after("up", "down")
    assert.strictEqual(resultAtOf({ ...old, regions: known.regions }), 2 * interval)
    assert.isNull(resultAtOf({ ...initial(0) }))
  })
})
