import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { failedAgain, freeFailures, longestPause, nextAttemptAt, type SignInFailures } from "../src/SignInDelay.ts"

const failures = fc.record({ count: fc.integer({ min: 1, max: 100_000 }), lastAt: fc.integer({ min: 0, max: 1e12 }) })

describe("the delay after failed sign-ins", () => {
  it("starts after the free failures, never shrinks with more of them, and is bounded", () => {
    fc.assert(
      fc.property(failures, (before) => {
        const pause = nextAttemptAt(before) - before.lastAt
        const longer = nextAttemptAt({ ...before, count: before.count + 1 }) - before.lastAt
        assert.isTrue(pause >= 0 && pause <= longer && longer <= longestPause)
        assert.strictEqual(pause === 0, before.count <= freeFailures)
      })
    )
  })

  it("allows about a hundred guesses a day", () => {
    let now = 0
    let before: SignInFailures | undefined
    let guesses = 0
    while (now < 86_400_000) {
      before = failedAgain(before, now)
      guesses++
      now = Math.max(now + 1, nextAttemptAt(before))
    }
    assert.isBelow(guesses, 110)
  })

  it("forgets failures after a day without one", () => {
    assert.deepStrictEqual(failedAgain({ count: 40, lastAt: 0 }, 86_400_000), { count: 1, lastAt: 86_400_000 })
    assert.deepStrictEqual(failedAgain({ count: 40, lastAt: 0 }, 86_399_999), { count: 41, lastAt: 86_399_999 })
  })
})
