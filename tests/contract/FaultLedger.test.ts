/** The fault suite's ledger itself: it finds what is wrong, and nothing where all is well. */
import { assert, describe, it } from "@effect/vitest"
import { phase, slotStart } from "@kanmon/domain/Slots"
import * as fc from "fast-check"
import * as AlertLedger from "../faults/AlertLedger.ts"
import * as ChangeLedger from "../faults/ChangeLedger.ts"
import * as DatingLedger from "../faults/DatingLedger.ts"
import type { Alerted, Asked, Changed, Evidence, Observed } from "../faults/Evidence.ts"
import { match } from "../faults/Match.ts"
import { repetitions } from "../faults/Published.ts"
import { isDown, windowsOf } from "../faults/Script.ts"
import * as SlotLedger from "../faults/SlotLedger.ts"
import * as Takeover from "../faults/Takeover.ts"
import * as TruthLedger from "../faults/TruthLedger.ts"

const intervalMillis = 10_000
const monitors = ["mon_1"]
const offset = phase("mon_1", intervalMillis)
const first = 100_000
const slots = 30
const due = (slot: number): number => slotStart(first + slot, offset, intervalMillis)
const down = { from: due(10), to: due(16) }
const homes = { near: "eu-west", far: "us-east" }

/** A notification that its receiver got at once. */
const received = (id: string, at: number, event: string): Evidence["received"][number] => ({
  id,
  at,
  sentAt: Math.floor(at / 1000) * 1000,
  event
})

/** One target, watched from two regions without a flaw; it is down once, and people are told. */
const flawless = (): { -readonly [Key in keyof Evidence]: Evidence[Key] } => {
  const asked: Array<Asked> = []
  const observed: Array<Observed> = []
  for (let slot = 0; slot < slots; slot++) {
    for (const [probe, region] of Object.entries(homes)) {
      const at = due(slot) + (probe === "near" ? 0 : 40)
      const well = !isDown([down], at + 5)
      asked.push({ at: at + 5, target: 0, probe, well })
      const status = well ? "up" : "down"
      const code = well ? null : "status_mismatch"
      observed.push({ target: 0, region, probe, slot: first + slot, checkedAt: at, status, code })
    }
  }
  const change = (at: number, status: string): Changed => ({ target: 0, at, status })
  const alert: Alerted = {
    id: "alt_1",
    rule: "At once",
    trigger: "monitor_down",
    target: 0,
    startedAt: down.from + 40,
    resolvedAt: down.to,
    notices: [
      { id: "dlv_1", purpose: "open", status: "delivered" },
      { id: "dlv_2", purpose: "close", status: "delivered" }
    ]
  }
  return {
    intervalMillis,
    monitors,
    windows: [[down]],
    regions: homes,
    asked,
    observed,
    repeated: [],
    changed: [
      change(due(0) - 500, "pending"),
      change(due(0), "up"),
      change(down.from + 40, "down"),
      change(down.to, "up")
    ],
    alerted: [alert],
    received: [received("dlv_1", down.from + 100, "monitor_down"), received("dlv_2", down.to + 100, "monitor_up")],
    absences: []
  }
}

const slotsOf = (evidence: Evidence) => SlotLedger.account(evidence, match(evidence))
const truthOf = (evidence: Evidence) => TruthLedger.account(evidence, match(evidence))
const alertsOf = (evidence: Evidence) => AlertLedger.account(evidence, ["At once"])
const without = (rows: ReadonlyArray<Observed>, slot: number) =>
  rows.filter((row) => row.slot !== first + slot || row.region !== "eu-west")
const unasked = (rows: ReadonlyArray<Asked>, from: number, to: number) =>
  rows.filter(({ at, probe }) => probe !== "near" || at < due(from) || at > due(to) + 100)

