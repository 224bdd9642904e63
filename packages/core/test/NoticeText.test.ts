import { assert, describe, it } from "@effect/vitest"
import { type PageReason, pageReason, PageReasonKind } from "@kanmon/domain/PageReason"
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

const paged = (kind: PageReasonKind, of: Partial<PageReason> = {}): Notice => ({
  ...base,
  at: Date.parse("2026-11-27T21:00:00.000Z"),
  zone: "Europe/Berlin",
  why: [pageReason(kind, of)]
})
const monday = Date.parse("2026-11-30T08:00:00.000Z")
const later = Date.parse("2026-12-04T08:00:00.000Z")

describe("why a person is paged", () => {
  it.each<readonly [PageReasonKind, Partial<PageReason>, why: string, short: string]>([
    [
      "on_call",
      { name: "Primary", until: monday, policy: "Ops", step: 0 },
      "You are on call in Primary (until Mon 09:00 CET), step 1 of Ops",
      "on call: Primary"
    ],
    ["on_call", { name: "Primary" }, "You are on call in Primary", "on call: Primary"],
    [
      "next_on_call",
      { name: "Primary", from: later, policy: null, step: 1 },
      "You are next on call in Primary (from 2026-12-04 09:00 CET), step 2 of its policy",
      "next on call: Primary"
    ],
    ["team", { name: "SRE", policy: "Ops", step: 1 }, "You are a member of the team SRE, step 2 of Ops", "team: SRE"],
    ["person", { policy: "Ops", step: 2 }, "You are named in the policy Ops, step 3", "policy: Ops"],
    ["asked", { name: "Ada", note: "The gateway" }, "Asked by Ada: The gateway", "asked by Ada: The gateway"],
    ["asked", { name: "Ada" }, "Asked by Ada", "asked by Ada"],
    [
      "acknowledgement_ended",
      {},
      "You acknowledged the alert, and the time for which that holds is over",
      "your acknowledgement ended"
    ],
    [
      "no_one_reached",
      { policy: "Ops" },
      "You are an owner, and no one was reached, after the last step of Ops",
      "owner: no one was reached"
    ],
    ["no_one_answered", {}, "You are an owner, and no one answered", "owner: no one answered"]
  ])("is said in words: %s %o", (kind, of, why, short) => {
    const notice = paged(kind, of)
    assert.strictEqual(NoticeText.why(notice), why)
    assert.strictEqual(NoticeText.whyShort(notice), short)
    assert.deepStrictEqual(NoticeText.testFacts(notice)[0], { label: NoticeText.whyLabel, value: why })
  })

  it("is one line for several alerts, and no line for channels", () => {
    const one = { alertId: "alt_1", event: base.event, severity: base.severity, monitor: base.monitor } as const
    const group = Array.from({ length: 3 }, () => ({ ...one, reason: "", startedAt: 0 }))
    const notice = { ...paged("team", { name: "SRE" }), group }
    assert.deepStrictEqual(
      NoticeText.testFacts(notice).map(({ label }) => label),
      [NoticeText.whyLabel, "Severity", "Project"]
    )
    const labels = NoticeText.facts(base).map(({ label }) => label)
    assert.notInclude(labels, NoticeText.whyLabel)
    assert.strictEqual(NoticeText.whyShort(base), "")
  })

  it("stays on one bounded line, whichever names people chose", () => {
    const kind = fc.constantFrom(...PageReasonKind.literals)
    fc.assert(
      fc.property(kind, text, text, text, fc.option(fc.nat(19)), (of, name, note, policy, step) => {
        const notice = paged(of, { name: name.repeat(40), note: note.repeat(40), policy: policy.repeat(40), step })
        for (const [said, limit] of [
          [NoticeText.why(notice), 700],
          [NoticeText.whyShort(notice), 110]
        ] as const) {
          assert.isAtMost(said.length, limit)
          assert.notMatch(said, /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u)
          assert.isTrue(said.isWellFormed())
        }
      })
    )
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
