import { assert, describe, it } from "@effect/vitest"
import type { Notice } from "../src/Notice.ts"
import * as NoticeText from "../src/NoticeText.ts"
import * as fc from "fast-check"

const base: Notice = {
  id: "dlv_1",
  alertId: "alt_1",
  event: "monitor_down",
  severity: "critical",
  at: 0,
  project: { id: "prj_1", name: "Shop" },
  rule: null,
  monitor: { id: "mon_1", name: "Web", type: "http", target: "https://shop.example/" },
  reason: "too slow",
  startedAt: 0,
  durationSeconds: null,
  regions: [],
  region: null,
  statusCode: null,
  responseTime: null,
  timing: {},
  expiresAt: null,
  overtakesOpening: false,
  reminder: false,
  links: { monitor: "https://kanmon.example" }
}

const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
  fc.constantFrom("", "…", "👩‍👩‍👧‍👦".repeat(9))
)

describe("third-party text", () => {
  it("truncates to characters without splitting a grapheme", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 60 }), (input, limit) => {
        const cut = NoticeText.truncate(NoticeText.clean(input), limit)
        assert.isAtMost(cut.length, limit)
        assert.isTrue(cut.isWellFormed())
      })
    )
    assert.strictEqual(NoticeText.truncate("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 12), "👩‍👩‍👧‍👦…")
  })

  it("truncates to bytes", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 4, max: 60 }), (input, limit) => {
        const cut = NoticeText.truncateBytes(NoticeText.clean(input), limit)
        assert.isAtMost(Buffer.byteLength(cut), limit)
        assert.isTrue(cut.isWellFormed())
      })
    )
  })

  it("stays on one line, without control and direction characters", () => {
    fc.assert(
      fc.property(text, (input) =>
        assert.notMatch(NoticeText.oneLine(input), /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u)
      )
    )
    assert.strictEqual(NoticeText.oneLine("a\r\nBcc: b\u202Egnp"), "a Bcc: bgnp")
  })
})

describe("durations", () => {
  it("names the two largest units", () => {
    const said = [0, 1, 59.4, 60, 61, 3600, 3725, 86_400, 90_061].map(NoticeText.duration)
    assert.deepStrictEqual(said, ["0 s", "1 s", "59 s", "1 min", "1 min 1 s", "1 h", "1 h 2 min", "1 d", "1 d 1 h"])
  })
})

describe("rules", () => {
  const named = (...names: ReadonlyArray<string>) => {
    const rules = names.map((name) => ({ id: `rul_${name}`, name }))
    const notice = { ...base, rule: rules[0] ?? null, ...(rules.length > 1 ? { rules } : {}) }
    return NoticeText.facts(notice)
      .filter(({ label }) => label.startsWith("Rule"))
      .map(({ label, value }) => `${label}: ${value}`)
  }

  it("lists none, one or several rules, and only the first of many", () => {
    assert.deepStrictEqual(named(), [])
    assert.deepStrictEqual(named("At night"), ["Rule: At night"])
    assert.deepStrictEqual(named("At night", "Shop"), ["Rules: At night, Shop"])
    assert.deepStrictEqual(named("1", "2", "3", "4", "5", "6", "7"), ["Rules: 1, 2, 3, 4, 5, 2 more"])
  })
})
