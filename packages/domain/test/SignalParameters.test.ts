import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { decide, read, type SignalMeaning } from "../src/SignalParameters.ts"

const address = { kind: "success", exitCode: null, explicit: false } as const
const meaningOf = (query: string, at: Parameters<typeof decide>[0] = address): SignalMeaning =>
  decide(at, read(new URLSearchParams(query)).stated).meaning
const kindOf = (query: string, at?: Parameters<typeof decide>[0]): string => meaningOf(query, at).kind
const codes = (query: string): ReadonlyArray<string> =>
  read(new URLSearchParams(query)).warnings.map(({ code }) => code)

describe("the parameters of a signal", () => {
  const good = ["up", "ok", "success", "complete"]
  const bad = ["down", "fail", "failed", "error"]

  it("understands each word in any case, as status and as state", () => {
    for (const name of ["status", "state"]) {
      for (const word of good) assert.strictEqual(kindOf(`${name}=${word}`), "success")
      for (const word of bad) assert.strictEqual(kindOf(`${name}=${word.toUpperCase()}`), "fail")
      for (const word of ["run", "start"]) assert.strictEqual(kindOf(`${name}=${word}`), "start")
    }
  })

  it("counts an unknown word as the signal of the address, and names it", () => {
    for (const word of ["maybe", "constructor", "__proto__", "x".repeat(5000)]) {
      assert.strictEqual(kindOf(`status=${word}`), "success")
      assert.strictEqual(kindOf(`status=${word}`, { kind: "fail", exitCode: null, explicit: true }), "fail")
      assert.deepStrictEqual(codes(`status=${word}`), ["unknown_status"])
    }
  })

  it("understands exit codes of every system", () => {
    assert.deepStrictEqual(meaningOf("exit_code=0"), { kind: "success", exitCode: 0 })
    assert.deepStrictEqual(meaningOf("exit_code=-0"), { kind: "success", exitCode: 0 })
    assert.deepStrictEqual(meaningOf("exit_code=137"), { kind: "fail", exitCode: 137 })
    assert.deepStrictEqual(meaningOf("exit_code=-1073741510"), { kind: "fail", exitCode: -1073741510 })
    assert.deepStrictEqual(meaningOf("exit_code=3221225786"), { kind: "fail", exitCode: null })
    assert.deepStrictEqual(codes("exit_code=none"), ["invalid_parameter"])
  })

  it("takes what says nothing for nothing", () => {
    const { duration, message, stated, warnings } = read(new URLSearchParams("status=&msg=&ping=&success=&exit_code="))
    assert.deepStrictEqual([duration, message, stated, warnings], [null, null, [], []])
  })

  it("reads durations in the unit of each parameter", () => {
    assert.strictEqual(read([["ping", "250"]]).duration, 250)
    assert.strictEqual(read([["duration", 1.5]]).duration, 1500)
    for (const value of ["-1", "soon", "Infinity", "1e999"])
      assert.deepStrictEqual(codes(`duration=${value}`), ["invalid_parameter"])
  })

  it("counts as a failure if any parameter states one, next to any others", () => {
    const failures = ["status=down", "state=fail", "success=false", "exit_code=2", "s=1", "status_code=9"]
    const others = ["status=up", "state=run", "success=true", "exit_code=0", "s=0", "status=odd", "msg=fine", "x=y"]
    const places = [
      address,
      { kind: "success", exitCode: 0, explicit: true },
      { kind: "start", exitCode: null, explicit: true },
      { kind: "log", exitCode: null, explicit: true }
    ] as const
    fc.assert(
      fc.property(
        fc.constantFrom(...failures),
        fc.array(fc.constantFrom(...others), { maxLength: 5 }),
        fc.nat(5),
        fc.constantFrom(...places),
        (failure, rest, at, place) =>
          assert.strictEqual(kindOf(rest.toSpliced(at, 0, failure).join("&"), place), "fail")
      )
    )
  })

  it("lets an action of the address win over a word, and says so", () => {
    const { meaning, warnings } = decide(
      { kind: "start", exitCode: null, explicit: true },
      read([["status", "ok"]]).stated
    )
    assert.strictEqual(meaning.kind, "start")
    assert.deepStrictEqual(
      warnings.map(({ code }) => code),
      ["contradiction"]
    )
  })

  it("names every unknown parameter, and is bounded for any input", () => {
    assert.deepStrictEqual(codes("statsu=down&create=1"), ["unknown_parameter", "unknown_parameter"])
    const many = Array.from({ length: 5000 }, (_, index) => `k${index}=v`).join("&")
    assert.isAtMost(codes(many).length, 20)
    const value = fc.oneof(
      fc.string(),
      fc.string({ unit: "binary", maxLength: 40 }),
      fc.double(),
      fc.boolean(),
      fc.constantFrom(null, {}, [1], { status: "down" })
    )
    const name = fc.oneof(
      fc.constantFrom("status", "state", "success", "exit_code", "s", "m", "ping", "metric", "rid", "m.a", "toString"),
      fc.string({ unit: "binary" })
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 30 }), (entries) => {
        const { duration, stated, warnings } = read(entries)
        assert.isTrue(duration === null || (Number.isFinite(duration) && duration >= 0))
        for (const { message } of warnings) {
          assert.isTrue(message.isWellFormed())
          assert.isAtMost(message.length, 500)
        }
        const { kind } = decide(address, stated).meaning
        assert.include(["success", "fail", "start"], kind)
      })
    )
  })
})
