import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as fc from "fast-check"
import { digestOf, heldUntil, QuietHours } from "../src/QuietHours.ts"
import { defaultSeverity, isBelow, severities } from "../src/Severity.ts"
import { weekdays } from "../src/WeeklyWindows.ts"
import { wallsOf } from "./MinuteByMinute.ts"

const nights = Schema.decodeSync(QuietHours)({
  timezone: "Europe/Berlin",
  windows: [{ weekdays: [...weekdays], from: "22:00", to: "07:00" }],
  holdBelow: "critical"
})
const held = (severity: (typeof severities)[number], at: string): string | null => {
  const until = heldUntil(nights, severity, Date.parse(at))
  return until === null ? null : new Date(until).toISOString().slice(0, 16)
}

describe("quiet hours", () => {
  it("hold what is below a severity until they end, in local time", () => {
    assert.strictEqual(held("warning", "2026-01-10T22:30Z"), "2026-01-11T06:00")
    assert.strictEqual(held("warning", "2026-07-10T20:30Z"), "2026-07-11T05:00")
    assert.isNull(held("critical", "2026-01-10T22:30Z"))
    assert.isNull(held("info", "2026-01-10T12:00Z"))
  })

  it("are longer or shorter by an hour in nights in which the clocks change", () => {
    assert.strictEqual(held("info", "2026-03-28T22:00Z"), "2026-03-29T05:00")
    assert.strictEqual(held("info", "2026-10-24T22:00Z"), "2026-10-25T06:00")
  })

  it("that cover the whole week hold a message for eight days", () => {
    const always = Schema.decodeSync(QuietHours)({
      timezone: "UTC",
      windows: [{ weekdays: [...weekdays], from: "00:00", to: "24:00" }],
      holdBelow: "warning"
    })
    assert.strictEqual(heldUntil(always, "info", 0), 8 * 86_400_000)
  })

  it("end when the wall first shows their end, in every zone, at every minute of a year", () => {
    const begin = Date.parse("2026-01-15T00:00Z")
    for (const timezone of ["America/New_York", "Australia/Lord_Howe", "Africa/Cairo", "America/Havana"]) {
      const walls = wallsOf(timezone, begin, 380 * 1440)
      fc.assert(
        fc.property(
          fc.integer({ min: 0, max: 1439 }),
          fc.integer({ min: 1, max: 1439 }),
          fc.integer({ min: 0, max: 360 * 1440 }),
          (from, length, minute) => {
            const time = (of: number) =>
              `${String(Math.floor(of / 60)).padStart(2, "0")}:${String(of % 60).padStart(2, "0")}`
            const hours = Schema.decodeSync(QuietHours)({
              timezone,
              windows: [{ weekdays: [...weekdays], from: time(from), to: time((from + length) % 1440) }],
              holdBelow: "critical"
            })
            const isQuiet = (index: number) => ((walls[index]! % 1440) - from + 1440) % 1440 < length
            let end = minute
            while (isQuiet(end)) end++
            assert.strictEqual(
              heldUntil(hours, "info", begin + minute * 60_000),
              end === minute ? null : begin + end * 60_000
            )
          }
        ),
        { numRuns: 150 }
      )
    }
  })
})

describe("a digest", () => {
  it("has the most urgent first, then the oldest, and nothing that was resolved meanwhile", () => {
    const one = (alertId: string, severity: (typeof severities)[number], at: number) => ({ alertId, severity, at })
    const messages = [one("a", "info", 1), one("b", "warning", 3), one("c", "warning", 2), one("d", "warning", 1)]
    assert.deepStrictEqual(
      digestOf(messages, new Set(["d"])).map(({ alertId }) => alertId),
      ["c", "b", "a"]
    )
  })
})

describe("a severity", () => {
  it("is critical by default where something is down or no longer valid, and a warning elsewhere", () => {
    assert.strictEqual(defaultSeverity(["monitor_down"]), "critical")
    assert.strictEqual(defaultSeverity(["ssl_expiring", "domain_expired"]), "critical")
    assert.strictEqual(defaultSeverity(["monitor_degraded", "ssl_expiring", "domain_expiring"]), "warning")
  })

  it("is in one order", () => {
    for (const [index, one] of severities.entries())
      for (const [position, other] of severities.entries()) assert.strictEqual(isBelow(one, other), index > position)
  })
})
