import { assert, describe, it } from "@effect/vitest"
import type { MonitorId } from "@kanmon/domain/Ids"
import * as fc from "fast-check"
import { decode, decodeNew, type IncidentChange, merge } from "../src/IncidentBody.ts"

type Draft = IncidentChange["draft"]

const draftOf = (body: unknown): Draft => {
  const result = decode(body)
  assert.isTrue(result._tag === "Success", result._tag === "Failure" ? result.failure.message : "")
  return (result as { readonly success: IncidentChange }).success.draft
}

const pathsOf = (body: unknown, decodeBody: typeof decode | typeof decodeNew = decodeNew): ReadonlyArray<string> => {
  const result = decodeBody(body)
  return result._tag === "Failure" ? result.failure.errors.map(({ path }) => path) : []
}

const window = {
  title: "Upgrade",
  message: "We upgrade.",
  maintenance: true,
  scheduledStart: "2026-11-22T02:00:00Z",
  scheduledEnd: "2026-11-22T03:00:00Z"
}

describe("IncidentBody", () => {
  it("fills in what is left out", () => {
    const result = decodeNew({ title: "Slow", message: "We look.", monitorIds: ["mon_a", "mon_a"] })
    assert.deepStrictEqual(result._tag === "Success" ? result.success : undefined, {
      draft: {
        key: null,
        title: "Slow",
        status: "investigating",
        monitorIds: ["mon_a" as never],
        tags: [],
        maintenance: false,
        scheduledStart: null,
        scheduledEnd: null,
        recurrence: null,
        timezone: null
      },
      message: "We look."
    })
  })

  it("names every broken field", () => {
    assert.deepStrictEqual(pathsOf({ title: "", status: "closed", monitorIds: ["x"], extra: 1 }).toSorted(), [
      "extra",
      "monitorIds[0]",
      "status",
      "title"
    ])
    assert.deepStrictEqual(pathsOf({ title: "Slow" }), ["message"])
    assert.deepStrictEqual(pathsOf({ title: "Slow", message: "  " }), ["message"])
    assert.deepStrictEqual(pathsOf({ title: "Slow", message: "x".repeat(10_001) }), ["message"])
    assert.deepStrictEqual(pathsOf(null), [""])
  })

  it("wants a whole window of maintenance, and of nothing else", () => {
    assert.deepStrictEqual(pathsOf(window), [])
    const { scheduledEnd: _, ...endless } = window
    assert.deepStrictEqual(pathsOf({ ...endless, scheduledStart: null }), ["scheduledStart", "scheduledEnd"])
    assert.deepStrictEqual(pathsOf({ ...window, scheduledEnd: window.scheduledStart }), ["scheduledEnd"])
    assert.deepStrictEqual(pathsOf({ ...window, maintenance: false }), ["scheduledStart", "scheduledEnd"])
    assert.deepStrictEqual(pathsOf({ ...window, timezone: "UTC" }), ["timezone"])
  })

  it("reckons a recurrence in UTC unless told otherwise", () => {
    const result = decodeNew({ ...window, recurrence: "FREQ=WEEKLY" })
    assert.strictEqual(result._tag === "Success" && result.success.draft.timezone, "UTC")
  })

  it("changes nothing when nothing is changed", () => {
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.integer({ min: 0, max: 4e12 }),
        fc.integer({ min: 1, max: 1e9 }),
        fc.constantFrom("investigating", "identified", "monitoring", "resolved"),
        (maintenance, start, millis, status) => {
          const draft: Draft = {
            key: maintenance ? "upgrade" : null,
            title: "Upgrade",
            status,
            monitorIds: ["mon_a" as MonitorId],
            tags: ["prod"],
            maintenance,
            scheduledStart: maintenance ? start : null,
            scheduledEnd: maintenance ? start + millis : null,
            recurrence: maintenance ? "FREQ=WEEKLY" : null,
            timezone: maintenance ? "UTC" : null
          }
          assert.deepStrictEqual(draftOf(merge(draft, {})), draft)
        }
      )
    )
  })

  it("takes a series instead of a window, and only for maintenance", () => {
    const { scheduledEnd: end, scheduledStart: start, ...rest } = window
    const series = { start, end }
    assert.deepStrictEqual(pathsOf({ ...rest, recurrence: "FREQ=DAILY", series }), [])
    assert.deepStrictEqual(pathsOf({ ...rest, series }), ["recurrence"])
    assert.deepStrictEqual(pathsOf({ ...window, recurrence: "FREQ=DAILY", series }), ["scheduledStart", "scheduledEnd"])
    assert.deepStrictEqual(pathsOf({ ...rest, recurrence: "FREQ=DAILY", series: { start: end, end: start } }), [
      "series.end"
    ])
    assert.deepStrictEqual(pathsOf({ title: "Slow", message: "x", series, key: "slow" }), ["key", "series"])
    assert.deepStrictEqual(pathsOf({ ...window, announcement: "New" }), ["announcement"], "it is a change")
    assert.deepStrictEqual(pathsOf({ ...window, announcement: "New" }, decode), [])
    assert.deepStrictEqual(pathsOf({ title: "Slow", announcement: "New" }, decode), ["announcement"])
  })

  it("ends a series with null, and its time zone with it", () => {
    const current: Draft = {
      key: null,
      title: "Upgrade",
      status: "identified",
      monitorIds: [],
      tags: [],
      maintenance: true,
      scheduledStart: Date.UTC(2026, 10, 22, 2),
      scheduledEnd: Date.UTC(2026, 10, 22, 3),
      recurrence: "FREQ=WEEKLY",
      timezone: "Europe/Berlin"
    }
    assert.deepInclude(draftOf(merge(current, { recurrence: null })), { recurrence: null, timezone: null })
  })
})
