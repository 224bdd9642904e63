import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  burstMillis,
  collectMillis,
  groupStep,
  nextPageAt,
  nextPageToNumberAt,
  type Opening,
  paceMillis,
  paceOf,
  paceWindow,
  together
} from "../src/AlertGrouping.ts"

const openings = fc
  .array(fc.record({ gap: fc.nat(20_000), outage: fc.nat(12), isPending: fc.boolean() }), { maxLength: 40 })
  .map((all) => {
    let createdAt = 0
    return all.map(({ gap, isPending, outage }, index): Opening => ({
      id: `dlv_${index}`,
      outage: `outage ${outage}`,
      createdAt: (createdAt += gap),
      isPending
    }))
  })
const limit = fc.integer({ min: 1, max: 12 })
const now = fc.nat(1_000_000)

describe("groupStep", () => {
  it("lists every waiting opening exactly once, and nothing else", () =>
    fc.assert(
      fc.property(openings, limit, now, (all, most, at) => {
        const step = groupStep(all, most, at)
        if (step._tag !== "Group") return
        const waiting = all.filter(({ isPending }) => isPending)
        const told = step.outages.flatMap(({ id, shared }) => [id, ...shared])
        assert.sameMembers(
          told,
          waiting.map(({ id }) => id)
        )
        assert.lengthOf(told, waiting.length)
        assert.isAbove(step.outages.length, 1)
      })
    ))

  it("lists each outage once, by its oldest opening, oldest first", () =>
    fc.assert(
      fc.property(openings, limit, now, (all, most, at) => {
        const step = groupStep(all, most, at)
        if (step._tag !== "Group") return
        const numberOf = (id: string) => all.findIndex((opening) => opening.id === id)
        const outageOf = (id: string) => all[numberOf(id)]!.outage
        const listed = step.outages.map(({ id }) => id)
        assert.deepStrictEqual(
          listed,
          listed.toSorted((one, other) => numberOf(one) - numberOf(other))
        )
        assert.lengthOf(new Set(listed.map(outageOf)), listed.length)
        for (const { id, shared } of step.outages)
          for (const other of shared) {
            assert.strictEqual(outageOf(other), outageOf(id))
            assert.isAbove(numberOf(other), numberOf(id))
          }
      })
    ))

  it("sends one by one while there are no more than the limit within a minute", () =>
    fc.assert(
      fc.property(openings, limit, now, (all, most, at) => {
        const last = all.findLast(({ isPending }) => isPending)?.createdAt ?? 0
        const burst = new Set(all.filter(({ createdAt }) => createdAt > last - burstMillis).map(({ outage }) => outage))
        if (burst.size <= most) assert.deepStrictEqual(groupStep(all, most, at), { _tag: "Single" })
      })
    ))

  it("never waits longer than it collects, nor without a limit", () =>
    fc.assert(
      fc.property(openings, limit, now, (all, most, at) => {
        const step = groupStep(all, most, at)
        if (step._tag === "Wait") {
          const first = all.find(({ isPending }) => isPending)!
          assert.strictEqual(step.until, first.createdAt + collectMillis)
          assert.isBelow(at, step.until)
        }
        assert.deepStrictEqual(groupStep(all, Number.POSITIVE_INFINITY, at), { _tag: "Single" })
      })
    ))
})

describe("pages of one person by one method", () => {
  /** Sends pages as they come: 1,000 at once, one by one, in any mixture. */
  const play = (gaps: ReadonlyArray<number>) => {
    const messages: Array<{ readonly at: number; readonly ids: ReadonlyArray<string> }> = []
    let waiting: ReadonlyArray<Opening> = []
    const sendUntil = (end: number) => {
      const [oldest] = waiting
      if (oldest === undefined) return
      const at = Math.max(
        oldest.createdAt,
        nextPageAt(
          messages.slice(-1).map(({ at: sent }) => sent),
          "message"
        )
      )
      if (at >= end) return
      const step = together(waiting)
      const all =
        step._tag === "Single"
          ? waiting
          : step.outages.flatMap(({ id, shared }) => [{ id }, ...shared.map((other) => ({ id: other }))])
      messages.push({ at, ids: all.map(({ id }) => id) })
      waiting = []
    }
    let createdAt = 0
    for (const [index, gap] of gaps.entries()) {
      createdAt += gap
      sendUntil(createdAt)
      waiting = [...waiting, { id: `dlv_${index}`, outage: `outage ${index % 7}`, createdAt, isPending: true }]
    }
    sendUntil(Number.POSITIVE_INFINITY)
    return messages
  }

  const gaps = fc.array(fc.oneof(fc.constant(0), fc.nat(90_000)), { minLength: 1, maxLength: 200 })

  it("are each in exactly one message, of which there is one a minute, and the first is sent at once", () =>
    fc.assert(
      fc.property(gaps, (all) => {
        const messages = play(all)
        assert.strictEqual(messages[0]!.at, all[0])
        assert.sameMembers(
          messages.flatMap(({ ids }) => ids),
          all.map((_, index) => `dlv_${index}`)
        )
        for (const [index, { at }] of messages.slice(1).entries())
          assert.isAtLeast(at - messages[index]!.at, paceMillis)
      })
    ))

  it("that come at once are one message", () => assert.lengthOf(play(Array.from({ length: 1000 }, () => 0)), 1))
})

describe("the pace of pages", () => {
  const ways = fc.constantFrom("message", "text", "call")

  it("lets no more messages through than its limits, and never holds one longer than they demand", () =>
    fc.assert(
      fc.property(fc.array(fc.nat(120_000), { maxLength: 120 }), ways, (gaps, way) => {
        const sent: Array<number> = []
        let wanted = 0
        for (const gap of gaps) {
          wanted += gap
          const at = Math.max(
            wanted,
            nextPageAt(
              sent.filter((one) => one > wanted - paceWindow(way)),
              way
            )
          )
          // A message that waits is joined by what follows, so the next one is wanted after it at the earliest.
          sent.push(at)
          wanted = at
          for (const { millis, most } of paceOf(way))
            assert.isAtMost(sent.filter((one) => one > at - millis).length, most)
          const isBound = paceOf(way).some(
            ({ millis, most }) => sent.length > most && sent.at(-1 - most)! + millis === at
          )
          assert.isTrue(isBound || at === wanted)
        }
      })
    ))

  it("counts texts and calls to one number together, and never lets one through earlier than by itself", () =>
    fc.assert(
      fc.property(
        fc.array(fc.nat(3_600_000), { maxLength: 12 }),
        fc.array(fc.nat(3_600_000), { maxLength: 12 }),
        fc.constantFrom("text", "call"),
        (own, others, way) => {
          const toNumber = [...own, ...others]
          const at = nextPageToNumberAt({ own, toNumber }, way)
          assert.isAtLeast(at, nextPageAt(own, way))
          for (const one of toNumber) assert.isAtLeast(at, one + paceMillis)
          if (others.length === 0) assert.strictEqual(at, nextPageAt(own, way))
        }
      )
    ))

  it("rings three times in a quarter of an hour and seven times in an hour", () => {
    const sent: Array<number> = []
    for (let wait = 0; wait < 7; wait++) sent.push(Math.max(0, nextPageAt(sent, "call")))
    assert.deepStrictEqual(
      sent.map((at) => at / 60_000),
      [0, 1, 2, 15, 16, 17, 30]
    )
    assert.strictEqual(nextPageAt(sent, "call"), 60 * 60_000)
    assert.strictEqual(nextPageAt(sent, "text"), 31 * 60_000)
  })
})
