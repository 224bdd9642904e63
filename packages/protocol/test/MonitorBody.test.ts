/** Bodies of monitors: common fields and a type's own, every broken one named. */
import { assert, describe, it } from "@effect/vitest"
import { strictDecoder } from "@kanmon/domain/FieldErrors"
import { Result, Schema } from "effect"
import type { Monitor } from "@kanmon/domain/Monitor"
import { type CheckKind, decode, decodeChange } from "../src/MonitorBody.ts"

const config = Schema.Struct({ host: Schema.NonEmptyString })
const decodeConfig = strictDecoder(config)

const knock: CheckKind = {
  type: "knock",
  summary: "Knocks at a door.",
  config,
  example: { host: "a.example" },
  defaults: { timeout: 30 },
  normalize: (value) => Result.map(decodeConfig(value), (found) => ({ ...found }))
}

const read = (body: unknown) => decode(new Map([["knock", knock]]), ["eu-west", "us-east"], body)
const good = { type: "knock", name: "Door", host: "a.example" }

const pathsOf = (body: unknown): ReadonlyArray<string> => {
  const result = read(body)
  return Result.isFailure(result) ? result.failure.errors.map(({ path }) => path) : []
}

describe("a monitor's body", () => {
  it("gets its defaults", () =>
    assert.deepStrictEqual(Result.getOrThrow(read(good)), {
      key: null,
      type: "knock",
      name: "Door",
      tags: [],
      group: null,
      description: null,
      links: [],
      dependsOn: [],
      interval: 60,
      retryInterval: null,
      timeout: 30,
      regions: [],
      paused: false,
      passive: false,
      writeOnly: [],
      config: { host: "a.example" }
    }))

  it("has a default timeout that is not above its interval", () =>
    assert.strictEqual(Result.getOrThrow(read({ ...good, interval: 10 })).timeout, 10))

  it("has a retry interval that is at most its interval; null removes it", () => {
    assert.strictEqual(Result.getOrThrow(read({ ...good, retryInterval: 60 })).retryInterval, 60)
    assert.deepStrictEqual(pathsOf({ ...good, retryInterval: 61 }), ["retryInterval"])
    assert.deepStrictEqual(pathsOf({ ...good, retryInterval: 9 }), ["retryInterval"])
    const passive = decode(new Map([["knock", { ...knock, passive: true }]]), [], { ...good, retryInterval: 30 })
    assert.deepStrictEqual(
      Result.match(passive, { onSuccess: () => [], onFailure: ({ errors }) => errors.map(({ path }) => path) }),
      ["retryInterval"]
    )
    const stored = { ...Result.getOrThrow(read({ ...good, retryInterval: 30 })) } as unknown as Monitor
    const change = (body: object) => decodeChange(new Map([["knock", knock]]), [], stored, body)
    assert.strictEqual(Result.getOrThrow(change({ name: "Gate" })).retryInterval, 30)
    assert.isNull(Result.getOrThrow(change({ retryInterval: null })).retryInterval)
    assert.isTrue(Result.isFailure(change({ interval: 20 })))
  })

  it("puts every field that `unset` names back to its default, also one of which null is a value", () => {
    const choosy = Schema.Struct({ host: Schema.NonEmptyString, equals: Schema.optionalKey(Schema.Json) })
    const decodeChoosy = strictDecoder(choosy)
    const kind = {
      ...knock,
      config: choosy,
      normalize: (value: unknown) => decodeChoosy(value)
    } as unknown as CheckKind
    const kinds = new Map([["knock", kind]])
    const stored = Result.getOrThrow(
      decode(kinds, [], { ...good, equals: 1, tags: ["prod"], interval: 30 })
    ) as unknown as Monitor
    const change = (body: object) => decodeChange(kinds, [], stored, body)
    assert.deepStrictEqual(Result.getOrThrow(change({ equals: null })).config, { host: "a.example", equals: null })
    const changed = Result.getOrThrow(change({ unset: ["equals", "tags", "interval"] }))
    assert.deepStrictEqual(
      [changed.config, changed.tags, changed.interval, changed.name],
      [{ host: "a.example" }, [], 60, "Door"]
    )
    const said = (body: object) =>
      Result.match(change(body), {
        onSuccess: () => [],
        onFailure: ({ errors }) => errors.map(({ message, path }) => `${path}: ${message}`)
      })
    assert.deepStrictEqual(said({ unset: ["equal"] }), ["unset[0]: There is no field equal"])
    assert.deepStrictEqual(said({ tags: [], unset: ["tags"] }), [
      "unset[0]: tags is set in the same change; leave one of the two out"
    ])
    assert.isNotEmpty(said({ unset: ["host"] }))
    assert.isNotEmpty(said({ unset: "tags" }))
  })

  it("waits up to 366 days for the signals of a job, and checks others at least once a day", () => {
    const job = (interval: number) =>
      decode(new Map([["knock", { ...knock, passive: true }]]), [], { ...good, interval, timeout: 10 })
    for (const interval of [10, 604_800, 366 * 86_400])
      assert.strictEqual(Result.getOrThrow(job(interval)).interval, interval)
    for (const interval of [9, 366 * 86_400 + 1]) assert.isTrue(Result.isFailure(job(interval)))
    const weekly = { ...Result.getOrThrow(job(604_800)) } as unknown as Monitor
    const change = decodeChange(new Map([["knock", { ...knock, passive: true }]]), [], weekly, {
      interval: 31 * 86_400
    })
    assert.strictEqual(Result.getOrThrow(change).interval, 31 * 86_400)
    assert.deepStrictEqual(pathsOf({ ...good, interval: 86_401 }), ["interval"])
  })

  it("keeps each region once, in the order in which they are named, when it is made and when it is changed", () => {
    const regions = ["us-east", "eu-west", "us-east", "eu-west"]
    const made = Result.getOrThrow(read({ ...good, regions }))
    assert.deepStrictEqual(made.regions, ["us-east", "eu-west"])
    const monitor = { ...made, regions: ["eu-west"] } as unknown as Monitor
    const changed = decodeChange(new Map([["knock", knock]]), ["eu-west", "us-east"], monitor, { regions })
    assert.deepStrictEqual(Result.getOrThrow(changed).regions, ["us-east", "eu-west"])
  })

  it("has a bounded size for every type; an earlier, larger one may still change its other fields", () => {
    const large = { ...good, host: "a".repeat(200_000) }
    assert.deepStrictEqual(pathsOf({ ...good, host: "a".repeat(190_000) }), [])
    assert.deepStrictEqual(pathsOf(large), [""])
    const stored = { ...Result.getOrThrow(read(good)), config: { host: large.host } } as unknown as Monitor
    const change = (body: object) => decodeChange(new Map([["knock", knock]]), ["eu-west"], stored, body)
    assert.isTrue(Result.isSuccess(change({ paused: true })))
    assert.isTrue(Result.isFailure(change({ host: `${large.host}b` })))
  })

  it.each([
    [null, [""]],
    [[], [""]],
    ["knock", [""]],
    [{}, ["type"]],
    [{ ...good, type: "ring" }, ["type"]],
    [{ ...good, type: 1 }, ["type"]],
    [{ type: "knock" }, ["host", "name"]],
    [{ ...good, hots: "b.example" }, ["hots"]],
    [{ ...good, interval: 9, host: "" }, ["host", "interval"]],
    [{ ...good, interval: 10, timeout: 11 }, ["timeout"]],
    [{ ...good, regions: ["eu-west", "mars-north"] }, ["regions[1]"]],
    [{ ...good, paused: "no" }, ["paused"]],
    [JSON.parse('{"type":"knock","name":"Door","host":"a","__proto__":{"a":1}}'), ["__proto__"]]
  ])("%j is refused at %j", (body, paths) => assert.deepStrictEqual([...pathsOf(body)].sort(), paths))
})
