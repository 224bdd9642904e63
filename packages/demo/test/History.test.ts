import { assert, describe, it } from "@effect/vitest"
import { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import { initial, evaluate } from "@kanmon/domain/StatusEvaluation"
import { dayMillis } from "@kanmon/domain/Timestamp"
import { measure, type TimelineEntry } from "@kanmon/domain/Uptime"
import fc from "fast-check"
import { startOf, type Episode, episodes, results, sparseSeconds } from "../src/History.ts"
import { type Component, components } from "../src/Shop.ts"

const monitorId = MonitorId.make("mon_demo")
const projectId = ProjectId.make("prj_demo")
const settings = { intervalMillis: sparseSeconds * 1000, regions: [] }

/** The status history of a component's results. */
const timelineOf = (component: Component, now: number): ReadonlyArray<TimelineEntry> => {
  let state = initial(startOf(component, now))
  const timeline: Array<TimelineEntry> = []
  results(component, now).forEach(({ at, responseTime, status }, slot) => {
    const failure = status === "up" ? null : { code: "made_up", message: "made up" }
    const when = { slot, scheduledAt: at, checkedAt: at }
    const found = { status, responseTime, failure, timing: {}, facts: {} }
    const evaluation = evaluate(state, { monitorId, projectId, region: "eu-west", ...when, ...found }, settings)
    timeline.push(...evaluation.changes)
    state = evaluation.state
  })
  return timeline
}

const instants = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2060, 0, 1) })

const lengthOf = (all: ReadonlyArray<Episode>, now: number): number =>
  all.reduce((sum, { from, status, to }) => sum + (status === "down" ? (to ?? now) - from : 0), 0)

describe("the history of the demo", () => {
  it("is evaluated to the declared episodes, whenever the demo starts", () => {
    fc.assert(
      fc.property(instants, fc.constantFrom(...components), (now, component) => {
        const timeline = timelineOf(component, now)
        assert.isFalse(timeline.some(({ status }) => status === "unknown"))
        assert.strictEqual(measure(timeline, 0, now).down, lengthOf(episodes(component, now), now))
        assert.strictEqual(
          timeline.at(-1)!.status,
          episodes(component, now).find(({ to }) => to === null)?.status ?? "up"
        )
      }),
      { numRuns: 60 }
    )
  })

  it("is ordered, begins with monitoring and ends before now", () => {
    fc.assert(
      fc.property(instants, fc.constantFrom(...components), (now, component) => {
        const began = startOf(component, now)
        let last = began
        for (const { from, to } of episodes(component, now)) {
          assert.isAtLeast(from, last)
          last = to ?? now
          assert.isAbove(last, from)
        }
        assert.isAtMost(last, now)
        const times = results(component, now).map(({ at }) => at)
        assert.strictEqual(times[0], began)
        assert.isTrue(times.every((at, index) => index === 0 || at > times[index - 1]!))
        assert.isBelow(times.at(-1)!, now)
      }),
      { numRuns: 60 }
    )
  })

  it("looks the same on another day", () => {
    const now = Date.UTC(2026, 10, 21, 15)
    const seenFrom = (at: number, component: Component) =>
      results(component, at).map((result) => ({ ...result, at: result.at - at }))
    for (const component of components)
      assert.deepStrictEqual(seenFrom(now + 3 * dayMillis, component), seenFrom(now, component))
  })

  it("has components that never failed, components that fail now, and one that is new", () => {
    const now = Date.UTC(2026, 10, 21, 15)
    assert.isAtLeast(components.filter((component) => episodes(component, now).length === 0).length, 2)
    assert.isAtLeast(components.filter(({ failingFor }) => failingFor !== null).length, 2)
    assert.deepStrictEqual(
      components.flatMap(({ days, name }) => (days < 90 ? [name] : [])),
      ["Recommendations"]
    )
  })
})
