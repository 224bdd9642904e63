import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { refused, refusedText } from "../src/Admission.ts"
import { inbox } from "../src/Heartbeat.ts"
import { MonitorId, ProjectId } from "../src/Ids.ts"
import { aheadMillis, type Observation } from "../src/Observation.ts"
import { phase, slotOf, slotStart } from "../src/Slots.ts"
import * as Subjects from "../src/Subjects.ts"
import { dayMillis } from "../src/Timestamp.ts"

const now = Date.UTC(2026, 10, 20, 12)
const settings = { now, retentionMillis: 90 * dayMillis }
const monitorId = MonitorId.make("mon_1")

const observed = (intervalMillis: number, at: number, id = monitorId): Observation => {
  const slot = slotOf(at, phase(id, intervalMillis), intervalMillis)
  const scheduledAt = slotStart(slot, phase(id, intervalMillis), intervalMillis)
  return {
    monitorId: id,
    projectId: ProjectId.make("prj_1"),
    region: "eu-west",
    slot,
    scheduledAt,
    checkedAt: scheduledAt + 20,
    finishedAt: scheduledAt + 140,
    status: "up",
    responseTime: 12,
    timing: {},
    failure: null,
    facts: {}
  }
}

const own = (observation: Observation, at = now) =>
  refused(observation, Subjects.check(observation), { ...settings, now: at })

/** Everything a probe may legitimately send: any monitor, any interval, up to a day late; scheduled or on demand. */
const honest = fc
  .record({
    interval: fc.integer({ min: 10, max: 86_400 }),
    back: fc.nat(dayMillis),
    name: fc.nat(),
    byHand: fc.boolean(),
    waited: fc.double({ min: 0, max: 0.99, noNaN: true }),
    took: fc.nat(120_000)
  })
  .map(({ back, byHand, interval, name, took, waited }) => {
    const found = observed(interval * 1000, now - back, MonitorId.make(`mon_${name}`))
    const scheduledAt = byHand ? Math.max(found.scheduledAt, now - back) : found.scheduledAt
    const checkedAt = byHand ? scheduledAt : Math.floor(scheduledAt + waited * interval * 1000)
    return { ...found, scheduledAt, checkedAt, finishedAt: checkedAt + took }
  })

describe("Admission", () => {
  it("accepts an observation for any interval of the monitor and any delay", () => {
    fc.assert(
      fc.property(honest, (observation) => {
        assert.isUndefined(own(observation, Math.max(now, observation.finishedAt)))
        const { finishedAt: _, ...old } = observation
        assert.isUndefined(own(old, Math.max(now, observation.checkedAt)))
      })
    )
  })

  it("rejects an observation on the subject of another region, project, monitor or partition", () => {
    const observation = observed(60_000, now)
    for (const other of [
      { region: "us-east" },
      { projectId: ProjectId.make("prj_2") },
      { monitorId: MonitorId.make("mon_2") }
    ])
      assert.strictEqual(refused(observation, Subjects.check({ ...observation, ...other }), settings), "misplaced")
    const subject = Subjects.check(observation).replace(/\.\d+\./, ".64.")
    assert.strictEqual(refused(observation, subject, settings), "misplaced")
    assert.strictEqual(refused(observation, `${Subjects.check(observation)}.more`, settings), "misplaced")
    assert.strictEqual(refused(observation, "kanmon.events.prj_1.monitor.mon_1.down", settings), "misplaced")
  })

  it("rejects timestamps more than an interval, or a minute, ahead", () => {
    for (const interval of [10_000, 60_000, dayMillis]) {
      const most = Math.min(interval, aheadMillis)
      const at = (millis: number) => {
        const slot = slotOf(now + millis, phase(monitorId, interval), interval)
        const scheduledAt = now + millis
        return own({ ...observed(interval, now), slot, scheduledAt, checkedAt: scheduledAt, finishedAt: scheduledAt })
      }
      assert.isUndefined(at(most))
      assert.strictEqual(at(most + 1), "ahead")
    }
    const decade = observed(60_000, Date.UTC(2036, 0, 1))
    assert.strictEqual(own(decade), "ahead")
    const { checkedAt, scheduledAt } = observed(60_000, now)
    assert.strictEqual(own({ ...observed(60_000, now), finishedAt: now + 2 * aheadMillis }), "ahead")
    assert.isAtMost(Math.max(checkedAt, scheduledAt), now + 20)
  })

  it("rejects an observation older than the retention period", () => {
    assert.isUndefined(own(observed(60_000, now - 89 * dayMillis)))
    assert.strictEqual(own(observed(60_000, now - 91 * dayMillis)), "outdated")
    assert.strictEqual(own(observed(60_000, 86_400_000)), "outdated")
  })

  it("rejects timestamps that do not fit each other or the slot", () => {
    const observation = observed(60_000, now - 600_000)
    const { checkedAt, scheduledAt, slot } = observation
    for (const change of [
      { slot: slot + 5 },
      { slot: 0 },
      { slot: -slot },
      { checkedAt: scheduledAt - 120_000, finishedAt: scheduledAt },
      { checkedAt: scheduledAt + 180_000, finishedAt: scheduledAt + 180_000 },
      { finishedAt: checkedAt - 7_200_000 },
      { responseTime: -1 },
      { responseTime: 1e300 },
      { timing: { dns: 1e300 } }
    ])
      assert.strictEqual(own({ ...observation, ...change }), "inconsistent", JSON.stringify(change))
  })

  it("accepts a passive monitor's observation when its slot is the instant", () => {
    const { finishedAt: _, ...signal } = {
      ...observed(60_000, now),
      region: inbox,
      slot: now,
      scheduledAt: now,
      checkedAt: now,
      responseTime: 3 * dayMillis
    }
    assert.isUndefined(own(signal))
    assert.strictEqual(own({ ...signal, slot: now - 1 }), "inconsistent")
  })

  it("rejects a failure longer than any probe sends", () => {
    const failure = { code: "refused", message: "x".repeat(5000) }
    assert.strictEqual(own({ ...observed(60_000, now), status: "down", failure }), "oversized")
  })
})

describe("Admission of a payload", () => {
  it("rejects a payload larger than any probe sends", () => {
    assert.isUndefined(refusedText("x".repeat(131_072)))
    assert.strictEqual(refusedText("x".repeat(131_073)), "oversized")
  })

  it("rejects what PostgreSQL refuses, and only that", () => {
    for (const text of ["\u0000", "\ud83d", "a\udc00"])
      assert.strictEqual(refusedText(JSON.stringify({ text })), "malformed", JSON.stringify(text))
    for (const text of ["\\u0000", "\\ud83d", "😀", "\\\\u0000 and C:\\users"])
      assert.isUndefined(refusedText(JSON.stringify({ text })), text)
  })

  it("rejects JSON nested deeper than any probe sends", () => {
    const nested = (depth: number) => `{"facts":${"[".repeat(depth)}${"]".repeat(depth)}}`
    assert.isUndefined(refusedText(nested(60)))
    assert.strictEqual(refusedText(nested(70)), "malformed")
    assert.isUndefined(refusedText(JSON.stringify({ text: "[".repeat(1000) + '\\"' })))
  })
})
