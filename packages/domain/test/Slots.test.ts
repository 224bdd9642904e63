import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { catchUp, hash, nextSlot, phase, retryAt, slotOf, slotStart } from "../src/Slots.ts"

const interval = fc.integer({ min: 10_000, max: 86_400_000 })
const now = fc.integer({ min: 1_600_000_000_000, max: 2_000_000_000_000 })

describe("slots", () => {
  it("contains the instant", () => {
    fc.assert(
      fc.property(fc.string(), interval, now, (id, millis, at) => {
        const own = phase(id, millis)
        const slot = slotOf(at, own, millis)
        assert.isAtMost(slotStart(slot, own, millis), at)
        assert.isAbove(slotStart(slot + 1, own, millis), at)
      })
    )
  })

  it("follows the previous slot without drift over 10,000 ticks", () => {
    fc.assert(
      fc.property(fc.string(), interval, now, (id, millis, at) => {
        const own = phase(id, millis)
        let clock = at
        let last: number | null = null
        const first = nextSlot(clock, last, own, millis)
        for (let tick = 0; tick < 10_000; tick++) {
          const slot: number = nextSlot(clock, last, own, millis)
          assert.strictEqual(slot, first + tick)
          clock = slotStart(slot, own, millis)
          last = slot
        }
      }),
      { numRuns: 10 }
    )
  })

  it("never starts in the past, and never repeats", () => {
    fc.assert(
      fc.property(fc.string(), interval, now, fc.integer({ min: -3, max: 3 }), (id, millis, at, ahead) => {
        const own = phase(id, millis)
        const last = slotOf(at, own, millis) + ahead
        const slot = nextSlot(at, last, own, millis)
        assert.isAbove(slot, last)
        assert.isAtLeast(slotStart(slot, own, millis), at)
      })
    )
  })

  it("is spread evenly over the interval by monitor id", () => {
    const buckets = Array.from({ length: 20 }, () => 0)
    for (let index = 0; index < 20_000; index++) {
      buckets[Math.floor((phase(`mon_01kxy${index.toString(36)}`, 60_000) / 60_000) * 20)]!++
    }
    for (const count of buckets) assert.closeTo(count, 1000, 200)
  })

  it("is the same on every machine", () => assert.strictEqual(hash("mon_1"), hash("mon_1")))

  it("is caught up within itself, and within half an interval of short ones", () => {
    fc.assert(
      fc.property(fc.string(), interval, now, (id, millis, at) => {
        const own = phase(id, millis)
        const late = catchUp(at, own, millis)
        const next = slotStart(nextSlot(at, null, own, millis), own, millis)
        if (late === null) return assert.isAtMost(next - at, Math.ceil(millis / 2))
        assert.isAtLeast(late, at)
        assert.isAtMost(late - at, Math.min(millis / 2, 30_000))
        assert.isAtLeast(next - late, millis / 10, "there is time for it before the next one")
        assert.strictEqual(slotOf(late, own, millis), slotOf(at, own, millis))
      })
    )
  })

  it("plans a retry after the failed check, at most an interval later, and at the same instant on every probe", () => {
    const millis = fc.integer({ min: 10_000, max: 86_400_000 })
    fc.assert(
      fc.property(now, millis, millis, fc.nat(120_000), fc.nat(5000), (due, one, other, took, later) => {
        const [retry, whole] = one < other ? [one, other] : [other, one]
        const at = retryAt(due, due + took, retry, whole)
        if (at === null) return assert.isAbove(took + retry, whole)
        assert.isAtLeast(at, due + Math.max(retry, took))
        assert.isAtMost(at, due + whole)
        assert.isBelow(at - due - took, retry + 1)
        const elsewhere = retryAt(due, due + took + later, retry, whole)
        if (at - due - took >= later) assert.strictEqual(elsewhere, at)
      })
    )
  })
})
