import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { isTooOld, minimumNats } from "../src/NatsVersion.ts"

describe("the version of a nats-server", () => {
  it.each(["2.8.4", "2.8.99", "1.4.1", "v2.2.0", "2.8", "0.9.6"])("%s is too old", (version) => {
    assert.isTrue(isTooOld(version))
  })

  it.each([minimumNats, "2.9", "2.9.25", "2.10.0", "2.12.0-RC.1", "v2.11.3", "3.0.0", "10.0.0"])(
    "%s is enough",
    (version) => {
      assert.isFalse(isTooOld(version))
    }
  )

  it.each(["", "unknown", "2", "2.x", "2.8.4.1", `${"9".repeat(400)}.1`])("%j says nothing", (version) => {
    assert.isFalse(isTooOld(version))
  })

  it("compares by number, place by place", () => {
    const part = fc.integer({ min: 0, max: 200 })
    fc.assert(
      fc.property(part, part, part, (major, minor, patch) => {
        const expected = major < 2 || (major === 2 && minor < 9)
        assert.strictEqual(isTooOld(`${major}.${minor}.${patch}`), expected)
      })
    )
  })
})