describe("the script of the targets", () => {
  it("keeps windows apart, long enough and within the run", () => {
    fc.assert(
      fc.property(
        fc.nat(5000),
        fc.nat(50_000),
        fc.integer({ min: 1000, max: 90_000 }),
        fc.integer({ min: 2, max: 40 }),
        (target, from, shortest, length) => {
          const until = from + length * shortest
          const windows = windowsOf(target, { from, until, shortest })
          for (const [index, window] of windows.entries()) {
            assert.isAtLeast(window.from, from)
            assert.isAtMost(window.to, until)
            assert.isAtLeast(window.to - window.from, shortest)
            if (index > 0) assert.isAtLeast(window.from - windows[index - 1]!.to, shortest)
          }
        }
      )
    )
  })
})

describe("the ledger of slots", () => {
  it("accepts a run in which every slot is stored", () => {
    const account = slotsOf(flawless())
    assert.deepStrictEqual(account, {
      due: 60,
      stored: 60,
      absent: 0,
      lostInHand: 0,
      stoodIn: 0,
      skipped: 0,
      lost: [],
      twice: []
    })
  })

  it("finds a check whose result was never stored", () => {
    const evidence = flawless()
    evidence.observed = without(evidence.observed, 5)
    assert.strictEqual(slotsOf(evidence).lost.length, 1)
    evidence.absences = [{ name: "near", how: "killed", from: due(5) + 300, to: due(7) }]
    const { lost, lostInHand } = slotsOf(evidence)
    assert.deepStrictEqual([lost.length, lostInHand], [0, 1])
  })

  it("excuses missing slots only while their probe was away", () => {
    const evidence = flawless()
    evidence.observed = without(without(evidence.observed, 5), 6)
    evidence.asked = unasked(evidence.asked, 5, 6)
    assert.strictEqual(slotsOf(evidence).skipped, 2)
    const absence = { from: due(4) + 9000, to: due(6) + 5000 }
    for (const [name, how, absent] of [
      ["near", "frozen", 2],
      ["near", "cut", 0],
      ["far", "killed", 0]
    ] as const) {
      evidence.absences = [{ name, how, ...absence }]
      assert.strictEqual(slotsOf(evidence).absent, absent, `${name} ${how}`)
    }
  })

  it("counts a new monitor's first check for the slot just after it, and for no other", () => {
    for (const [before, stoodIn, skipped] of [
      [700, 1, 0],
      [1700, 0, 1]
    ] as const) {
      const evidence = flawless()
      evidence.observed = without(evidence.observed, 1)
      evidence.asked = [
        { at: due(1) - before, target: 0, probe: "near", well: true },
        ...unasked(evidence.asked, 1, 1)
      ].toSorted((one, other) => one.at - other.at)
      assert.deepInclude(slotsOf(evidence), { stoodIn, skipped })
    }
  })

  it("takes a late check of a slot that was stored for what it is, whichever slot it ran in", () => {
    const evidence = flawless()
    evidence.observed = without(evidence.observed, 5)
    evidence.asked = [
      { at: due(5) + 400, target: 0, probe: "near", well: true },
      ...unasked(evidence.asked, 5, 5)
    ].toSorted((one, other) => one.at - other.at)
    const late = { target: 0, region: "eu-west", probe: "near", slot: first + 4, checkedAt: due(5) - 700 }
    assert.strictEqual(slotsOf(evidence).lost.length, 1)
    evidence.repeated = repetitions([late], evidence.observed)
    assert.deepInclude(slotsOf(evidence), { skipped: 1, lost: [] })
    // Of the slot itself, or of one that was not stored either, it was lost.
    for (const slot of [first + 5, first + slots]) {
      evidence.repeated = repetitions([{ ...late, slot }], evidence.observed)
      assert.strictEqual(slotsOf(evidence).lost.length, 1)
    }
  })

  it("takes no observation that was stored for a repetition", () => {
    const { observed } = flawless()
    assert.deepStrictEqual(repetitions(observed, observed), [])
  })

  it("finds a slot that was stored twice", () => {
    const evidence = flawless()
    evidence.observed = [...evidence.observed, evidence.observed[8]!]
    assert.strictEqual(slotsOf(evidence).twice.length, 1)
  })
})

