import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { inOrder } from "../src/api/inOrder.ts"

describe("acts on the same thing", () => {
  it("begin when the earlier ones have ended in any way, and wait for nothing else", async () => {
    const thing = fc.constantFrom("a", "b", "c")
    const act = fc.record({ things: fc.uniqueArray(thing, { minLength: 1 }), fails: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 12 }), fc.scheduler(), async (acts, scheduler) => {
        const running = new Set<string>()
        const order: Array<number> = []
        const outcomes = acts.map(({ fails, things }, index) =>
          inOrder(things, async () => {
            for (const each of things) {
              assert.isFalse(running.has(each), "two acts at once")
              running.add(each)
            }
            order.push(index)
            await scheduler.schedule(Promise.resolve(), `act ${index}`)
            for (const each of things) running.delete(each)
            if (fails) throw new Error(`act ${index}`)
            return index
          }).then(
            (value) => ({ value }),
            (error: Error) => ({ error: error.message })
          )
        )
        await scheduler.waitFor(Promise.all(outcomes))
        assert.deepStrictEqual(
          await Promise.all(outcomes),
          acts.map(({ fails }, index) => (fails ? { error: `act ${index}` } : { value: index }))
        )
        for (const one of ["a", "b", "c"] as const) {
          const own = order.filter((index) => acts[index]!.things.includes(one))
          assert.deepStrictEqual(
            own,
            own.toSorted((first, second) => first - second)
          )
        }
      })
    )
  })
})
