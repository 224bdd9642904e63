/** Messages about wrong values in files say what to write instead. */
import { assert, it } from "@effect/vitest"
import { load } from "@kanmon/core/PluginHost"
import { Effect } from "effect"
import * as Decoding from "../src/Decoding.ts"
import * as Source from "../src/Source.ts"
import { bundled } from "../../../apps/server/src/plugins.gen.ts"

const kinds = await Effect.runPromise(load(bundled))

/** The messages by the last part of their path. */
const said = (text: string): Readonly<Record<string, string>> => {
  const { entries } = Source.read([{ name: "kanmon.yaml", text }], {})
  return Object.fromEntries(
    Decoding.decode(entries, kinds).mistakes.map(({ message, path }) => [path.split(".").at(-1)!, message])
  )
}

const web = (fields: string) => said(`monitors:\n  a: {type: http, url: "https://a.example/", ${fields}}\n`)
const rule = (fields: string) => said(`rules:\n  r: {${fields}}\n`)

it("names the unit, the bounds and an example of a number", () => {
  const words = web("interval: 1m, retryInterval: abc, degradedThreshold: slow")
  assert.strictEqual(words["interval"], "Expected a whole number from 10 to 86400, such as 60 (seconds between checks)")
  assert.strictEqual(
    words["retryInterval"],
    "Expected a whole number from 10 to 86400, such as 10 or null (seconds from a failed check to the next one)"
  )
  assert.match(words["degradedThreshold"]!, /^Expected a whole number .*illiseconds/)
  assert.include(web("interval: 3.5")["interval"], "Expected a whole number from 10 to 86400")
  assert.match(rule("resendEvery: often")["resendEvery"]!, /^Expected a whole number .*minutes/i)
  assert.match(said("monitors:\n  h: {type: heartbeat, grace: 5m}\n")["grace"]!, /^Expected a number .*seconds/i)
  assert.include(
    said("monitors:\n  t: {type: tcp, host: a, port: http}\n")["port"],
    "Expected a whole number from 1 to"
  )
})

it("says of a text, a list, a yes and fields what is missing", () => {
  const words = web("bodyContains: , verifyTls: yess, tags: prod, headers: 3, group: 5")
  assert.strictEqual(
    words["bodyContains"],
    "Expected a text, and nothing is written here: write it, or remove the field"
  )
  assert.strictEqual(words["verifyTls"], "Expected true or false")
  assert.strictEqual(words["tags"], "Expected a list such as [a, b]")
  assert.strictEqual(words["headers"], "Expected fields with values")
  assert.strictEqual(words["group"], "Expected a text or null: put it in quotation marks")
})

it("asks whether a similar choice was meant", () => {
  const words = web("method: GTE, authentication: basc")
  assert.match(words["method"]!, /^Expected "GET" \| .*; did you mean GET\?$/)
  assert.match(words["authentication"]!, /; did you mean basic\?$/)
  assert.match(rule("trigger: monitor_donw")["trigger"]!, /; did you mean monitor_down\?$/)
  assert.match(rule("severity: critcal")["severity"]!, /; did you mean critical\?$/)
  assert.match(said("monitors:\n  a: {type: htp}\n")["type"]!, /KANMON_PLUGINS .*; did you mean http\?$/)
  assert.match(said("channels:\n  a: {type: telegrm}\n")["type"]!, /KANMON_PLUGINS .*; did you mean telegram\?$/)
  assert.notInclude(web(`method: ${"GTE".repeat(9000)}`)["method"], "did you mean")
})
