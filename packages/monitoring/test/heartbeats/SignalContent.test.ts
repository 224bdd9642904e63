import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { read } from "../../src/heartbeats/SignalContent.ts"

const json = "application/json"
/** The media type that curl announces with `-d` for any text. */
const form = "application/x-www-form-urlencoded"
const text = "text/plain;charset=UTF-8"

const from = (body: string, contentType: string, query = "") => read(new URLSearchParams(query), body, contentType)
/** Without the parts that a signal has none of. */
const plain = { stated: [], took: null, warnings: [] }
const paths = (body: string, contentType: string, query = "") =>
  from(body, contentType, query).errors.map(({ path }) => path)

describe("the content of a signal", () => {
  it.each([json, form, text, "", "application/vnd.acme+json"])("is taken from JSON announced as %j", (type) => {
    assert.deepStrictEqual(from('{"metrics":{"rows":12},"message":"done"}', type), {
      rid: "",
      message: "done",
      metrics: { rows: 12 },
      errors: [],
      ...plain
    })
  })

  it.each([
    { body: "12 rows saved\n", type: form },
    { body: "[2026-11-22] {saved}", type: "" },
    { body: '{"level":"info","message":"saved"}', type: text },
    { body: "{not json", type: text },
    { body: "{}", type: text }
  ])("is the text itself where it is text: $body", ({ body, type }) => {
    assert.deepStrictEqual(from(body, type), { rid: "", message: body, metrics: {}, errors: [], ...plain })
  })

  it("is nothing in an empty body", () => {
    for (const type of [json, form, text, ""])
      assert.deepStrictEqual(from(" \n", type), { rid: "", message: null, metrics: {}, errors: [], ...plain })
    assert.isNull(from("{}", json).message)
  })

  it.each([
    { body: '{"metrics":5}', type: form, wrong: ["metrics"] },
    { body: '{"metrics":5}', type: text, wrong: ["metrics"] },
    { body: '{"metrics":{"rows":"many","ok":1}}', type: json, wrong: ["metrics.rows"] },
    { body: '{"metrics":{"a b":1}}', type: json, wrong: ["metrics.a b"] },
    { body: '{"metrics":{},"mesage":"typo"}', type: json, wrong: ["mesage"] },
    { body: '{"message":7}', type: json, wrong: ["message"] },
    { body: '{"metrics":{"rows":12}', type: json, wrong: [""] },
    { body: '{"metrics":{"rows":12}', type: form, wrong: [""] },
    { body: "not json", type: json, wrong: [""] },
    { body: "[1]", type: json, wrong: [""] }
  ])("names what is wrong in $body", ({ body, type, wrong }) => {
    assert.deepStrictEqual(paths(body, type), wrong)
  })

  it("keeps what is right beside what is wrong, and a body that cannot be read as its message", () => {
    const mixed = from('{"metrics":{"rows":0,"time":"long"},"message":"done","extra":1}', json, "m.size=7&m.odd=x")
    assert.deepStrictEqual(mixed.metrics, { rows: 0, size: 7 })
    assert.strictEqual(mixed.message, "done")
    assert.deepStrictEqual(
      mixed.errors.map(({ path }) => path),
      ["extra", "metrics.time", "metrics.odd"]
    )
    assert.strictEqual(from("{broken", form).message, "{broken")
  })

  it.each([
    { body: "status=down&msg=disk+full", type: form, kinds: ["fail"], message: "disk full" },
    { body: "m=just checking in", type: form, kinds: [], message: "just checking in" },
    { body: "s=3", type: form, kinds: ["fail"], message: null },
    { body: "state=complete&host=db1", type: form, kinds: ["success"], message: "state=complete&host=db1" },
    { body: '{"state":"fail","message":"disk full"}', type: form, kinds: ["fail"], message: "disk full" },
    { body: '{"success":false}', type: json, kinds: ["fail"], message: null },
    { body: '{"exit_code":0,"duration":1.5}', type: json, kinds: ["success"], message: null },
    { body: '{"status":"down"}', type: text, kinds: ["fail"], message: null },
    { body: "rows=12 status=failed", type: form, kinds: [], message: "rows=12 status=failed" },
    { body: "status=down", type: text, kinds: [], message: "status=down" },
    {
      body: "status=done with errors\nsee the log",
      type: form,
      kinds: [],
      message: "status=done with errors\nsee the log"
    },
    { body: "backup=complete", type: form, kinds: [], message: "backup=complete" }
  ])("reads the parameters of $body as $type", ({ body, type, kinds, message }) => {
    const content = from(body, type)
    assert.deepStrictEqual(
      content.stated.map(({ kind }) => kind),
      kinds as typeof content.stated extends ReadonlyArray<{ kind: infer Kind }> ? Array<Kind> : never
    )
    assert.strictEqual(content.message, message)
    assert.isEmpty(content.errors)
  })

  it("joins what the query and the body say", () => {
    assert.strictEqual(from("line 1\nline 2", text, "msg=backup").message, "backup\nline 1\nline 2")
    assert.strictEqual(from("", text, "ping=12.5").took, 12.5)
  })

  it("says that it does not read a multipart body", () => {
    const sent = '--x\r\ncontent-disposition: form-data; name="status"\r\n\r\ndown\r\n--x--'
    assert.deepStrictEqual(
      from(sent, "multipart/form-data; boundary=x").warnings.map(({ code }) => code),
      ["unread_body"]
    )
  })

  it("has bounds for what is not text, and cuts to them: runs still find their end", () => {
    const rid = "r".repeat(70)
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`m${index}`, index]))
    const content = from(JSON.stringify({ metrics: many, message: `${"x".repeat(20_000)}end` }), json, `rid=${rid}`)
    assert.deepStrictEqual(
      content.errors.map(({ path }) => path),
      ["rid", "metrics"]
    )
    assert.strictEqual(content.rid, rid.slice(0, 64))
    assert.strictEqual(Object.keys(content.metrics).length, 50)
    assert.strictEqual(content.message!.length, 20_003)
    const cut = from(`${"🦉".repeat(6000)}!`, text, `rid=x${"🦉".repeat(40)}`)
    assert.isTrue(cut.message!.isWellFormed() && cut.rid.isWellFormed(), "no character is cut in two")
  })

  it("is storable for any input", () => {
    const type = fc.oneof(fc.constantFrom(json, form, text, ""), fc.string())
    const body = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.json(),
      fc.object().map((value) => JSON.stringify({ metrics: value }))
    )
    fc.assert(
      fc.property(body, type, fc.string({ unit: "binary" }), (sent, contentType, query) => {
        const { errors, message, metrics, rid } = from(
          sent,
          contentType,
          `rid=${encodeURIComponent(query.toWellFormed())}&m.a=${sent.length}`
        )
        for (const part of [message ?? "", rid]) {
          assert.isTrue(part.isWellFormed())
          assert.notInclude(part, "\u0000")
        }
        for (const value of Object.values(metrics)) assert.isTrue(Number.isFinite(value))
        for (const { message: words } of errors) assert.isNotEmpty(words)
      })
    )
  })
})
