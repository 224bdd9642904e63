/** Tests of how pages reach a person: each method once, at its time, and an end that is always found. */
import { assert, describe, it } from "@effect/vitest"
import { UserId } from "../src/Ids.ts"
import { answerMillis, endOf, pageTestStep, plannedPages, TestPageStatus } from "../src/PageTest.ts"
import * as fc from "fast-check"

const minute = 60_000
const userId = UserId.make("usr_1")

const entries = fc.array(
  fc.record({ afterMinutes: fc.nat(120), methodId: fc.nat(5).map((number) => `ctm_${number}`) }),
  { minLength: 1, maxLength: 8 }
)

describe("a page test", () => {
  it("pages each method of the list once, after the minutes of its first entry", () =>
    fc.assert(
      fc.property(entries, fc.nat(1_000_000), (list, at) => {
        const ordered = list.toSorted((one, other) => one.afterMinutes - other.afterMinutes)
        const pages = plannedPages({ userId, entries: ordered }, at)
        assert.deepStrictEqual(
          pages.map(({ contactMethodId }) => contactMethodId as string).toSorted(),
          [...new Set(list.map(({ methodId }) => methodId))].toSorted()
        )
        for (const { contactMethodId, dueAt } of pages) {
          const first = Math.min(
            ...list.flatMap(({ afterMinutes, methodId }) => (methodId === contactMethodId ? [afterMinutes] : []))
          )
          assert.strictEqual(dueAt, at + first * minute)
          assert.isTrue(endOf(pages, at) >= dueAt + answerMillis)
        }
      })
    ))

  it("has no pages where the list is empty", () => {
    assert.deepStrictEqual(plannedPages({ userId, entries: [] }, 0), [])
  })

  const pages = fc.array(
    fc.record({
      dueAt: fc.nat(60).map((minutes) => minutes * minute),
      status: fc.constantFrom(...TestPageStatus.literals)
    }),
    { minLength: 1, maxLength: 6 }
  )

  it("sends a page when it is due and never again, and looks again at the next one or at the end", () =>
    fc.assert(
      fc.property(
        pages,
        fc.nat(200).map((minutes) => minutes * minute),
        (all, now) => {
          const endsAt = endOf(all, 0)
          const step = pageTestStep({ endsAt, pages: all }, now)
          const isOver = now >= endsAt
          const isLost = all.every(({ status }) => status === "failed")
          if (step._tag === "End") {
            assert.isTrue(isOver || isLost)
            return assert.strictEqual(step.state, isLost ? "unreached" : "unanswered")
          }
          assert.isFalse(isOver || isLost)
          assert.deepStrictEqual(
            step.due,
            all.filter(({ dueAt, status }) => status === "waiting" && dueAt <= now)
          )
          assert.isTrue(step.lookAt > now && step.lookAt <= endsAt)
          for (const { dueAt, status } of all)
            if (status === "waiting" && dueAt > now) assert.isTrue(step.lookAt <= dueAt)
        }
      )
    ))
})
