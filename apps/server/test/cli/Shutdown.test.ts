import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as Shutdown from "../../src/cli/Shutdown.ts"

const run = (times: ReadonlyArray<number>) => times.map(Shutdown.decisions())

describe("signals that ask for a stop", () => {
  it("takes Ctrl+C, and the copy that npm forwards, for one request", () => {
    assert.deepStrictEqual(run([5000, 5000.2, 5040]), ["stop", "ignore", "ignore"])
  })

  it("ends the process on a signal a second after the first one", () => {
    assert.deepStrictEqual(run([5000, 5999, 6000]), ["stop", "ignore", "exit"])
  })

  it("stops once, and ends the process exactly when some signal comes a second or more after the first", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1e9, noNaN: true }),
        fc.array(fc.nat(3000), { maxLength: 8 }),
        (start, gaps) => {
          let now = start
          const times = [start, ...gaps.map((gap) => (now += gap))]
          const decided = run(times)
          assert.strictEqual(decided[0], "stop")
          assert.isFalse(decided.slice(1).includes("stop"))
          decided.slice(1).forEach((one, index) => {
            assert.strictEqual(one, times[index + 1]! - start < 1000 ? "ignore" : "exit")
          })
        }
      )
    )
  })

  it("leaves a stop less time than the ten seconds after which containers are killed", () => {
    assert.isBelow(Shutdown.graceMillis, 10_000)
  })
})
