import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { eventTypes } from "@kanmon/protocol/EventsApi"
import { type EventReading, read, start } from "../../src/events/EventReading.ts"

const good = (query: string, lastEventId?: string): EventReading => {
  const result = read(new URLSearchParams(query), lastEventId)
  if (result._tag === "Failure") throw new Error(JSON.stringify(result.failure))
  return result.success
}

const errorsOf = (query: string, lastEventId?: string) => {
  const result = read(new URLSearchParams(query), lastEventId)
  return result._tag === "Failure" ? result.failure : []
}

const wanted = (query: string) => eventTypes.filter(good(query).wants)

describe("where to begin", () => {
  it.each([
    ["", undefined, "now"],
    ["", "", "now"],
    ["lastEventId=", undefined, "now"],
    ["", "0", 0],
    ["", "41", 41],
    ["lastEventId=41", undefined, 41],
    ["lastEventId=41", "50", 50]
  ] as const)("with %j and the header %j is after %j", (query, header, after) =>
    assert.strictEqual(good(query, header).after, after)
  )

  it("is where the reader was, and the oldest for one that knows more than the bus", () => {
    assert.strictEqual(start("now", 7), 7)
    assert.strictEqual(start(0, 7), 0)
    assert.strictEqual(start(7, 7), 7)
    assert.strictEqual(start(8, 7), 0)
    assert.strictEqual(start(good("", "9".repeat(400)).after, 7), 0)
  })

  it.each(["x", "-1", "1.5", "1e3", " 1", "0x10"])("is not %j", (text) => {
    assert.deepStrictEqual(
      errorsOf("", text).map(({ path }) => path),
      ["Last-Event-ID"]
    )
    const query = new URLSearchParams({ lastEventId: text }).toString()
    assert.deepStrictEqual(
      errorsOf(query).map(({ path }) => path),
      ["lastEventId"]
    )
  })
})

describe("types", () => {
  it("are all of them but the audit log's when none is named, also what a newer version tells", () => {
    assert.deepStrictEqual(
      wanted(""),
      eventTypes.filter((type) => type !== "kanmon.audit.recorded")
    )
    assert.isTrue(good("").wants("kanmon.certificate.renewed"))
  })

  it("are names, and beginnings of names", () => {
    assert.deepStrictEqual(wanted("types=kanmon.monitor.down"), ["kanmon.monitor.down"])
    assert.deepStrictEqual(wanted("types=kanmon.page.*,kanmon.alert.failed"), [
      "kanmon.alert.failed",
      "kanmon.page.created",
      "kanmon.page.updated",
      "kanmon.page.deleted"
    ])
    assert.deepStrictEqual(wanted("types=kanmon.*"), eventTypes)
    assert.deepStrictEqual(wanted("types=kanmon.monitor.up&types=kanmon.monitor.down"), [
      "kanmon.monitor.up",
      "kanmon.monitor.down"
    ])
  })

  it.each([
    "",
    "*",
    ".*",
    "down",
    "monitor.*",
    "kanmon.monitor",
    "kanmon.monitor.",
    "kanmon.mon*",
    "kanmon.*.down",
    "kanmon.monitor.down.*",
    "kanmon.monitor.dwon",
    "kanmon.monitor.up,"
  ])("are not %j, which would silently give nothing", (types) => {
    const [error] = errorsOf(new URLSearchParams({ types }).toString())
    assert.strictEqual(error?.path, "types")
    assert.include(error?.message, "kanmon.monitor.down")
  })

  it("take what one of their patterns takes, and no more", () => {
    const pattern = fc.oneof(
      fc.constantFrom(...eventTypes),
      fc.constantFrom(...eventTypes.map((type) => type.replace(/[^.]+$/, "*")))
    )
    fc.assert(
      fc.property(fc.uniqueArray(pattern, { minLength: 1, maxLength: 6 }), (patterns) => {
        const apart = patterns.flatMap((one) => wanted(`types=${one}`))
        assert.sameMembers(wanted(`types=${patterns.join(",")}`), [...new Set(apart)])
      })
    )
  })

  it("tells every mistake at once", () => {
    assert.deepStrictEqual(
      errorsOf("types=a,kanmon.monitor.up,b", "x").map(({ path }) => path),
      ["types", "types", "Last-Event-ID"]
    )
  })
})
