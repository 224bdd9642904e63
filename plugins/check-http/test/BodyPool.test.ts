import { assert, describe, it } from "@effect/vitest"
import * as Targets from "@kanmon/testkit/Targets"
import { Effect } from "effect"
import * as fc from "fast-check"
import * as BodyPool from "../src/BodyPool.ts"
import { attempt } from "./Attempt.ts"

const kibibyte = Buffer.alloc(1024, "x")
const fill = (holding: BodyPool.Holding, kibibytes: number): void => {
  for (let at = 0; at < kibibytes; at++) holding.append(kibibyte, 0, 1024)
}

describe("the memory for what targets send", () => {
  it("keeps at most the limit of a check, in any pieces", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 700 }), { maxLength: 20 }), fc.nat(3000), (pieces, limit) => {
        const pool = BodyPool.make(100_000)
        const holding = pool.open("192.0.2.1", limit)
        for (const piece of pieces) holding.append(Buffer.from(piece), 0, piece.length)
        assert.deepStrictEqual(holding.bytes(), Buffer.concat(pieces).subarray(0, limit))
        assert.isAtMost(pool.used(), limit)
        holding.release()
        assert.strictEqual(pool.used(), 0)
      })
    )
  })

  it("is counted with what is made of it, and never exceeds its bound", () => {
    const act = fc.record({ address: fc.nat(4), kibibytes: fc.nat(40), counted: fc.nat(40_000), release: fc.boolean() })
    fc.assert(
      fc.property(fc.array(act, { maxLength: 30 }), (acts) => {
        const pool = BodyPool.make(128 * 1024)
        const open: Array<BodyPool.Holding> = []
        for (const { address, counted, kibibytes, release } of acts) {
          const holding = pool.open(`192.0.2.${address}`, 64 * 1024)
          fill(holding, kibibytes)
          holding.count(counted)
          if (!holding.isLost()) assert.strictEqual(holding.bytes().length, kibibytes * 1024)
          assert.isAtMost(pool.used(), 128 * 1024)
          if (release) holding.release()
          else open.push(holding)
        }
        for (const holding of open) holding.release()
        assert.strictEqual(pool.used(), 0)
      })
    )
  })

  it("is taken from the address that holds the most when it is used up", () => {
    const pool = BodyPool.make(1024 * 1024)
    const lost: Array<string> = []
    const open = (address: string, name: string): BodyPool.Holding => {
      const holding = pool.open(address, 1024 * 1024)
      holding.onLost(() => lost.push(name))
      return holding
    }
    const large = open("192.0.2.1", "large")
    fill(large, 200)
    const hoarders = Array.from({ length: 20 }, (_, index) => open("192.0.2.9", `hoarder ${index}`))
    for (const hoarder of hoarders) fill(hoarder, 100)
    const small = open("192.0.2.2", "small")
    fill(small, 30)
    assert.isFalse(large.isLost() || small.isLost())
    assert.isAbove(lost.length, 0)
    assert.isTrue(lost.every((name) => name.startsWith("hoarder")))
    assert.strictEqual(lost[0], "hoarder 0")
    assert.strictEqual(large.bytes().length, 200 * 1024)
    assert.strictEqual(hoarders[0]!.bytes().length, 0)
  })

  it.live("reports unknown for a check with a response that did not fit, and keeps other results", () =>
    Effect.gen(function* () {
      const page = "x".repeat(900_000)
      const target = yield* Targets.http(Targets.answer({ body: page }))
      // Holds everything, from many addresses, so that the check has the most of its own.
      const before = BodyPool.shared.used()
      const others: Array<BodyPool.Holding> = []
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          for (const holding of others) holding.release()
        })
      )
      while (others[0]?.isLost() !== true) {
        const holding = BodyPool.shared.open(`other-${others.length}`, 0)
        holding.count(256 * 1024)
        others.push(holding)
      }
      const found = yield* attempt(target.port, { bodyContains: "xx" })
      assert.deepStrictEqual([found.status, found.failure?.code], ["unknown", "evaluation_unavailable"])
      assert.include(found.failure!.message, "no memory")
      for (const holding of others) holding.release()
      assert.strictEqual((yield* attempt(target.port, { bodyContains: "xx" })).status, "up")
      assert.strictEqual(BodyPool.shared.used(), before)
    }).pipe(Effect.scoped)
  )
})
