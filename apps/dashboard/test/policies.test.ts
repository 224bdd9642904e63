/** Escalation policies in the dashboard: the request of their form, and the groups of a course. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { Policy } from "../src/api/policy.ts"
import { type Entry, groupsOf, ownersAreTold } from "../src/features/on-call/policies/course.ts"
import {
  bodyOf,
  draftOf,
  fresh,
  isWhole,
  optionOf,
  targetOf,
  withStep
} from "../src/features/on-call/policies/draft.ts"

const policy: Policy = {
  id: "pol_1",
  organizationId: "org_1",
  key: "shop",
  name: "Shop",
  steps: [
    { afterMinutes: 0, notify: [{ scheduleId: "sch_1" }, { scheduleId: "sch_1", position: "next" }] },
    { afterMinutes: 10, notify: [{ userId: "usr_1" }, { teamId: "team_1" }, { channelId: "ch_1" }] }
  ],
  repeat: 2,
  repeatAfterMinutes: 5,
  acknowledgeTimeoutMinutes: 60,
  onExhausted: { channelId: "ch_1" },
  warnings: [],
  createdAt: "2026-11-20T09:00:00.000Z",
  updatedAt: "2026-11-20T09:00:00.000Z"
}

describe("the form of a policy", () => {
  it("sends what it began with, and leaves the key as it is", () => {
    const { name, steps, repeat, repeatAfterMinutes, acknowledgeTimeoutMinutes, onExhausted } = policy
    assert.deepStrictEqual(bodyOf(draftOf(policy)), {
      name,
      steps,
      repeat,
      repeatAfterMinutes,
      acknowledgeTimeoutMinutes,
      onExhausted
    })
  })

  it("is whole when each step tells somebody", () => {
    assert.isTrue(isWhole(draftOf(policy)))
    assert.isFalse(isWhole(fresh))
    assert.isFalse(isWhole({ ...draftOf(policy), steps: withStep(draftOf(policy).steps) }))
    assert.isFalse(isWhole({ ...draftOf(policy), name: " " }))
  })

  it("finds the target of each option", () => {
    for (const target of policy.steps.flatMap(({ notify }) => notify))
      assert.deepStrictEqual(targetOf(optionOf(target)), target)
    assert.isUndefined(targetOf("-"))
  })
})

describe("the course of an escalation", () => {
  const entry = fc.record({
    at: fc.constantFrom("2026-11-20T09:00:00.000Z", "2026-11-20T09:10:00.000Z"),
    type: fc.constantFrom<Entry["type"]>("step_ran", "page", "nobody_reached", "exhausted"),
    round: fc.nat(2),
    step: fc.option(fc.nat(2)),
    userId: fc.constantFrom("usr_1", "usr_2"),
    channelId: fc.constant(null),
    methodType: fc.constant("email"),
    heldUntil: fc.constantFrom(null, "2026-11-20T21:00:00.000Z", "2026-11-21T06:00:00.000Z")
  })

  it("ends with the owners, unless a channel is told of an end after somebody was reached", () => {
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        const reached = groupsOf(entries).some(({ pages }) => pages.length > 0)
        assert.isTrue(ownersAreTold(entries, null))
        assert.strictEqual(ownersAreTold(entries, policy.onExhausted), !reached)
      })
    )
  })

  it("keeps every page, in its order, in the group of its step", () => {
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        const groups = groupsOf(entries)
        assert.deepStrictEqual(
          groups.flatMap(({ pages }) => pages),
          entries.filter(({ type }) => type === "page")
        )
        for (const { at, pages, round, step } of groups)
          for (const page of pages) assert.deepStrictEqual([page.at, page.round, page.step], [at, round, step])
      })
    )
  })

  it("tells what is sent at once from what waits, by the end of the quiet hours that hold it", () => {
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        for (const { pages, sent, waiting } of groupsOf(entries)) {
          assert.sameMembers([...sent, ...[...waiting.values()].flat()], [...pages])
          assert.isTrue(sent.every(({ heldUntil }) => heldUntil === null))
          for (const [until, held] of waiting) assert.isTrue(held.every(({ heldUntil }) => heldUntil === until))
        }
      })
    )
  })
})
