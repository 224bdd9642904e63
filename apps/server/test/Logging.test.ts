import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { AccessLogLevel } from "@kanmon/platform/http/AccessLogLevel"
import { mask, maskAll } from "@kanmon/platform/LogMask"
import { layerFor } from "../src/Logging.ts"

describe("mask", () => {
  it.each([
    ["postgres://kanmon:hush@127.0.0.1/kanmon", "hush"],
    ["connecting to nats://hush@host:4222", "hush"],
    ['{"x-api-key":"km_hush0000000000000"}', "hush"],
    ["key km_hushhushhushhush was used", "hush"],
    ["authorization: Bearer hush.hush-hush", "hush"],
    ['"password":"hush"', "hush"],
    ["POST https://up.example/api/v1/heartbeat/hush/fail 200", "hush"],
    [`/api/v1/%68eartbeat/${"hush".padEnd(43, "0")}`, "hush"],
    ["cookie=hush", "hush"],
    [JSON.stringify({ body: JSON.stringify({ password: "hush" }) }), "hush"]
  ])("hides the secret in %j", (text, secret) => assert.notInclude(mask(text), secret))

  it.each(["GET /api/v1/monitors 200", "https://example.org/path", "0123456789abcdef0123456789abcdef"])(
    "leaves %j as it is",
    (text) => assert.strictEqual(mask(text), text)
  )
})

describe("maskAll", () => {
  it("hides what is in any text of a value, and leaves the rest", () =>
    assert.deepStrictEqual(
      maskAll({ at: 1, logs: [{ body: "cookie=hush", well: true }, null], bytes: new Uint8Array(1) }),
      {
        at: 1,
        logs: [{ body: "cookie=••••", well: true }, null],
        bytes: new Uint8Array(1)
      }
    ))
})

describe("the access log", () => {
  it.effect.each([
    { terminal: true, level: "Debug" },
    { terminal: false, level: "Info" }
  ])("is written at $level where a terminal is: $terminal", ({ level, terminal }) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* AccessLogLevel, level)
    }).pipe(Effect.provide(layerFor(terminal)))
  )
})
