import { assert, describe, it } from "@effect/vitest"
import type { Activity } from "../src/Activity.ts"
import * as InFlight from "../src/InFlight.ts"

const check = (key: string): Activity => ({ kind: "check", key, version: "1", label, size: null })

// Other tests of this process leave attempts that do not end.
const label = "関門, of this test"
const own = () => (InFlight.read(InFlight.memory) as ReadonlyArray<Activity>).filter((one) => one.label === label)
const keys = () => own().map(({ key }) => key)

describe("InFlight", () => {
  it("lists attempts from their beginning to their end", () => {
    const ends = ["a", "b", "c"].map((key) => InFlight.enter(check(key)))
    assert.sameMembers(keys(), ["a", "b", "c"])
    assert.deepInclude(own(), check("a"))
    ends[1]!()
    assert.sameMembers(keys(), ["a", "c"])
    for (const end of [ends[0]!, ends[2]!]) end()
    assert.deepStrictEqual(keys(), [])
  })

  it("leaves out what has no place", () => {
    const ends = Array.from({ length: 1000 }, (_, index) => InFlight.enter(check(String(index))))
    const listed = keys().length
    assert.isAbove(listed, 0)
    assert.isBelow(listed, 1000)
    for (const end of ends) end()
    const long = InFlight.enter(check("x".repeat(10_000)))
    assert.deepStrictEqual(keys(), [])
    long()
    const next = InFlight.enter(check("next"))
    assert.deepStrictEqual(keys(), ["next"])
    next()
  })
})
