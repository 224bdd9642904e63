/** The made-up past, held against the judge that reads it. */
import { assert, describe, it } from "@effect/vitest"
import { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import { initial, judge } from "@kanmon/domain/Judge"
import { dayMillis } from "@kanmon/domain/Timestamp"
import { measure, type TimelineEntry } from "@kanmon/domain/Uptime"
import fc from "fast-check"
import { beginning, type Episode, episodes, results, sparseSeconds } from "../../src/demo/History.ts"
import { type Part, parts } from "../../src/demo/Shop.ts"

const monitorId = MonitorId.make("mon_demo")
const projectId = ProjectId.make("prj_demo")
const settings = { intervalMillis: sparseSeconds * 1000, regions: [] }

/** The time line that the judge makes of a part's results. */
const timelineOf = (part: Part, now: number): ReadonlyArray<TimelineEntry> => {
  let state = initial(beginning(part, now))
  const timeline: Array<TimelineEntry> = []
  results(part, now).forEach(({ at, responseTime, status }, slot) => {
    const failure = status === "up" ? null : { code: "made_up", message: "made up" }
    const when = { slot, scheduledAt: at, checkedAt: at }
    const found = { status, responseTime, failure, timing: {}, facts: {} }
    const judgement = judge(state, { monitorId, projectId, region: "eu-west", ...when, ...found }, settings)
    timeline.push(...judgement.changes)
    state = judgement.state
  })
  return timeline
}

const instants = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2060, 0, 1) })

const lengthOf = (all: ReadonlyArray<Episode>, now: number): number =>
  all.reduce((sum, { from, status, to }) => sum + (status === "down" ? (to ?? now) - from : 0), 0)

describe("the made-up past", () => {
  it("is judged as it was made up, whenever the demonstration starts", () => {
    fc.assert(
      fc.property(instants, fc.constantFrom(...parts), (now, part) => {
        const timeline = timelineOf(part, now)
        assert.isFalse(timeline.some(({ status }) => status === "unknown"))
        assert.strictEqual(measure(timeline, 0, now).down, lengthOf(episodes(part, now), now))
        assert.strictEqual(timeline.at(-1)!.status, episodes(part, now).find(({ to }) => to === null)?.status ?? "up")
      }),
      { numRuns: 60 }
    )
  })

  it("lies in the past, within the time that the part was watched, in order", () => {
    fc.assert(
      fc.property(instants, fc.constantFrom(...parts), (now, part) => {
        const began = beginning(part, now)
        let last = began
        for (const { from, to } of episodes(part, now)) {
          assert.isAtLeast(from, last)
          last = to ?? now
          assert.isAbove(last, from)
        }
        assert.isAtMost(last, now)
        const times = results(part, now).map(({ at }) => at)
        assert.strictEqual(times[0], began)
        assert.isTrue(times.every((at, index) => index === 0 || at > times[index - 1]!))
        assert.isBelow(times.at(-1)!, now)
      }),
      { numRuns: 60 }
    )
  })

  it("looks the same on another day", () => {
    const now = Date.UTC(2026, 10, 21, 15)
    const seenFrom = (at: number, part: Part) => results(part, at).map((result) => ({ ...result, at: result.at - at }))
    for (const part of parts) assert.deepStrictEqual(seenFrom(now + 3 * dayMillis, part), seenFrom(now, part))
  })

  it("has parts that never failed, parts that fail now, and one that is new", () => {
    const now = Date.UTC(2026, 10, 21, 15)
    assert.isAtLeast(parts.filter((part) => episodes(part, now).length === 0).length, 2)
    assert.isAtLeast(parts.filter(({ unwellFor }) => unwellFor !== null).length, 2)
    assert.deepStrictEqual(
      parts.flatMap(({ days, name }) => (days < 90 ? [name] : [])),
      ["Recommendations"]
    )
  })
})
