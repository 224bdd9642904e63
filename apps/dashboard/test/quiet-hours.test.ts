/** Quiet hours in the dashboard: what the form sends, and where a refusal is shown. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { ApiError, formErrors } from "../src/api/problem.ts"
import { type QuietHours, quietDraftOf, quietHoursOf } from "../src/forms/quietHours.ts"

const days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const

const hours: fc.Arbitrary<QuietHours> = fc.record({
  timezone: fc.constantFrom("UTC", "Asia/Tokyo"),
  windows: fc.array(
    fc.record({
      weekdays: fc.subarray([...days], { minLength: 1 }),
      from: fc.constantFrom("00:00", "22:00"),
      to: fc.constantFrom("07:00", "24:00")
    }),
    { minLength: 1, maxLength: 5 }
  ),
  holdBelow: fc.constantFrom("critical", "warning", "info")
})

describe("the form of quiet hours", () => {
  it("sends what it got", () => {
    fc.assert(fc.property(hours, (each) => assert.deepStrictEqual(quietHoursOf(quietDraftOf(each, "UTC")), each)))
  })

  it("begins without hours in the zone of the reader, which is sent as none", () => {
    const draft = quietDraftOf(null, "Asia/Tokyo")
    assert.deepStrictEqual(draft, { timezone: "Asia/Tokyo", windows: [], holdBelow: "critical" })
    assert.isNull(quietHoursOf(draft))
  })

  it("gets each refusal by its whole path, and leaves those of other fields where they were", () => {
    const refusal = new ApiError({
      status: 422,
      detail: "Wrong",
      errors: [
        { path: "quietHours.windows[1]", message: "the same" },
        { path: "quietHours.timezone", message: "no zone" },
        { path: "quietHours.timezone", message: "a second one" },
        { path: "name[0]", message: "no name" },
        { path: "quietHoursly.odd", message: "not a field" }
      ]
    })
    assert.deepStrictEqual(formErrors(refusal, ["name", "quietHours.*"]), {
      fields: { "quietHours.windows[1]": "the same", "quietHours.timezone": "no zone", name: "[0]: no name" },
      general: "quietHoursly.odd: not a field",
      code: "unknown"
    })
  })
})
