import { assert, describe, it } from "@effect/vitest"
import type { Expectation, PreparedPassive } from "@kanmon/core/Check"
import { Result } from "effect"
import * as fc from "fast-check"
import plugin from "../src/index.ts"
import { nextRun } from "../src/Schedule.ts"

const check = plugin.checks[0]!
const prepare = (config: unknown): PreparedPassive => Result.getOrThrow(check.passive!(config))
const refusals = (config: unknown) => {
  const result = check.normalize(config)
  return Result.isFailure(result) ? result.failure.errors.map(({ path }) => path) : []
}
const at = (text: string): number => Date.parse(text)
const overdue = (config: unknown, expected: Partial<Expectation>): string | undefined => {
  const deadline = prepare(config).overdueAt({
    interval: 3600,
    lastSignal: null,
    createdAt: at("2026-11-20T00:00:00Z"),
    startedAt: null,
    ...expected
  })
  return deadline === null ? undefined : new Date(deadline).toISOString()
}

describe("a heartbeat by interval", () => {
  it("is overdue when the interval and the grace time have passed", () => {
    assert.strictEqual(overdue({}, { lastSignal: at("2026-11-20T03:00:00Z") }), "2026-11-20T04:06:00.000Z")
    const early = { interval: 60, lastSignal: at("2026-11-20T00:00:00Z") }
    assert.strictEqual(overdue({}, early), "2026-11-20T00:02:00.000Z")
    assert.strictEqual(overdue({ grace: 1 }, early), "2026-11-20T00:01:01.000Z")
  })

  it("is not overdue before its first signal, unless that is expected", () => {
    assert.isUndefined(overdue({}, {}))
    assert.isUndefined(overdue({ schedule: "30 2 * * *", expectFirstSignal: false }, {}))
    assert.strictEqual(overdue({ expectFirstSignal: true }, {}), "2026-11-20T01:06:00.000Z")
  })

  it("expects the end of its first run", () => {
    const begun = { startedAt: at("2026-11-20T04:00:00Z") }
    assert.strictEqual(overdue({ grace: 600 }, begun), "2026-11-20T05:10:00.000Z")
    assert.strictEqual(overdue({ maxRuntime: 30 }, begun), "2026-11-20T04:00:30.000Z")
  })

  it("gives a started run its own deadline", () => {
    const begun = { lastSignal: at("2026-11-20T03:00:00Z"), startedAt: at("2026-11-20T04:05:00Z") }
    assert.strictEqual(overdue({ grace: 600 }, begun), "2026-11-20T04:15:00.000Z")
    assert.strictEqual(overdue({ maxRuntime: 30 }, begun), "2026-11-20T04:05:30.000Z")
    assert.strictEqual(overdue({ maxRuntime: 7200 }, begun), "2026-11-20T06:05:00.000Z")
  })
})

