/** Captures travel with the failures that they explain, and with no others. */
import { assert, describe, it } from "@effect/vitest"
import { maxOfOutage } from "@kanmon/domain/Capture"
import { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import type { Observation } from "@kanmon/domain/Observation"
import { dayMillis } from "@kanmon/domain/Timestamp"
import * as Captures from "../src/Captures.ts"

const at = Date.UTC(2026, 10, 20)

const check = (status: Observation["status"], body?: string, minutes = 0): Observation => ({
  monitorId: MonitorId.make("mon_1"),
  projectId: ProjectId.make("prj_1"),
  region: "eu-west",
  slot: minutes,
  scheduledAt: at + minutes * 60_000,
  checkedAt: at + minutes * 60_000,
  status,
  responseTime: null,
  timing: {},
  failure: status === "up" ? null : { code: "status_mismatch", message: "503" },
  facts: {},
  ...(body === undefined
    ? {}
    : {
        capture: {
          finalUrl: "https://shop.example/",
          statusLine: "503 Service Unavailable",
          headers: [{ name: "date", value: String(minutes) }],
          body,
          bodyTruncated: false,
          remoteAddress: "203.0.113.7"
        }
      })
})

const sends = (captures: Captures.Captures, observation: Observation): boolean =>
  captures.select(observation).capture !== undefined

describe("the captures of a probe", () => {
  it("are sent with the first failure, and when the answer differs", () => {
    const captures = Captures.make(() => false)
    const sent = [
      check("down", "one"),
      check("down", "one", 1),
      check("down", "two", 2),
      check("unknown", undefined, 3),
      check("down", "two", 4),
      check("down", undefined, 5),
      check("down", "one", 6),
      check("up", undefined, 7),
      check("down", "one", 8)
    ].map((each) => sends(captures, each))
    assert.deepStrictEqual(sent, [true, false, true, false, false, false, true, false, true])
  })

  it("are sent daily, and at most so often for one outage", () => {
    const captures = Captures.make(() => false)
    const day = dayMillis / 60_000
    assert.deepStrictEqual(
      [0, day - 1, day].map((minutes) => sends(captures, check("down", "one", minutes))),
      [true, false, true]
    )
    const sent = Array.from({ length: 50 }, (_, index) =>
      sends(captures, check("down", String(index), day + 1 + index))
    )
    assert.strictEqual(sent.filter(Boolean).length + 2, maxOfOutage)
  })

  it("are left out while messages wait, and sent afterwards", () => {
    let isBacklogged = true
    const captures = Captures.make(() => isBacklogged)
    assert.isFalse(sends(captures, check("down", "one")))
    isBacklogged = false
    assert.isTrue(sends(captures, check("down", "one", 1)))
  })

  it("pass results without one on as they are", () => {
    const passing = check("up")
    assert.strictEqual(Captures.make(() => false).select(passing), passing)
  })
})