describe("the ledger of truth", () => {
  it("accepts results that match the target's answers", () => {
    assert.deepStrictEqual(truthOf(flawless()), { true: 60, unknown: {}, false: [] })
  })

  it("finds results that the target did not answer, or that no request led to", () => {
    for (const change of [{ status: "down", code: "timeout" }, { probe: undefined }, { checkedAt: due(40) }]) {
      const evidence = flawless()
      evidence.observed = evidence.observed.with(8, { ...evidence.observed[8]!, ...change } as Observed)
      assert.strictEqual(truthOf(evidence).false.length, 1, JSON.stringify(change))
    }
  })

  it("counts unknown results separately", () => {
    const evidence = flawless()
    evidence.observed = evidence.observed.with(8, { ...evidence.observed[8]!, status: "unknown", code: "probe_blind" })
    assert.deepStrictEqual(truthOf(evidence), { true: 59, unknown: { probe_blind: 1 }, false: [] })
  })
})

describe("the ledger of changes", () => {
  it("accepts one down and one up for each window", () => {
    assert.deepStrictEqual(ChangeLedger.account(flawless()), {
      windows: 1,
      told: 1,
      lateness: [40, 0],
      blind: 0,
      wrong: []
    })
  })

  it("finds changes that are missing, invented, repeated or late", () => {
    const [pending, up, fell, rose] = flawless().changed as [Changed, Changed, Changed, Changed]
    for (const changed of [
      [pending, up],
      [pending, up, fell],
      [pending, up, fell, rose, { ...fell, at: due(20) }, { ...rose, at: due(21) }],
      [pending, up, fell, fell, rose],
      [pending, up, { ...fell, at: down.from - 5000 }, rose],
      // Dated to when the passing check was asked, and the target was still down.
      [pending, up, fell, { ...rose, at: down.to - 100 }],
      [pending, up, { ...fell, at: down.from + 25_000 }, rose]
    ]) {
      const evidence = flawless()
      evidence.changed = changed
      assert.strictEqual(ChangeLedger.account(evidence).wrong.length, 1, JSON.stringify(changed))
    }
  })

  it("accepts an outage dated to the start of its failing check, before the request arrived", () => {
    const evidence = flawless()
    evidence.changed = evidence.changed.map((one) => (one.status === "down" ? { ...one, at: down.from - 1000 } : one))
    assert.deepStrictEqual(ChangeLedger.account(evidence).wrong, [])
  })

  it("accepts unknown only where no check ran", () => {
    const blind: Changed = { target: 0, at: due(22), status: "unknown" }
    const seeing: Changed = { target: 0, at: due(24), status: "up" }
    const evidence = flawless()
    evidence.changed = [...evidence.changed, blind, seeing]
    assert.strictEqual(ChangeLedger.account(evidence).wrong.length, 1)
    evidence.observed = evidence.observed.filter(({ slot }) => slot <= first + 19 || slot >= first + 24)
    const { blind: excused, wrong } = ChangeLedger.account(evidence)
    assert.deepStrictEqual([excused, wrong], [1, []])
  })
})

