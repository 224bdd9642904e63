/** The log of checks, where what repeats is one row. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { type Check, runsOf, spanOf, tableOf } from "../src/features/monitor/checkRuns.ts"
import { csvOfRows } from "../src/ui/csv.ts"

const checks: fc.Arbitrary<ReadonlyArray<Check>> = fc
  .array(
    fc.record({
      failure: fc.option(fc.record({ code: fc.constant("status"), message: fc.constantFrom("503", "timed out") })),
      region: fc.constantFrom("eu", "us"),
      responseTime: fc.option(fc.nat(5000)),
      status: fc.constantFrom("up" as const, "down" as const),
      statusCode: fc.constantFrom(200, 503, null)
    })
  )
  .map((all) =>
    all.map((some, index) => {
      const at = new Date(1_800_000_000_000 - index * 60_000).toISOString()
      return { captureId: null, checkedAt: at, id: `m:${index}`, scheduledAt: at, timing: {}, ...some }
    })
  )

describe("the log of checks", () => {
  it("has every check once and in its order, and folds only what is alike, three or more of them", () =>
    fc.assert(
      fc.property(checks, (all) => {
        const runs = runsOf(all)
        assert.deepStrictEqual(
          runs.flatMap(({ checks }) => checks),
          all
        )
        for (const { checks } of runs) {
          assert.strictEqual(
            new Set(checks.map((one) => `${one.status} ${one.statusCode} ${one.failure?.message}`)).size,
            1
          )
          assert.isTrue(checks.length === 1 || checks.length > 2)
        }
        assert.strictEqual(new Set(runs.map(({ id }) => id)).size, runs.length)
      })
    ))

  it("keeps the name of a run when newer checks join it", () =>
    fc.assert(
      fc.property(checks, fc.nat(), (all, cut) => {
        const older = all.slice(cut % (all.length + 1))
        const known = new Set(runsOf(all).map(({ id }) => id))
        for (const { checks, id } of runsOf(older)) if (checks.length > 2) assert.isTrue(known.has(id))
      })
    ))

  it("says between which response times a run lies", () =>
    fc.assert(
      fc.property(checks, (all) => {
        const times = all.flatMap(({ responseTime }) => (responseTime === null ? [] : [responseTime]))
        const sorted = times.toSorted((one, other) => one - other)
        assert.deepStrictEqual(spanOf(all), times.length === 0 ? undefined : [sorted[0]!, sorted.at(-1)!])
      })
    ))

  it("is saved with a line for each check, and without formulas", () => {
    const at = "2026-11-26T10:00:00.000Z"
    const check: Check = {
      captureId: null,
      checkedAt: at,
      failure: { code: "status", message: '=cmd|"calc"!A1' },
      id: "m:1",
      region: "eu, west",
      responseTime: 12.5,
      scheduledAt: at,
      status: "down",
      statusCode: 503,
      timing: { dns: 1, firstByte: 10 }
    }
    assert.strictEqual(
      csvOfRows(tableOf([check])),
      "checkedAt,region,status,responseTimeMs,dnsMs,connectMs,tlsMs,firstByteMs,downloadMs,statusCode,failure\r\n" +
        `${at},"eu, west",down,12.5,1,,,10,,503,"'=cmd|""calc""!A1"\r\n`
    )
  })
})
