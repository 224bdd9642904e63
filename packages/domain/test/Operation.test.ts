/** Operations: the sizes of batches, and the sentence in which they end. */
import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import { MonitorId } from "../src/Ids.ts"
import { isNews, nextBatch, summaryOf } from "../src/Operation.ts"

const largest = 100

/** Does as a runner: batches are refused if one of their monitors is. */
const run = (refused: ReadonlyArray<boolean>) => {
  const [done, failed]: [Array<number>, Array<number>] = [[], []]
  let [position, size, tries, news] = [0, largest, 0, 0]
  while (position < refused.length) {
    tries++
    const batch = refused.slice(position, position + size)
    if (!batch.includes(true)) {
      batch.forEach((_, index) => done.push(position + index))
      size = nextBatch(size, true, largest)
    } else if (size > 1) {
      size = nextBatch(size, false, largest)
      continue
    } else failed.push(position)
    const count = refused[position] === true ? 1 : batch.length
    position += count
    if (isNews({ total: refused.length, done: done.length, failed: failed.length }, count)) news++
  }
  return { done, failed, tries, news }
}

it("changes each monitor once, and leaves out exactly those that are refused", () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 400 }), (refused) => {
      const { done, failed, news, tries } = run(refused)
      assert.deepStrictEqual(
        failed,
        refused.flatMap((is, index) => (is ? [index] : []))
      )
      assert.deepStrictEqual(
        done,
        refused.flatMap((is, index) => (is ? [] : [index]))
      )
      // A refused monitor costs a few tries more, and none is tried for ever.
      assert.isAtMost(tries, Math.ceil(refused.length / largest) + failed.length * 12 + 12)
      assert.isAtMost(news, 101)
    })
  )
})

it("says in one sentence how far it is and how it ended", () => {
  const monitorId = MonitorId.make("mon_01kxyqk3v8x2m9c4t7w0r5n6da")
  const failures = ["too short", "gone", "too short"].map((message) => ({ monitorId, name: "Shop", message }))
  const ended = { action: "update", status: "completed", total: 10, done: 10, failed: 0, failures: [] } as const
  assert.strictEqual(summaryOf(ended), "10 of 10 monitors changed")
  assert.strictEqual(
    summaryOf({ ...ended, done: 7, failed: 3, failures }),
    "7 of 10 monitors changed, 3 refused (too short)"
  )
  assert.strictEqual(
    summaryOf({ ...ended, action: "delete", status: "stopped", done: 4 }),
    "Stopped: 4 of 10 monitors deleted, 6 left as they were"
  )
  assert.strictEqual(summaryOf({ ...ended, status: "running", total: 1, done: 0 }), "0 of 1 monitor so far: 0 changed")
})

it("never loses a monitor in its sentence", () => {
  fc.assert(
    fc.property(fc.nat(50), fc.nat(50), fc.nat(50), (done, failed, left) => {
      const total = done + failed + left
      const text = summaryOf({ action: "update", status: "stopped", total, done, failed, failures: [] })
      const sum = [...text.matchAll(/(\d+) (?:of|refused|left)/g)].reduce((all, [, figure]) => all + Number(figure), 0)
      assert.strictEqual(sum, total)
    })
  )
})
