import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  burstMillis,
  collectMillis,
  groupStep,
  nextPageAt,
  type Opening,
  paceMillis,
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
      const at = Math.max(oldest.createdAt, nextPageAt(messages.at(-1)?.at ?? null))
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
