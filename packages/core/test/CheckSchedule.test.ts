import { assert, describe, it } from "@effect/vitest"
import { MonitorId } from "@kanmon/domain/Ids"
import { phase, slotOf, slotStart } from "@kanmon/domain/Slots"
import * as fc from "fast-check"
import { CheckSchedule } from "../src/CheckSchedule.ts"

const from = 1_700_000_000_000
const timing = fc.record({
  id: fc.nat().map((id) => MonitorId.make(`mon_${id}`)),
  interval: fc.integer({ min: 10, max: 600 })
})
const minutely = { id: MonitorId.make("mon_1"), interval: 60 }
const gathering = fc.constantFrom(undefined, { cell: 1000, window: 1 }, { cell: 250, window: 16 })

describe("the schedule of a monitor's checks", () => {
  it("begins or counts every slot once, however late it is asked and however long checks take", () => {
    const step = fc.record({ late: fc.nat(2000), takes: fc.nat(2000) })
    fc.assert(
      fc.property(timing, gathering, fc.array(step, { minLength: 1, maxLength: 50 }), (settings, gathered, steps) => {
        const interval = settings.interval * 1000
        const schedule = new CheckSchedule(settings, () => gathered, false)
        let now = from
        let busyUntil = 0
        let accounted = 0
        let first: number | undefined
        let last = Number.NEGATIVE_INFINITY
        for (const { late, takes } of steps) {
          const due = schedule.plan(now, now < busyUntil)
          // Up to twice the interval too late, as when the process is busy or was suspended.
          now = Math.max(now, due + Math.round((late / 1000) * interval))
          if (schedule.plan(now, now < busyUntil) > now) continue
          const running = now < busyUntil ? { isRetry: false } : undefined
          const { lagMillis, scheduledAt, skipped, slot } = schedule.begin(now, running)
          assert.isAbove(slot, last, "a slot runs once")
          assert.strictEqual(scheduledAt, slotStart(slot, phase(settings.id, interval), interval))
          assert.isAtLeast(lagMillis, 0)
          first ??= slot - skipped + (running === undefined ? 0 : 1)
          accounted += skipped + (running === undefined ? 1 : 0)
          last = slot
          if (running === undefined) busyUntil = now + Math.round((takes / 1000) * interval)
        }
        if (first !== undefined) assert.strictEqual(accounted, last - first + 1)
      })
    )
  })

  it("catches up on the slot that began before, in the first half of the interval, and not on others", () => {
    fc.assert(
      fc.property(timing, fc.nat(600_000), (settings, later) => {
        const interval = settings.interval * 1000
        const now = from + later
        const own = phase(settings.id, interval)
        const current = slotOf(now, own, interval)
        const schedule = new CheckSchedule(settings, undefined, true)
        const at = schedule.plan(now, false)
        const { slot } = schedule.begin(at, undefined)
        const isEarly = now - slotStart(current, own, interval) < interval / 2
        assert.strictEqual(slot, isEarly ? current : current + 1)
        assert.strictEqual(schedule.begin(schedule.plan(at, false), undefined).slot, slot + 1)
      })
    )
  })

  it("repeats a failed check in place of the slots that begin before, and forgets it after a good one", () => {
    const retry = { interval: 10, failures: 3 }
    const interval = 60_000
    const schedule = new CheckSchedule({ ...minutely, retry }, undefined, false)
    const first = schedule.begin(schedule.plan(from, false), undefined)
    assert.isTrue(schedule.observe("down", first.scheduledAt))
    const at = schedule.plan(first.scheduledAt + 500, false)
    assert.strictEqual(at, first.scheduledAt + 10_000)
    const second = schedule.begin(at + 20, undefined)
    assert.deepStrictEqual(second, {
      slot: first.slot,
      scheduledAt: at,
      lagMillis: 20,
      isRetry: true,
      skipped: 0
    })
    assert.isFalse(schedule.observe("up", second.scheduledAt))
    assert.strictEqual(schedule.plan(at + 500, false), first.scheduledAt + interval)
  })

  it("lets a check on demand stand in for a slot that begins within a second", () => {
    const schedule = new CheckSchedule(minutely, undefined, false)
    const due = schedule.plan(from, false)
    const slot = schedule.beginNow(due - 999)
    assert.strictEqual(schedule.plan(due - 999, true), due + 60_000)
    assert.strictEqual(schedule.begin(due + 60_000, undefined).slot, slot + 2)
  })

  it("begins nothing while it is held, and not for longer than a minute after the clock was set back", () => {
    const schedule = new CheckSchedule({ ...minutely, interval: 10 }, undefined, false)
    schedule.hold(from + 45_000)
    assert.isAtLeast(schedule.plan(from, false), from + 45_000)
    schedule.clear()
    const hour = 3_600_000
    assert.isAtMost(schedule.plan(from - hour, false), from - hour + 60_000 + 10_000)
    schedule.release()
    schedule.clear()
    assert.isAtMost(schedule.plan(from, false), from + 10_000)
  })
})
