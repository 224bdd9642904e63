import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import * as Witnesses from "../src/Witnesses.ts"

const now = 1_000_000

const candidate = (account: string, host: string, more: Partial<Witnesses.Candidate> = {}): Witnesses.Candidate => ({
  account,
  check: { host, target: host, run: () => Effect.die("not here") },
  passedAt: now - 1000,
  millis: 20,
  ...more
})

const candidates = fc.array(
  fc
    .record({
      account: fc.nat(12),
      host: fc.nat(40),
      passedAt: fc.constantFrom(now, now - 60_000, now - 3_600_000, Number.NEGATIVE_INFINITY),
      millis: fc.constantFrom(5, 900, 5000, Number.POSITIVE_INFINITY)
    })
    .map(({ account, host, ...more }) => candidate(`a${account}`, `h${host}`, more)),
  { maxLength: 60 }
)

const accountsOf = (all: ReadonlyArray<Witnesses.Candidate>) => new Set(all.map(({ account }) => account)).size
const seeds = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }))

describe("witnesses", () => {
  it("are on distinct hosts, exclude the doubtful one, passed recently and quickly, and belong to distinct accounts", () => {
    fc.assert(
      fc.property(candidates, seeds, (known, random) => {
        const chosen = Witnesses.choose(known, accountsOf(known), "h1", now, () => random.next().value)
        const hosts = chosen.map(({ check }) => check.host)
        assert.strictEqual(new Set(hosts).size, chosen.length)
        assert.notInclude(hosts, "h1")
        if (accountsOf(known) > 1) assert.strictEqual(accountsOf(chosen), chosen.length)
        for (const { millis, passedAt } of chosen) {
          assert.isAtLeast(passedAt, now - 600_000)
          assert.isAtMost(millis, 1000)
        }
      })
    )
  })

  it("are distinct hosts of a single account", () => {
    const known = Array.from({ length: 30 }, (_, index) => candidate("a1", `h${index % 8}`))
    assert.strictEqual(Witnesses.choose(known, 1, undefined, now, Math.random).length, 8)
  })

  it("are chosen at random, with the same probability for an account with one monitor as for one with a thousand", () => {
    const known = [
      ...Array.from({ length: 1000 }, (_, index) => candidate("large", `large${index}`)),
      ...Array.from({ length: 39 }, (_, index) => candidate(`small${index}`, `small${index}`))
    ]
    let large = 0
    const met = new Set<string>()
    for (let round = 0; round < 400; round++) {
      const chosen = Witnesses.choose(known, 40, undefined, now, Math.random)
      assert.isAtLeast(chosen.length, Witnesses.fewest)
      for (const { account } of chosen) met.add(account)
      if (chosen.some(({ account }) => account === "large")) large++
    }
    assert.strictEqual(met.size, 40)
    assert.isBelow(large, 300)
    assert.isAbove(large, 60)
  })
})
