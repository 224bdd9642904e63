import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as EvaluationQueue from "../src/internal/EvaluationQueue.ts"

const all = (queue: EvaluationQueue.EvaluationQueue<EvaluationQueue.Waiting>, now = 0) => {
  const taken: Array<EvaluationQueue.Waiting> = []
  for (;;) {
    const next = queue.take(0, Number.POSITIVE_INFINITY, now)
    if (next === undefined) return taken
    taken.push(next)
  }
}

const waiting = fc.record({
  owner: fc.constantFrom("a", "b", "c", "d"),
  expected: fc.integer({ min: 0, max: 2000 }),
  size: fc.integer({ min: 1, max: 100 })
})

const by = (owner: string, expected = 10, size = 1): EvaluationQueue.Waiting => ({ owner, expected, size })

describe("EvaluationQueue", () => {
  it("loses nothing, and evicts the most expensive ones above its capacity", () => {
    fc.assert(
      fc.property(fc.array(waiting, { maxLength: 60 }), (offered) => {
        const queue = EvaluationQueue.make(500)
        const gone = offered.flatMap((one) => queue.offer(one, 0))
        const taken = all(queue)
        assert.sameMembers([...gone, ...taken], offered)
        assert.isAtMost(
          taken.reduce((sum, { size }) => sum + size, 0),
          500
        )
      })
    )
  })

  it("serves cheaper ones first, within a factor of two", () => {
    fc.assert(
      fc.property(fc.array(waiting, { maxLength: 60 }), (offered) => {
        const queue = EvaluationQueue.make(1_000_000)
        for (const one of offered) queue.offer(one, 0)
        const costs = all(queue).map(({ expected }) => Math.max(1, expected))
        costs.forEach((cost, index) => costs.slice(index + 1).forEach((later) => assert.isBelow(cost, 2 * later + 1)))
      })
    )
  })

  it("alternates between owners, however many one of them queues", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 20 }), (many, owners) => {
        const queue = EvaluationQueue.make(1_000_000)
        for (let index = 0; index < many; index++) queue.offer(by("greedy"), 0)
        for (let owner = 0; owner < owners; owner++) queue.offer(by(`owner ${owner}`), 0)
        const first = Array.from({ length: owners + 1 }, () => {
          const { owner } = queue.take(0, 1000, 0)!
          queue.charge(owner, 10, 0)
          return owner
        })
        assert.strictEqual(new Set(first).size, owners + 1)
      })
    )
  })

  it("tracks the usage of owners with a half-life of a minute", () => {
    const first = (later: number) => {
      const queue = EvaluationQueue.make(100)
      queue.charge("early", 1000, 0)
      queue.charge("late", 600, later)
      for (const owner of ["early", "late"]) queue.offer(by(owner), later)
      return queue.take(0, 1000, later)!.owner
    }
    assert.strictEqual(first(0), "late")
    assert.strictEqual(first(60_000), "early")
  })

  it("returns only the requested cost range, and nothing that was removed", () => {
    const queue = EvaluationQueue.make(100)
    const [cheap, dear, removed] = [by("a", 128), by("a", 129), by("a", 1)]
    for (const one of [dear, removed, cheap]) queue.offer(one, 0)
    queue.remove(removed)
    assert.strictEqual(queue.take(0, 128, 0), cheap)
    assert.isUndefined(queue.take(0, 128, 0))
    assert.strictEqual(queue.take(128, Number.POSITIVE_INFINITY, 0), dear)
  })

  it("evicts the newest of the owner who used most", () => {
    const queue = EvaluationQueue.make(2)
    queue.charge("hostile", 1000, 0)
    const [first, second, honest] = [by("hostile"), by("hostile"), by("honest")]
    assert.deepStrictEqual(queue.offer(first, 0), [])
    assert.deepStrictEqual(queue.offer(second, 0), [])
    assert.deepStrictEqual(queue.offer(honest, 0), [second])
  })
})