describe("a heartbeat by schedule", () => {
  const nightly = { schedule: "30 2 * * *", timezone: "Europe/Berlin", grace: 900 }

  it("is overdue after its time in its zone, summer and winter", () => {
    assert.strictEqual(overdue(nightly, { lastSignal: at("2026-11-20T12:00:00Z") }), "2026-11-21T01:45:00.000Z")
    assert.strictEqual(overdue(nightly, { lastSignal: at("2026-07-20T12:00:00Z") }), "2026-07-21T00:45:00.000Z")
  })

  it("runs once when a clock change repeats it, and still runs when one skips it", () => {
    // 2026-10-25: 02:30 occurs twice. 2026-03-29: 02:30 does not occur.
    const autumn = overdue(nightly, { lastSignal: at("2026-10-24T12:00:00Z") })
    assert.include(["2026-10-25T00:45:00.000Z", "2026-10-25T01:45:00.000Z"], autumn)
    assert.strictEqual(overdue(nightly, { lastSignal: at(autumn!) }), "2026-10-26T01:45:00.000Z")
    const spring = at(overdue(nightly, { lastSignal: at("2026-03-28T12:00:00Z") })!)
    assert.isAtMost(spring, at("2026-03-29T02:00:00Z"))
  })

  it("joins day of month and weekday as crond does", () => {
    // 2026-11-19 is a Thursday and odd; the one after it is 2026-12-03.
    const odd = { schedule: "0 2 */2 * 4", grace: 60 }
    assert.strictEqual(overdue(odd, { lastSignal: at("2026-11-19T12:00:00Z") }), "2026-12-03T02:01:00.000Z")
    const either = { schedule: "0 2 20 * 4", grace: 60 }
    assert.strictEqual(overdue(either, { lastSignal: at("2026-11-19T12:00:00Z") }), "2026-11-20T02:01:00.000Z")
  })

  it("accepts rare schedules and all steps, and rejects what never occurs", () => {
    assert.deepStrictEqual(refusals({ schedule: "0 0 29 2 *" }), [])
    assert.deepStrictEqual(refusals({ schedule: "0 0 29 2 */7" }), [])
    assert.deepStrictEqual(refusals({ schedule: "*/100 3 * * 1" }), [])
    assert.deepStrictEqual(refusals({ schedule: "0 0 31 4 */2" }), ["schedule"])
    assert.deepStrictEqual(refusals({ schedule: "0 0 31 2,4,6,9,11 *" }), ["schedule"])
    // Extensions that crond does not know.
    assert.deepStrictEqual(refusals({ schedule: "0 0 29 2 +SAT" }), ["schedule"])
    assert.deepStrictEqual(refusals({ schedule: "* * 31W * +SUN" }), ["schedule"])
  })

  it("rejects invalid schedules and time zones", () => {
    assert.deepStrictEqual(refusals({ schedule: "whenever" }), ["schedule"])
    assert.deepStrictEqual(refusals({ schedule: "61 * * * *" }), ["schedule"])
    assert.deepStrictEqual(refusals({ schedule: "0 0 30 2 *" }), ["schedule"])
    assert.deepStrictEqual(refusals({ schedule: "0 0 * * *", timezone: "Mars/Base" }), ["timezone"])
    assert.deepStrictEqual(refusals({ timezone: "Europe/Berlin" }), ["timezone"])
    assert.deepStrictEqual(refusals({ grace: 0, maxRuntime: "long", gracee: 1 }).sort(), [
      "grace",
      "gracee",
      "maxRuntime"
    ])
    assert.deepStrictEqual(refusals({ schedule: "30 2 * * *", timezone: "UTC" }), [])
  })
})

describe("a signal before its time", () => {
  const hourly = { schedule: "0 * * * *", grace: 900 }

  it("counts for that time when it is early by the grace time at most", () => {
    assert.strictEqual(overdue(hourly, { lastSignal: at("2026-11-20T01:59:57Z") }), "2026-11-20T03:15:00.000Z")
    assert.strictEqual(overdue(hourly, { lastSignal: at("2026-11-20T01:45:00Z") }), "2026-11-20T03:15:00.000Z")
    assert.strictEqual(overdue(hourly, { lastSignal: at("2026-11-20T01:44:59Z") }), "2026-11-20T02:15:00.000Z")
    assert.strictEqual(overdue(hourly, { lastSignal: at("2026-11-20T02:00:00Z") }), "2026-11-20T03:15:00.000Z")
  })

  it("counts for the time before when that is nearer, however long the grace time is", () => {
    const patient = { ...hourly, grace: 7200 }
    assert.strictEqual(overdue(patient, { lastSignal: at("2026-11-20T01:30:00Z") }), "2026-11-20T05:00:00.000Z")
    assert.strictEqual(overdue(patient, { lastSignal: at("2026-11-20T01:29:59Z") }), "2026-11-20T04:00:00.000Z")
    const uneven = { schedule: "0,10 * * * *", grace: 3600 }
    assert.strictEqual(overdue(uneven, { lastSignal: at("2026-11-20T01:06:00Z") }), "2026-11-20T03:00:00.000Z")
    assert.strictEqual(overdue(uneven, { lastSignal: at("2026-11-20T01:04:00Z") }), "2026-11-20T02:10:00.000Z")
  })

  it("is told from a deadline that passed: its next time is due", () => {
    const missed = { lastSignal: at("2026-11-20T01:50:00Z"), isMissed: true }
    assert.strictEqual(overdue(hourly, missed), "2026-11-20T02:15:00.000Z")
    const created = { createdAt: at("2026-11-20T01:59:58Z") }
    assert.strictEqual(overdue({ ...hourly, expectFirstSignal: true }, created), "2026-11-20T02:15:00.000Z")
  })

  it("leaves exactly the nearest time behind, in any schedule", () => {
    const schedule = fc.constantFrom("0 * * * *", "*/7 * * * *", "30 1-3 * * *", "5 2 * * 1-5", "0,3,50 */3 1-9 * 4")
    const from = at("2026-01-01T00:00:00Z")
    fc.assert(
      fc.property(schedule, fc.nat(365 * 86_400), fc.integer({ min: 1, max: 90_000 }), (expression, second, grace) => {
        const zone = "Europe/Berlin"
        const signal = from + second * 1000
        const time = nextRun(expression, zone, signal)!
        let before = signal - 40 * 86_400_000
        for (let run = before; run <= signal; run = nextRun(expression, zone, run)!) before = run
        const isEarly = time - signal <= Math.min(grace * 1000, (time - before) / 2)
        const expected = isEarly ? nextRun(expression, zone, time)! : time
        const config = { schedule: expression, timezone: zone, grace }
        assert.strictEqual(overdue(config, { lastSignal: signal }), new Date(expected + grace * 1000).toISOString())
      }),
      { numRuns: 30 }
    )
  })
})

