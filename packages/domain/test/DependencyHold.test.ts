import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { type Condition, decide } from "../src/Alerting.ts"
import { hold, type Hold, type Parent, patienceMillis } from "../src/DependencyHold.ts"
import { ChannelId, MonitorId } from "../src/Ids.ts"
import { rule } from "./SampleRule.ts"

const minute = 60_000

const condition = (trigger: Condition["trigger"], change: Partial<Condition>): Condition => ({
  trigger,
  state: "over",
  streak: 0,
  since: 0,
  about: "",
  step: 0,
  ...change
})

/** The conditions of a child that has failed `streak` times since an instant; it passes with 0. */
const childOf = (streak: number, since: number): ReadonlyArray<Condition> => [
  condition("monitor_down", { state: streak > 0 ? "holds" : "over", streak, since }),
  condition("monitor_degraded", { state: streak > 0 ? "unclear" : "over", streak, since }),
  condition("ssl_expired", { state: "holds", streak: 1, since })
]

const opens = (conditions: ReadonlyArray<Condition>, failures = 1): boolean =>
  decide(MonitorId.make("mon_a"), conditions, [rule("a", failures)], [], [ChannelId.make("ch_a")]).some(
    ({ _tag }) => _tag === "Open"
  )

const parent = fc.record<Parent>({
  isDown: fc.boolean(),
  checkedAt: fc.option(fc.integer({ min: 0, max: 100 * minute }))
})

/** Checks of a child, one a minute: whether it fails, and whether the parent is down at that time. */
const outage = fc.array(fc.record({ fails: fc.boolean(), isDown: fc.boolean() }), { minLength: 1, maxLength: 30 })

/** Plays an outage; the parent is checked just before the child each time, so that nothing waits. */
const play = (checks: ReadonlyArray<{ readonly fails: boolean; readonly isDown: boolean }>) => {
  let before: Hold | undefined
  let streak = 0
  let since = 0
  return checks.map(({ fails, isDown }, index) => {
    const at = index * minute
    if (!fails) streak = 0
    else if (streak++ === 0) since = at
    const given = childOf(streak, fails ? since : at)
    const held = hold(given, [{ isDown, checkedAt: at + 1 }], before, at)
    before = held.hold
    return { given, ...held }
  })
}

describe("hold", () => {
  it("never holds a recovery, and adds or drops no condition", () =>
    fc.assert(
      fc.property(outage, fc.array(parent, { maxLength: 3 }), fc.nat(100 * minute), (checks, parents, at) => {
        for (const { given, hold: before } of play(checks)) {
          const { conditions } = hold(given, parents, before, at)
          assert.deepStrictEqual(
            conditions.map(({ trigger }) => trigger),
            given.map(({ trigger }) => trigger)
          )
          for (const [index, one] of given.entries()) {
            if (one.state === "over") assert.strictEqual(conditions[index]!.state, "over")
            assert.isAtLeast(conditions[index]!.streak, 0)
          }
        }
      })
    ))

  it("opens nothing while a parent is down", () =>
    fc.assert(
      fc.property(outage, fc.array(parent), fc.nat(100 * minute), (checks, parents, at) => {
        for (const { given, hold: before } of play(checks)) {
          const { conditions } = hold(given, [...parents, { isDown: true, checkedAt: null }], before, at)
          assert.isFalse(opens(conditions))
        }
      })
    ))

  it("counts the child's failures from zero once the parent is up", () =>
    fc.assert(
      fc.property(outage, fc.integer({ min: 1, max: 5 }), (checks, failures) => {
        let counted = 0
        for (const [index, { conditions }] of play(checks).entries()) {
          const { fails, isDown } = checks[index]!
          counted = fails && !isDown ? counted + 1 : 0
          assert.strictEqual(opens(conditions, failures), counted >= failures)
        }
      })
    ))

  it("changes nothing without parents, and remembers nothing", () =>
    fc.assert(
      fc.property(outage, fc.nat(100 * minute), (checks, at) => {
        for (const { given, hold: before } of play(checks))
          assert.deepStrictEqual(hold(given, [], before, at), { conditions: given, hold: undefined })
      })
    ))

  it("waits for the parent's next check after the first failure, and never longer than its patience", () =>
    fc.assert(
      fc.property(fc.nat(3 * patienceMillis), fc.integer({ min: -minute, max: 3 * minute }), (waited, checked) => {
        const since = 10 * minute
        const parents = [{ isDown: false, checkedAt: since + checked }]
        const first = hold(childOf(1, since), [{ isDown: false, checkedAt: since - 1 }], undefined, since)
        assert.isFalse(opens(first.conditions))
        const later = hold(childOf(1, since), parents, first.hold, since + waited)
        assert.strictEqual(opens(later.conditions), checked >= 0 || waited >= patienceMillis)
        assert.strictEqual(later.hold === undefined, opens(later.conditions))
      })
    ))

  it("keeps the failures of a waiting child when the parent turns out to be up", () => {
    const since = 10 * minute
    const first = hold(childOf(1, since), [{ isDown: false, checkedAt: 0 }], undefined, since)
    const second = hold(childOf(2, since), [{ isDown: false, checkedAt: since + 1 }], first.hold, since + minute)
    assert.isTrue(opens(second.conditions, 2))
  })

  it("does not wait for a parent that is not checked", () => {
    const held = hold(childOf(1, minute), [{ isDown: false, checkedAt: null }], undefined, minute)
    assert.isTrue(opens(held.conditions))
  })
})
