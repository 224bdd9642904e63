import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { strictDecoder } from "../src/FieldErrors.ts"
import { MonitorId, ProjectId } from "../src/Ids.ts"
import { Interval, Name, Timeout } from "../src/Monitor.ts"
import { observationId } from "../src/Observation.ts"
import * as Subjects from "../src/Subjects.ts"
import { Timestamp } from "../src/Timestamp.ts"

const timeout = (input: unknown) => Result.getOrUndefined(Schema.decodeUnknownResult(Timeout)(input))

describe("Timeout", () => {
  it.each([
    [30, 30],
    ["30s", 30],
    ["500ms", 0.5],
    ["1.5 s", 1.5],
    ["2m", 120]
  ])("reads %j as %d seconds", (input, seconds) => assert.strictEqual(timeout(input), seconds))

  it.each([0, 0.05, 121, "3m", "5", "", "s", "1h", null, true, Number.NaN, Number.POSITIVE_INFINITY])(
    "refuses %j",
    (input) => assert.isUndefined(timeout(input))
  )

  it("accepts a duration in any unit", () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 120_000 }), (millis) => {
        assert.strictEqual(timeout(`${millis}ms`), millis / 1000)
        assert.strictEqual(timeout(`${millis / 1000}s`), millis / 1000)
        assert.strictEqual(timeout(millis / 1000), millis / 1000)
      })
    )
  })
})

describe("strictDecoder", () => {
  const decode = strictDecoder(
    Schema.Struct({
      name: Name,
      interval: Interval,
      tags: Schema.optionalKey(Schema.Array(Schema.Struct({ key: Schema.String })))
    })
  )

  it("names every invalid field, including unknown ones", () => {
    const result = decode({ name: "", interval: 5, intervall: 60, tags: [{ key: 1 }] })
    assert.isTrue(Result.isFailure(result))
    if (Result.isSuccess(result)) return
    assert.deepStrictEqual(result.failure.errors.map(({ path }) => path).sort(), [
      "interval",
      "intervall",
      "name",
      "tags[0].key"
    ])
    assert.deepInclude(result.failure.errors, { path: "intervall", message: "Unknown field" })
  })

  it("formats paths as JavaScript does, with one row per invalid leaf", () => {
    const leaf = Schema.Struct({ n: Schema.Int })
    const nested = strictDecoder(
      Schema.Struct({ list: Schema.Array(Schema.Array(leaf)), byName: Schema.Record(Schema.String, leaf) })
    )
    const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { maxLength: 5 })
    fc.assert(
      fc.property(fc.array(fc.array(fc.boolean(), { maxLength: 4 }), { maxLength: 4 }), names, (rows, keys) => {
        const result = nested({
          list: rows.map((row) => row.map((broken) => ({ n: broken ? "x" : 1 }))),
          byName: Object.fromEntries(keys.map((key) => [key, { n: 1.5 }]))
        })
        const expected = [
          ...rows.flatMap((row, outer) =>
            row.flatMap((broken, inner) => (broken ? [`list[${outer}][${inner}].n`] : []))
          ),
          ...keys.map((key) => `byName.${key}.n`)
        ]
        const found = Result.isFailure(result) ? result.failure.errors.map(({ path }) => path) : []
        assert.deepStrictEqual(found.toSorted(), expected.toSorted())
      })
    )
  })

  it("names the missing field", () => {
    const result = decode({ name: "x" })
    assert.isTrue(
      Result.isFailure(result) &&
        result.failure.errors.some(({ message, path }) => path === "interval" && message === "Required")
    )
  })
})

describe("Timestamp", () => {
  it("encodes an instant as ISO 8601 with milliseconds", () => {
    const at = Date.UTC(2026, 10, 20, 8, 30)
    assert.strictEqual(Schema.encodeSync(Timestamp)(at), "2026-11-20T08:30:00.000Z")
    assert.strictEqual(Schema.decodeSync(Timestamp)("2026-11-20T08:30:00.000Z"), at)
    assert.throws(() => Schema.decodeSync(Timestamp)("yesterday"))
  })

  it("round-trips", () => {
    fc.assert(
      fc.property(
        fc.date({ noInvalidDate: true, min: new Date("0000-01-01"), max: new Date("9999-12-31") }),
        (date) => {
          const at = date.getTime()
          assert.strictEqual(Schema.decodeSync(Timestamp)(Schema.encodeSync(Timestamp)(at)), at)
        }
      )
    )
  })

  it.each([
    ["2026-11-20T08:30Z", Date.UTC(2026, 10, 20, 8, 30)],
    ["2026-11-20T08:30:00+02:00", Date.UTC(2026, 10, 20, 6, 30)],
    ["2028-02-29T23:59:59.9999Z", Date.UTC(2028, 1, 29, 23, 59, 59, 999)],
    ["2026-03-31T23:00:00-05:00", Date.UTC(2026, 3, 1, 4)]
  ])("reads %s", (text, at) => assert.strictEqual(Schema.decodeSync(Timestamp)(text), at))

  // Without a zone the instant is ambiguous; the day does not exist.
  it.each([
    "2026-11-20T08:30:00",
    "2026-11-20",
    "2026-02-30T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "1",
    "Jan 1 2026",
    "",
    "2026-11-20T25:00:00Z"
  ])("refuses %j", (text) => assert.throws(() => Schema.decodeSync(Timestamp)(text)))

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 1.5, 9e15])("rejects %d when encoding", (at) =>
    assert.throws(() => Schema.encodeSync(Timestamp)(at), /Expected/)
  )
})

describe("bus subjects", () => {
  it("contain partition, region, project and monitor", () => {
    const observation = { region: "eu-west", projectId: ProjectId.make("prj_1"), monitorId: MonitorId.make("mon_1") }
    assert.match(Subjects.check(observation), /^kanmon\.checks\.\d{1,2}\.eu-west\.prj_1\.mon_1$/)
    assert.isBelow(Subjects.partitionOf(observation.monitorId), Subjects.partitions)
  })

  it("spreads monitors over all partitions, always in the same way", () => {
    const seen = new Set<number>()
    for (let index = 0; index < 2000; index++) seen.add(Subjects.partitionOf(MonitorId.make(`mon_${index}`)))
    assert.strictEqual(seen.size, Subjects.partitions)
    // Part of every subject, so it may never change.
    assert.strictEqual(Subjects.partitionOf(MonitorId.make("mon_1")), 59)
  })

  it("tells a check on demand from the scheduled one of the same slot", () => {
    const observation = { monitorId: "mon_1", region: "eu-west", slot: 7, scheduledAt: 100 }
    assert.strictEqual(observationId(observation, 100), "mon_1:eu-west:7")
    assert.strictEqual(observationId(observation, 90), "mon_1:eu-west:7:100")
  })
})
