import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { burstMillis, collectMillis, groupStep, type Opening } from "../src/AlertGrouping.ts"

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
