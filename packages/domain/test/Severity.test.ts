import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { defaultSeverity, isBelow, mostUrgent, scales, severities } from "../src/Severity.ts"
import { Trigger } from "../src/Trigger.ts"

const severity = fc.constantFrom(...severities)

describe("a severity", () => {
  it("is critical by default for what has failed, and warning for what is about to", () => {
    const critical = Trigger.literals.filter((trigger) => defaultSeverity([trigger]) === "critical")
    assert.deepStrictEqual(critical, ["monitor_down", "ssl_expired", "ssl_invalid", "domain_expired"])
    assert.strictEqual(defaultSeverity(["ssl_expiring", "ssl_expired"]), "critical")
    assert.strictEqual(defaultSeverity(["ssl_expiring", "monitor_stale"]), "warning")
  })

  it("picks one of several, and none of them is more urgent, in any order", () => {
    fc.assert(
      fc.property(severity, fc.array(severity), (first, rest) => {
        const found = mostUrgent([first, ...rest])
        const all = [first, ...rest]
        assert.include(all, found)
        assert.isFalse(all.some((one) => isBelow(found, one)))
        const [last, ...others] = all.toReversed() as [typeof first, ...typeof rest]
        assert.strictEqual(mostUrgent([last, ...others]), found)
      })
    )
  })

  it("is louder on each numeric scale the more urgent it is", () => {
    for (const scale of [scales.pushover, scales.ntfy])
      for (const one of severities)
        for (const other of severities) if (isBelow(one, other)) assert.isBelow(scale[one], scale[other])
  })
})
