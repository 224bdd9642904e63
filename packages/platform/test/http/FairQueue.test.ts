import { FairQueue } from "@kanmon/platform/http/FairQueue"
import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"

interface Work {
  readonly order: number
  readonly account: string
  readonly begin: () => void
}

/** A queue, what waits in the order of arrival, and what runs. */
const stage = (options: { readonly atOnce: number; readonly ofAccount: number; readonly waiting: number }) => {
  const queue = new FairQueue(options)
  const waiting: Array<Work> = []
  const running: Array<Work> = []
  const begun: Array<Work> = []
  let entered = 0
  const enter = (account: string): boolean => {
    const work: Work = {
      order: entered++,
      account,
      begin: () => {
        waiting.splice(waiting.indexOf(work), 1)
        running.push(work)
        begun.push(work)
      }
    }
    waiting.push(work)
    if (queue.enter(account, work.begin)) return true
    waiting.splice(waiting.indexOf(work), 1)
    return false
  }
  const leave = (index: number) => {
    const [work] = running.splice(index % running.length, 1)
    if (work !== undefined) queue.leave(work.account)
  }
  const withdraw = (index: number) => {
    const [work] = waiting.splice(index % waiting.length, 1)
    if (work !== undefined) queue.withdraw(work.account, work.begin)
  }
  return { queue, waiting, running, begun, enter, leave, withdraw }
}

const account = fc.constantFrom("a", "b", "c", "d")
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("enter"), account, index: fc.nat(50) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("leave"), account, index: fc.nat(50) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("withdraw"), account, index: fc.nat(50) }) }
)
const options = fc.record({
  atOnce: fc.integer({ min: 1, max: 5 }),
  ofAccount: fc.integer({ min: 1, max: 5 }),
  waiting: fc.integer({ min: 0, max: 6 })
})
const count = (works: ReadonlyArray<Work>, of: string) => works.filter((work) => work.account === of).length

it("holds its limits, leaves no place empty and keeps the order of each account", () => {
  fc.assert(
    fc.property(options, fc.array(step, { maxLength: 80 }), (given, steps) => {
      const { begun, enter, leave, queue, running, waiting, withdraw } = stage(given)
      for (const { account: of, index, kind } of steps) {
        if (kind === "enter") {
          const full = count(running, of) >= given.ofAccount || running.length >= given.atOnce
          const isTaken = !full || count(waiting, of) < given.waiting
          assert.strictEqual(enter(of), isTaken)
        } else if (kind === "leave" && running.length > 0) leave(index)
        else if (kind === "withdraw" && waiting.length > 0) withdraw(index)
        assert.isAtMost(running.length, given.atOnce)
        for (const name of ["a", "b", "c", "d"]) {
          assert.isAtMost(count(running, name), given.ofAccount)
          assert.isAtMost(count(waiting, name), given.waiting)
        }
        const couldBegin = waiting.some((work) => count(running, work.account) < given.ofAccount)
        assert.isFalse(couldBegin && running.length < given.atOnce)
      }
      while (running.length > 0) leave(0)
      assert.deepStrictEqual(waiting, [])
      assert.strictEqual(queue.size, 0)
      for (const name of ["a", "b", "c", "d"]) {
        const orders = begun.filter((work) => work.account === name).map(({ order }) => order)
        assert.deepStrictEqual(
          orders,
          orders.toSorted((one, other) => one - other)
        )
      }
    })
  )
})

it("gives accounts turns, however much one of them asks for", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 5 }), (many, atOnce) => {
      const { begun, enter, leave, running } = stage({ atOnce, ofAccount: atOnce, waiting: 1_000 })
      for (let index = 0; index < many + atOnce; index++) enter("greedy")
      for (const other of ["b", "c"]) enter(other)
      const before = begun.length
      while (running.length > 0) leave(0)
      const turns = begun.slice(before).map((work) => work.account)
      assert.isBelow(turns.indexOf("b"), 3)
      assert.isBelow(turns.indexOf("c"), 3)
    })
  )
})
