/** What is moved together: each result once, in steps of a bounded size. */
import { MonitorId } from "@kanmon/domain/Ids"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  blocksOf,
  type ResultWindow,
  resultsAtOnce,
  stepsOf,
  windowsOf,
  withAtLeast
} from "../../src/evaluation/BlockPlan.ts"
import type { BlockResult } from "../../src/evaluation/ResultBlock.ts"

const hour = 3_600_000
/** Hours and blocks of some monitors and regions, in their order. */
const held = fc
  .array(
    fc.record({
      monitor: fc.integer({ min: 0, max: 40 }),
      region: fc.constantFrom("eu-west", "us-east"),
      from: fc.integer({ min: 0, max: 23 }),
      hours: fc.constantFrom(1, 1, 1, 2, 6),
      results: fc.oneof(fc.integer({ min: 1, max: 120 }), fc.integer({ min: 1, max: 4000 }))
    }),
    { maxLength: 120 }
  )
  .map((all) =>
    all
      .map(({ from, hours, monitor, region, results }): ResultWindow => ({
        monitorId: MonitorId.make(`mon_${String(monitor).padStart(2, "0")}`),
        region,
        from: from * hour,
        to: Math.min(24, from + hours) * hour,
        results
      }))
      .toSorted(
        (one, other) =>
          one.monitorId.localeCompare(other.monitorId) ||
          one.region.localeCompare(other.region) ||
          one.from - other.from
      )
  )
const sum = (all: ReadonlyArray<{ readonly results: number }>): number =>
  all.reduce((total, { results }) => total + results, 0)
const isIn = (small: ResultWindow, large: ResultWindow): boolean =>
  small.monitorId === large.monitorId &&
  small.region === large.region &&
  small.from >= large.from &&
  small.to <= large.to

describe("what is moved together", () => {
  it("has each hour and block in one window, and no hour in two", () => {
    fc.assert(
      fc.property(held, (all) => {
        const windows = windowsOf(all)
        assert.strictEqual(sum(windows), sum(all))
        for (const each of all)
          assert.lengthOf(
            windows.filter((window) => isIn(each, window)),
            1
          )
        for (const [index, { from, monitorId, region }] of windows.entries()) {
          const before = windows[index - 1]
          if (before?.monitorId === monitorId && before.region === region) assert.isAtMost(before.to, from)
        }
      })
    )
  })

  it("goes on in the next step when a step has enough", () => {
    fc.assert(
      fc.property(held, (all) => {
        const windows = windowsOf(all)
        const steps = stepsOf(windows)
        assert.deepStrictEqual(steps.flat(), windows)
        for (const step of steps) if (step.length > 1) assert.isAtMost(sum(step), resultsAtOnce)
      })
    )
  })

  it("waits for enough results of a monitor and region", () => {
    fc.assert(
      fc.property(held, fc.integer({ min: 1, max: 500 }), (all, least) => {
        const chosen = withAtLeast(all, least)
        const own = (of: ResultWindow) =>
          all.filter(({ monitorId, region }) => monitorId === of.monitorId && region === of.region)
        assert.deepStrictEqual(
          chosen,
          all.filter((each) => sum(own(each)) >= least)
        )
      })
    )
  })

  it("puts each result into one block, in order, and failing ones of closed days into others", () => {
    const results = fc
      .uniqueArray(fc.tuple(fc.nat(), fc.constantFrom("up" as const, "up" as const, "down" as const)), {
        maxLength: 1500,
        selector: ([at]) => at
      })
      .map((all) =>
        all.map(([scheduledAt, status]): BlockResult => ({
          scheduledAt,
          slot: 0,
          checkedAt: scheduledAt,
          status,
          responseTime: null,
          timing: null,
          failure: null,
          facts: null
        }))
      )
    fc.assert(
      fc.property(results, fc.boolean(), (all, open) => {
        const blocks = blocksOf(all, open)
        const byTime = (some: ReadonlyArray<BlockResult>) =>
          some.toSorted((one, other) => one.scheduledAt - other.scheduledAt)
        assert.deepStrictEqual(byTime(blocks.flat()), byTime(all))
        for (const block of blocks) {
          assert.isAbove(block.length, 0)
          assert.isAtMost(block.length, 540)
          assert.deepStrictEqual(block, byTime(block))
          if (!open) assert.isTrue(block.every(({ status }) => (status === "up") === (block[0]!.status === "up")))
        }
      }),
      { numRuns: 50 }
    )
  })
})
