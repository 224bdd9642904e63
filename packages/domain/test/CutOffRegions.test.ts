/** Regions that were cut off from the engine report one after the other: when an outage began and ended does not depend on their order. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { MonitorId, ProjectId } from "../src/Ids.ts"
import type { MonitorState } from "../src/MonitorState.ts"
import type { Observation } from "../src/Observation.ts"
import { evaluate, initial, type StatusChange } from "../src/StatusEvaluation.ts"
import type { RegionStatus } from "../src/Status.ts"

const interval = 10_000
const regions = ["ap-south", "eu-west", "us-east"] as const

const observed = (region: string, slot: number, status: RegionStatus): Observation => ({
  monitorId: MonitorId.make("mon_1"),
  projectId: ProjectId.make("prj_1"),
  region,
  slot,
  scheduledAt: slot * interval,
  checkedAt: slot * interval + regions.findIndex((name) => name === region),
  status,
  responseTime: null,
  timing: {},
  failure: status === "up" ? null : { code: "x", message: "y" },
  facts: {}
})

const play = (observations: ReadonlyArray<Observation>) => {
  let state: MonitorState = initial(0)
  const changes: Array<StatusChange> = []
  for (const observation of observations) {
    const evaluation = evaluate(state, observation, { intervalMillis: interval, regions: [] })
    state = evaluation.state
    changes.push(...evaluation.changes)
  }
  return { state, changes }
}

const recoveries = (observations: ReadonlyArray<Observation>) =>
  play(observations).changes.flatMap(({ at, previous, status }) => (status === "up" && previous === "down" ? [at] : []))

const outages = (observations: ReadonlyArray<Observation>) =>
  play(observations).changes.flatMap(({ at, status }) => (status === "down" ? [at] : []))

/**
 * The results of each region in its order: up for some slots, then down in two, which is as long as the results of other regions are
 * current. After more, the region that reports first decides alone.
 */
const lanes = fc.record({
  before: fc.integer({ min: 1, max: 4 }),
  order: fc.shuffledSubarray([...regions], { minLength: 3 }),
  picks: fc.array(fc.nat(2), { minLength: 12, maxLength: 12 })
})

describe("regions that were cut off", () => {
  it("date an outage to its first failing checks by majority, in whichever order they report", () => {
    fc.assert(
      fc.property(lanes, ({ before, order, picks }) => {
        const healthy = Array.from({ length: before }, (_, slot) =>
          regions.map((region) => observed(region, slot + 1, "up"))
        ).flat()
        const failing = (region: string) => [1, 2].map((nth) => observed(region, before + nth, "down"))
        const queues = order.map(failing)
        const mixed: Array<Observation> = []
        for (const pick of picks) {
          const queue = queues[pick]!
          const next = queue.shift()
          if (next !== undefined) mixed.push(next)
        }
        mixed.push(...queues.flat())
        // Which two regions make the majority depends on who reports; both failed in this slot.
        const slots = outages([...healthy, ...mixed]).map((at) => Math.floor(at / interval))
        assert.deepStrictEqual(slots, [before + 1])
      })
    )
  })

  it("date a recovery to its first passing checks by majority, in whichever order they report", () => {
    fc.assert(
      fc.property(lanes, ({ before, order, picks }) => {
        const until = before + 1
        const healthy = regions.map((region) => observed(region, 1, "up"))
        const down = Array.from({ length: before }, (_, slot) =>
          regions.map((region) => observed(region, slot + 2, "down"))
        ).flat()
        const queues = order.map((region) => [1, 2].map((nth) => observed(region, until + nth, "up")))
        const mixed: Array<Observation> = []
        for (const pick of picks) {
          const next = queues[pick]!.shift()
          if (next !== undefined) mixed.push(next)
        }
        mixed.push(...queues.flat())
        const slots = recoveries([...healthy, ...down, ...mixed]).map((at) => Math.floor(at / interval))
        assert.deepStrictEqual(slots, [until + 1])
      })
    )
  })

  it("do not date a recovery into time in which the others failed, nor before their response", () => {
    const healthy = regions.map((region) => observed(region, 1, "up"))
    const down = [2, 3].flatMap((slot) => regions.map((region) => observed(region, slot, "down")))
    const failing = [4, 5].flatMap((slot) => [observed("eu-west", slot, "down"), observed("us-east", slot, "down")])
    const passing = [4, 5, 6, 7, 8].map((slot) => observed("ap-south", slot, "up"))
    // Both others fail until slot 5; their last results are current for two intervals more.
    assert.deepStrictEqual(recoveries([...healthy, ...down, ...failing, ...passing]), [7 * interval])
    const answered = (region: string, slot: number) => ({
      ...observed(region, slot, "up"),
      finishedAt: slot * interval + 4000
    })
    const both = [4, 5].map((slot) => answered("ap-south", slot)).concat([answered("eu-west", 4)])
    assert.deepStrictEqual(recoveries([...healthy, ...down, ...both]), [4 * interval + 4000])
  })

  it.each([
    { why: "it was away", between: [] },
    {
      why: "its checks could not run",
      between: [3, 4, 5, 6, 7].map((slot) => observed("ap-south", slot, "unknown"))
    }
  ])("do not date a recovery by a region into time in which $why", ({ between }) => {
    const others = [1, 2, 3, 4, 5, 6, 7].map((slot) => observed("eu-west", slot, slot < 3 ? "up" : "down"))
    const own = [1, 2].map((slot) => observed("ap-south", slot, "up")).concat(between)
    const mixed = [...own, ...others].sort((one, other) => one.checkedAt - other.checkedAt)
    assert.deepStrictEqual(recoveries([...mixed, observed("ap-south", 8, "up")]), [8 * interval])
  })

  it("do not date an outage into time in which the others passed", () => {
    const healthy = [1, 2, 3].flatMap((slot) => regions.map((region) => observed(region, slot, "up")))
    const passing = [4, 5].flatMap((slot) => [observed("eu-west", slot, "up"), observed("us-east", slot, "up")])
    const failing = [4, 5, 6, 7, 8].map((slot) => observed("ap-south", slot, "down"))
    // Both others pass until slot 5; their last results are current for two intervals more.
    assert.deepStrictEqual(outages([...healthy, ...passing, ...failing]), [8 * interval - 10_000])
  })

  it("do not date a recovery before any of the passing regions had begun to pass", () => {
    const status = fc.constantFrom<RegionStatus>("up", "down", "unknown")
    const step = fc.record({ region: fc.constantFrom(...regions), gap: fc.integer({ min: 1, max: 4 }), status })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const slots: Record<string, number> = {}
        const observations = steps.map(({ gap, region, status: seen }) =>
          observed(region, (slots[region] = (slots[region] ?? 0) + gap), seen)
        )
        for (const at of recoveries(observations)) {
          const passed = observations.filter((each) => each.status === "up").map(({ checkedAt }) => checkedAt)
          assert.isTrue(passed.some((each) => each <= at))
        }
      })
    )
  })

  it("never change what the history says before its newest entry", () => {
    const status = fc.constantFrom<RegionStatus>("up", "degraded", "down", "unknown")
    const step = fc.record({ region: fc.constantFrom(...regions), gap: fc.integer({ min: 1, max: 4 }), status })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const slots: Record<string, number> = {}
        const { changes } = play(
          steps.map(({ gap, region, status: seen }) =>
            observed(region, (slots[region] = (slots[region] ?? 0) + gap), seen)
          )
        )
        for (const [index, { at }] of changes.entries()) if (index > 0) assert.isAtLeast(at, changes[index - 1]!.at)
      })
    )
  })
})
