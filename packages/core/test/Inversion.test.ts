import { assert, describe, it } from "@effect/vitest"
import type { CheckOutcome } from "@kanmon/domain/Observation"
import * as fc from "fast-check"
import { inverted } from "../src/Inversion.ts"

const inconclusive = ["body_undecodable"]
const failure = fc.record({ code: fc.constantFrom("timeout", "connect_refused"), message: fc.string() })
const passed: fc.Arbitrary<CheckOutcome> = fc.record({
  status: fc.constantFrom("up", "degraded"),
  responseTime: fc.nat(),
  timing: fc.constant({ connect: 1 }),
  failure: fc.option(failure),
  facts: fc.record({ statusCode: fc.nat() }, { requiredKeys: [] }),
  checkedAt: fc.nat()
})
const failed: fc.Arbitrary<CheckOutcome> = fc.record({
  status: fc.constant("down"),
  responseTime: fc.option(fc.nat()),
  timing: fc.constant({ connect: 1 }),
  failure,
  facts: fc.record({ statusCode: fc.nat() }, { requiredKeys: [] }),
  checkedAt: fc.nat()
})

describe("the result of an inverted check", () => {
  it("is down when the check passed, degraded or not, and includes the answer", () =>
    fc.assert(
      fc.property(passed, (found) => {
        const { facts, failure, responseTime, status, timing } = inverted(found, inconclusive)
        assert.deepStrictEqual([status, failure?.code], ["down", "unexpected_success"])
        assert.deepStrictEqual([facts, responseTime, timing], [found.facts, found.responseTime, found.timing])
        if (found.facts["statusCode"] !== undefined) assert.include(failure!.message, `${found.facts["statusCode"]}`)
      })
    ))

  it("is up when the check failed, and keeps the reason", () =>
    fc.assert(
      fc.property(failed, (found) => {
        const { facts, failure, responseTime, status } = inverted(found, inconclusive)
        assert.deepStrictEqual([status, failure, responseTime], ["up", null, found.responseTime])
        assert.deepStrictEqual(facts, { ...found.facts, expectedFailure: found.failure })
      })
    ))

  it.each(["address_refused", "body_undecodable"])(
    "stays down when the failure says nothing about the target: %s",
    (code) =>
      fc.assert(
        fc.property(failed, (found) => {
          const refused = { ...found, failure: { code, message: "It may not be checked" } }
          assert.deepStrictEqual(inverted(refused, inconclusive), refused)
        })
      )
  )

  it("stays unknown", () =>
    fc.assert(
      fc.property(failed, (found) => {
        const unknown = { ...found, status: "unknown" as const }
        assert.deepStrictEqual(inverted(unknown, inconclusive), unknown)
      })
    ))
})
