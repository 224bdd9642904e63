import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { decodeStrict } from "../src/FieldErrors.ts"
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
})

describe("decodeStrict", () => {
  const decode = decodeStrict(
    Schema.Struct({
      name: Name,
      interval: Interval,
      tags: Schema.optionalKey(Schema.Array(Schema.Struct({ key: Schema.String })))
    })
  )

  it("names every broken field, unknown ones too", () => {
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

  it("says which field is missing", () => {
    const result = decode({ name: "x" })
    assert.isTrue(
      Result.isFailure(result) &&
        result.failure.errors.some(({ message, path }) => path === "interval" && message === "Required")
    )
  })
})

describe("Timestamp", () => {
  it("travels as ISO 8601 with milliseconds", () => {
    const at = Date.UTC(2026, 10, 20, 8, 30)
    assert.strictEqual(Schema.encodeSync(Timestamp)(at), "2026-11-20T08:30:00.000Z")
    assert.strictEqual(Schema.decodeSync(Timestamp)("2026-11-20T08:30:00.000Z"), at)
    assert.throws(() => Schema.decodeSync(Timestamp)("yesterday"))
  })
})

describe("names on the bus", () => {
  it("hold partition, region, project and monitor", () => {
    const observation = { region: "eu-west", projectId: ProjectId.make("prj_1"), monitorId: MonitorId.make("mon_1") }
    assert.match(Subjects.check(observation), /^kanmon\.checks\.\d{1,2}\.eu-west\.prj_1\.mon_1$/)
    assert.isBelow(Subjects.partitionOf(observation.monitorId), Subjects.partitions)
  })

  it("tell a check asked for by hand from its slot's own", () => {
    const observation = { monitorId: "mon_1", region: "eu-west", slot: 7, scheduledAt: 100 }
    assert.strictEqual(observationId(observation, 100), "mon_1:eu-west:7")
    assert.strictEqual(observationId(observation, 90), "mon_1:eu-west:7:100")
  })
})
