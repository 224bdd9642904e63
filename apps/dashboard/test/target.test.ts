/** What kind of monitor a row of the list names. */
import { assert, it } from "@effect/vitest"
import { kindOf, recordedScheme, schemeIn } from "../src/live/target.ts"

it.each([
  [{ type: "http", url: "https://shop.example/" }, "https"],
  [{ type: "http", url: "HTTP://shop.example/" }, "http"],
  [{ type: "tcp", host: "db.example", port: 5432 }, "tcp"],
  [{ type: "heartbeat", heartbeatUrl: "https://kanmon.example/heartbeat/x" }, "heartbeat"],
  [{ type: "cache", server: "redis://cache.example" }, "cache"]
])("says of %j that it is %s", (monitor, kind) =>
  assert.strictEqual(kindOf({ type: monitor.type, ...recordedScheme(monitor) }), kind)
)

it("takes the scheme of a summary from its target", () => {
  assert.deepStrictEqual(schemeIn("https://shop.example/a"), { scheme: "https" })
  for (const target of [null, "db.example:5432", ""]) assert.deepStrictEqual(schemeIn(target), {})
})
