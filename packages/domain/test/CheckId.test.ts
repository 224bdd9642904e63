/** Ids of checks lead back to their checks. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { checkIdOf, dueTimes, parseCheckId } from "../src/CheckId.ts"
import { inbox } from "../src/Region.ts"
import { MonitorId, ProjectId } from "../src/Ids.ts"
import { message } from "../src/ObservationMessage.ts"
import { phase, slotOf, slotStart } from "../src/Slots.ts"
import { dayMillis } from "../src/Timestamp.ts"

const now = Date.UTC(2026, 10, 20)
const from = now - 400 * dayMillis

const monitors = fc.stringMatching(/^[0-9a-z]{1,26}$/).map((body) => MonitorId.make(`mon_${body}`))
const intervals = fc.integer({ min: 10, max: 86_400 }).map((seconds) => seconds * 1000)
const instants = fc.integer({ min: from + 2 * dayMillis, max: now })

describe("the id of a check", () => {
  it("is the id of its observation on the bus, and leads back to it", () => {
    fc.assert(
      fc.property(monitors, intervals, instants, fc.boolean(), (monitorId, interval, at, onDemand) => {
        const slot = slotOf(at, phase(monitorId, interval), interval)
        const scheduledAt = onDemand ? at : slotStart(slot, phase(monitorId, interval), interval)
        const check = { monitorId, region: "eu-west", slot, scheduledAt }
        const id = checkIdOf(check)
        const sent = message(
          {
            ...check,
            projectId: ProjectId.make("prj_1"),
            checkedAt: scheduledAt,
            status: "up",
            responseTime: null,
            timing: {},
            failure: null,
            facts: {}
          },
          interval
        )
        // A check on demand may be due just when a slot of another interval begins; both forms lead to it.
        if (!onDemand) assert.strictEqual(id, sent.id)
        for (const text of [id, sent.id]) {
          const parts = parseCheckId(text)!
          assert.include(dueTimes(parts, from, now), scheduledAt)
          assert.isBelow(dueTimes(parts, from, now).length, 2000)
        }
      })
    )
  })

  it("is the instant for a signal", () => {
    const check = { monitorId: MonitorId.make("mon_1"), region: inbox, slot: now, scheduledAt: now }
    assert.strictEqual(checkIdOf(check), `mon_1:${inbox}:${now}`)
    assert.deepStrictEqual(dueTimes(parseCheckId(checkIdOf(check))!, from, now), [now])
  })

  it.each(["", "mon_1", "mon_1:eu-west", "mon_1:eu-west:x", "mon_1:eu-west:1:2:3", "prj_1:eu-west:1"])(
    "is not any text: %s",
    (text) => assert.isUndefined(parseCheckId(text))
  )

  it.each(["mon_1:eu-west:0", "mon_1:eu-west:1", "mon_1:eu-west:999999999999999"])(
    "costs little when it was made up: %s",
    (text) => assert.isBelow(dueTimes(parseCheckId(text)!, from, now).length, 2000)
  )
})