describe("metrics", () => {
  const { objection } = prepare({
    metricRules: [
      { metric: "rows", op: ">", value: 0, severity: "down" },
      { metric: "seconds", op: "<=", value: 60 }
    ]
  })

  it("make it degraded, or down, when they violate a rule", () => {
    assert.isUndefined(objection({ rows: 12, seconds: 60 }, ""))
    assert.strictEqual(objection({ seconds: 61 }, "")?.status, "degraded")
    assert.deepInclude(objection({ rows: 0, seconds: 61 }, ""), {
      status: "down",
      code: "metric_breached",
      message: "rows is 0; it must be > 0"
    })
  })

  it("violate nothing when they are missing", () =>
    assert.isUndefined(objection({ constructor: 1, __proto__: 2 } as never, "")))
})

describe("the output of a job", () => {
  const { objection } = prepare({
    bodyContains: "backup complete",
    bodyNotContains: "ERROR",
    metricRules: [
      { metric: "rows", op: ">", value: 0, severity: "down" },
      { metric: "seconds", op: "<=", value: 60 }
    ]
  })

  it("makes a success a failure when the text is missing that must be there, or there is one that must not", () => {
    assert.isUndefined(objection({}, "12 tables\nbackup complete\n"))
    assert.deepInclude(objection({}, "12 tables\n"), {
      status: "down",
      code: "body_mismatch",
      message: 'The output of the job does not contain "backup complete"'
    })
    assert.strictEqual(objection({}, "")?.message, 'The job wrote nothing; expected "backup complete"')
    assert.strictEqual(objection({}, "ERROR\nbackup complete")?.message, 'The output of the job contains "ERROR"')
    assert.isUndefined(objection({}, "error\nbackup complete"), "letters count as they are written")
    assert.isUndefined(prepare({ bodyNotContains: "ERROR" }).objection({}, ""))
  })

  it("counts beside the metrics: the most severe violation is named", () => {
    assert.strictEqual(objection({ rows: 0 }, "")?.code, "metric_breached")
    assert.strictEqual(objection({ seconds: 61 }, "")?.code, "body_mismatch")
    assert.strictEqual(objection({ seconds: 61 }, "backup complete")?.status, "degraded")
  })

  it("rejects rules that no text can be held to", () => {
    assert.deepStrictEqual(refusals({ bodyContains: "", bodyNotContains: "x".repeat(1001) }).sort(), [
      "bodyContains",
      "bodyNotContains"
    ])
  })

  it("takes no time that a job or a user could choose", () => {
    const { objection } = prepare({ bodyContains: `${"ab".repeat(499)}c` })
    assert.strictEqual(objection({}, "ab".repeat(100_000))?.code, "body_mismatch")
  })
})