describe("the ledger of alerts", () => {
  it("accepts one alert with two notifications: start and end", () => {
    assert.deepStrictEqual(alertsOf(flawless()), { alerts: 1, notices: 2, received: 2, repeated: 0, wrong: [] })
  })

  it("finds alerts that are missing, duplicated or open, and notifications that are lost or invented", () => {
    const [alert] = flawless().alerted as [Alerted]
    for (const change of [
      { alerted: [], received: [] },
      {
        alerted: [alert, { ...alert, id: "alt_2", notices: alert.notices.map((one) => ({ ...one, id: `${one.id}2` })) }]
      },
      {
        alerted: [{ ...alert, resolvedAt: null, notices: alert.notices.slice(0, 1) }],
        received: flawless().received.slice(0, 1)
      },
      { alerted: [{ ...alert, startedAt: alert.startedAt + 1 }] },
      { alerted: [{ ...alert, resolvedAt: alert.resolvedAt! - 1 }] },
      { received: flawless().received.slice(1) },
      { received: [...flawless().received, received("dlv_9", due(20), "monitor_down")] }
    ]) {
      assert.isAbove(alertsOf({ ...flawless(), ...change }).wrong.length, 0, JSON.stringify(change))
    }
  })

  it("counts a repeated notification, and excuses it after a fault", () => {
    const evidence = flawless()
    evidence.received = [...evidence.received, received("dlv_1", down.from + 9000, "monitor_down")]
    assert.strictEqual(alertsOf(evidence).wrong.length, 1)
    evidence.absences = [{ name: "engine-2", how: "killed", from: down.from + 150, to: down.from + 8000 }]
    const { repeated, wrong } = alertsOf(evidence)
    assert.deepStrictEqual([repeated, wrong], [1, []])
  })

  it("excuses a repeated notification by when it was sent, however late it was received", () => {
    const evidence = flawless()
    evidence.absences = [{ name: "postgres", how: "killed", from: down.from + 150, to: down.from + 8000 }]
    const again = received("dlv_1", down.from + 9000, "monitor_down")
    const late = { ...received("dlv_1", down.from + 100, "monitor_down"), at: down.from + 4000 }
    evidence.received = [late, again, ...evidence.received.slice(1)]
    assert.deepStrictEqual(alertsOf(evidence).wrong, [])
    evidence.received = [{ ...late, sentAt: late.at }, again, ...evidence.received.slice(2)]
    assert.lengthOf(alertsOf(evidence).wrong, 1)
  })

  it("excuses an engine that goes on after a thaw while another one has taken over", () => {
    const evidence = flawless()
    const to = down.from - 200
    evidence.received = [...evidence.received, received("dlv_1", down.from + 300, "monitor_down")]
    for (const [how, count] of [
      ["frozen", 0],
      ["killed", 1]
    ] as const) {
      evidence.absences = [{ name: "engine-1", how, from: to - 15_000, to }]
      assert.lengthOf(alertsOf(evidence).wrong, count, how)
    }
  })
})

describe("the time until another probe takes over", () => {
  it("runs from the kill to the first and last check by another probe", () => {
    const evidence = flawless()
    evidence.regions = { near: "eu-west", other: "eu-west", far: "us-east" }
    evidence.asked = evidence.asked.map((one) =>
      one.probe === "near" && one.at > due(12) + 100 ? { ...one, probe: "other", at: one.at + 1000 } : one
    )
    const from = due(12) + 500
    evidence.absences = [{ name: "near", how: "killed", from, to: due(18) }]
    const [takeover] = Takeover.measure(evidence)
    const wait = due(13) + 1005 - from
    assert.deepStrictEqual(
      { ...takeover!, absence: undefined },
      { absence: undefined, monitors: 1, noticed: wait, complete: wait, taken: 1, longestGap: due(13) - due(12) + 1000 }
    )
  })
})

describe("the ledger of dates", () => {
  it("accepts outages that are dated to their first checks, from whichever region", () => {
    assert.deepStrictEqual(DatingLedger.account(flawless()), [])
  })

  it.each([
    { status: "down", by: intervalMillis },
    { status: "down", by: -intervalMillis },
    { status: "up", by: intervalMillis },
    { status: "up", by: -intervalMillis }
  ])("finds a $status that is dated $by ms away", ({ by, status }) => {
    const evidence = flawless()
    evidence.changed = evidence.changed.map((entry) =>
      entry.status === status && entry.at > due(2) ? { ...entry, at: entry.at + by } : entry
    )
    assert.lengthOf(DatingLedger.account(evidence), 1)
  })
})
