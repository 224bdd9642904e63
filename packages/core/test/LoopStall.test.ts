import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { Activity } from "../src/Activity.ts"
import { heldOf, isHeld, isSame, type LoopStall, requestsHeldMillis, suspectsOf } from "../src/LoopStall.ts"

// Few values, so that the same work comes again.
const activities: fc.Arbitrary<Activity> = fc.record({
  kind: fc.constantFrom("check", "channel", "auth", "plugin", "request"),
  key: fc.constantFrom("a", "b"),
  version: fc.constantFrom("1", "2"),
  label: fc.constant("a label"),
  size: fc.constant(null)
})

const now = 10 * requestsHeldMillis

const stalls: fc.Arbitrary<ReadonlyArray<LoopStall>> = fc.array(
  fc.record({
    at: fc.integer({ min: 0, max: now }),
    release: fc.constant("1.0.0"),
    stalledMillis: fc.constant(5000),
    activity: fc.option(activities),
    plugin: fc.constant(null),
    stack: fc.constant([]),
    inFlight: fc.array(activities, { maxLength: 3 })
  }),
  { maxLength: 8 }
)

const stallIn = (activity: Activity | null, at: number, inFlight: ReadonlyArray<Activity> = []): LoopStall => ({
  at,
  release: "1.0.0",
  stalledMillis: 5000,
  activity,
  plugin: null,
  stack: [],
  inFlight
})

const check: Activity = { kind: "check", key: "mon_1", version: "1", label: "http", size: null }

describe("LoopStall", () => {
  it("holds nothing back before its second stall, and the same work after it", () =>
    fc.assert(
      fc.property(activities, stalls, (activity, before) => {
        const others = before.filter((stall) => !suspectsOf(stall).some((suspect) => isSame(suspect, activity)))
        assert.isFalse(isHeld(others, activity, now))
        assert.isFalse(isHeld([...others, stallIn(activity, now)], activity, now))
        assert.isTrue(isHeld([stallIn(activity, now), ...others, stallIn(activity, now)], activity, now))
      })
    ))

  it("runs what was changed", () =>
    fc.assert(
      fc.property(stalls, (all) => {
        for (const held of heldOf(all, now)) assert.isFalse(isHeld(all, { ...held, version: "changed" }, now))
      })
    ))

  it("lists each that is held back once, and nothing else", () =>
    fc.assert(
      fc.property(stalls, activities, (all, activity) => {
        const listed = heldOf(all, now).filter((held) => isSame(held, activity))
        assert.lengthOf(listed, isHeld(all, activity, now) ? 1 : 0)
      })
    ))

  it("holds requests back for an hour, and other work for as long as it does not change", () =>
    fc.assert(
      fc.property(activities, fc.integer({ min: 0, max: 2 * requestsHeldMillis }), (activity, later) => {
        const twice = [stallIn(activity, now), stallIn(activity, now)]
        const expected = activity.kind !== "request" || later < requestsHeldMillis
        assert.strictEqual(isHeld(twice, activity, now + later), expected)
      })
    ))

  it("suspects what was in flight only where it is not known what ran", () => {
    const other = { ...check, key: "mon_2" }
    const known = [stallIn(check, now, [other]), stallIn(check, now, [other])]
    assert.isTrue(isHeld(known, check, now))
    assert.isFalse(isHeld(known, other, now))
    const unknown = [stallIn(null, now, [check, other]), stallIn(null, now, [check])]
    assert.isTrue(isHeld(unknown, check, now))
    assert.isFalse(isHeld(unknown, other, now))
  })
})
