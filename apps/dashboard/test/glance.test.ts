/** Which monitors the home page shows beside what is wrong. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { changedLast, leastUp, slowest } from "../src/features/now/glance.ts"
import type { MonitorSummary } from "../src/live/MonitorStore.ts"
import { order } from "../src/ui/statusOrder.ts"

const figure = fc.option(fc.double({ min: 0, max: 100, noNaN: true }))

const monitors: fc.Arbitrary<ReadonlyArray<MonitorSummary>> = fc
  .array(
    fc.record({
      responseTime: figure,
      since: fc.integer({ min: 0, max: 2_000_000_000 }),
      status: fc.constantFrom(...order),
      uptime: figure
    })
  )
  .map((all) =>
    all.map((some, index) => ({
      failure: null,
      group: null,
      id: String(index),
      name: `m${index}`,
      regions: [],
      results: "",
      stale: false,
      tags: [],
      target: null,
      type: "http",
      ...some
    }))
  )

const count = fc.integer({ min: 1, max: 6 })
const isWatched = ({ status }: MonitorSummary) => status !== "paused" && status !== "pending"

describe("the monitors beside what is wrong", () => {
  it("are the slowest, as a sorted list has them", () =>
    fc.assert(
      fc.property(monitors, count, (all, count) => {
        const known = all.filter((each) => isWatched(each) && each.responseTime !== null)
        assert.deepStrictEqual(
          slowest(all, count).map(({ responseTime }) => responseTime),
          known
            .map(({ responseTime }) => responseTime)
            .toSorted((one, other) => other! - one!)
            .slice(0, count)
        )
      })
    ))

  it("are those with the lowest uptime, and none that was up all day", () =>
    fc.assert(
      fc.property(monitors, count, (all, count) => {
        const known = all.filter((each) => isWatched(each) && each.uptime !== null && each.uptime < 100)
        assert.deepStrictEqual(
          leastUp(all, count).map(({ uptime }) => uptime),
          known
            .map(({ uptime }) => uptime)
            .toSorted((one, other) => one! - other!)
            .slice(0, count)
        )
      })
    ))

  it("are those that changed last, and none that has no status yet", () =>
    fc.assert(
      fc.property(monitors, count, (all, count) => {
        assert.deepStrictEqual(
          changedLast(all, count).map(({ since }) => since),
          all
            .filter(({ status }) => status !== "pending")
            .map(({ since }) => since)
            .toSorted((one, other) => other - one)
            .slice(0, count)
        )
      })
    ))
})
