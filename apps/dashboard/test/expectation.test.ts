/** When the next signal of a job is expected. */
import { assert, describe, it } from "@effect/vitest"
import { expectationOf } from "../src/features/monitor/expectation.ts"

const at = "2026-11-27T03:30:00.000Z"
const job = { interval: 3600, status: "up" }

describe("the expectation of a job", () => {
  it("is one interval after the newest end of a run, with a tenth of it as grace", () =>
    assert.deepStrictEqual(
      expectationOf(job, [
        { at: "2026-11-27T03:50:00.000Z", kind: "start" },
        { at: "2026-11-27T03:40:00.000Z", kind: "log" },
        { at, kind: "fail" }
      ]),
      { grace: 360, schedule: undefined, timezone: undefined, nextAt: Date.parse("2026-11-27T04:30:00.000Z") }
    ))

  it("is not known before the first signal, while paused, and by a schedule alone", () => {
    const signals = [{ at, kind: "success" }]
    assert.isUndefined(expectationOf(job, []).nextAt)
    assert.isUndefined(expectationOf({ ...job, status: "paused" }, signals).nextAt)
    assert.deepStrictEqual(expectationOf({ ...job, schedule: "30 3 * * *", grace: 900 }, signals), {
      grace: 900,
      schedule: "30 3 * * *",
      timezone: "UTC",
      nextAt: undefined
    })
  })

  it("has at least a minute of grace", () => assert.strictEqual(expectationOf({ ...job, interval: 60 }, []).grace, 60))
})
