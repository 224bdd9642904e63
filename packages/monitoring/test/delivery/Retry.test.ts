import { assert, describe, it } from "@effect/vitest"
import { throttled, unreachable } from "@kanmon/core/Channel"
import * as fc from "fast-check"
import { afterFailure, pageDeadline } from "../../src/delivery/Retry.ts"

const now = Date.UTC(2026, 10, 20, 12)
const options = fc.record({
  attempts: fc.nat(50),
  failures: fc.nat(50),
  random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  createdAt: fc.constant(now),
  deadline: fc.constant(null),
  now: fc.constant(now)
})

describe("a notification that could not be delivered", () => {
  it("is tried again no sooner than the destination says, nor its channel's others", () => {
    fc.assert(
      fc.property(options, fc.integer({ min: 1, max: 3600 }), (given, seconds) => {
        const outcome = afterFailure({ ...given, reason: throttled("slow", seconds).reason })
        if (outcome._tag !== "Retry") return assert.fail("it gives up")
        assert.isAtLeast(outcome.at, now + seconds * 1000)
        assert.strictEqual(outcome.restUntil, now + seconds * 1000)
      })
    )
  })

  it("rests from five seconds on, longer each time, where the destination does not say for how long", () => {
    fc.assert(
      fc.property(options, (given) => {
        const restAfter = (failures: number) => {
          const outcome = afterFailure({ ...given, failures, reason: throttled("slow").reason })
          if (outcome._tag !== "Retry" || outcome.restUntil === null) return assert.fail("it does not rest")
          assert.isAtLeast(outcome.at, outcome.restUntil)
          return outcome.restUntil - now
        }
        assert.isTrue(restAfter(0) >= 5000 && restAfter(0) <= 7000)
        assert.isAtLeast(restAfter(given.failures + 1), restAfter(given.failures))
        assert.isAtMost(restAfter(given.failures), 21 * 60_000)
      })
    )
  })

  it("is tried again five seconds after a failure at the earliest", () => {
    fc.assert(
      fc.property(options, (given) => {
        const outcome = afterFailure({ ...given, reason: unreachable("away").reason })
        if (outcome._tag !== "Retry") return assert.fail("it gives up")
        assert.isAtLeast(outcome.at - now, 5000)
      })
    )
  })

  it("lets its channel's others try after one failure, and rest after three", () => {
    fc.assert(
      fc.property(options, (given) => {
        const outcome = afterFailure({ ...given, reason: unreachable("away").reason })
        assert.strictEqual(outcome._tag === "Retry" && outcome.restUntil !== null, given.failures >= 2)
      })
    )
  })

  it("is given up ten minutes after its first attempt where it is a page, and its last attempt is then", () => {
    fc.assert(
      fc.property(options, fc.nat(1_200_000), fc.boolean(), (given, age, isThrottled) => {
        const deadline = pageDeadline(now - age)
        const reason = (isThrottled ? throttled("slow", 3600) : unreachable("away")).reason
        const outcome = afterFailure({ ...given, deadline, reason })
        assert.strictEqual(outcome._tag, age < 600_000 ? "Retry" : "Failed")
        if (outcome._tag !== "Retry") return
        assert.isAtMost(outcome.at, deadline)
        assert.isAtMost(outcome.restUntil ?? 0, deadline)
      })
    )
  })
})
