/** The guide lists every key of the body, and no other. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import type { Notice } from "@kanmon/core/Notice"
import { assert, describe, it } from "vitest"
import { body } from "../src/Body.ts"

const guide = path.resolve(import.meta.dirname, "../../../docs/guide/alerts.md")

const monitor = { id: "mon_1", name: "Shop", type: "http", target: "https://shop.example" }
const rule = { id: "rul_1", name: "Pages" }

/** A notification with every value. */
const notice: Notice = {
  id: "ntc_1",
  alertId: "alr_1",
  event: "monitor_down",
  severity: "critical",
  at: 0,
  project: { id: "prj_1", name: "Shop" },
  rule,
  rules: [rule],
  monitor,
  reason: "It answered 503",
  startedAt: 0,
  durationSeconds: 1,
  regions: [{ region: "eu-west", status: "down", responseTime: 1, failure: { code: "status", message: "503" } }],
  region: "eu-west",
  statusCode: 503,
  responseTime: 1,
  timing: {},
  expiresAt: 0,
  overtakesOpening: false,
  reminder: false,
  links: { monitor: "https://kanmon.example/monitors/mon_1" },
  acknowledgeUrl: "https://kanmon.example/acknowledge/a",
  group: [{ alertId: "alr_1", event: "monitor_down", severity: "critical", monitor, reason: "503", startedAt: 0 }]
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const sent: Readonly<Record<string, unknown>> = body(notice)

/** The section, and the rows of its table by the keys that they name. */
const section = /^### Webhooks$(.*?)^## /ms.exec(await fs.readFile(guide, "utf8"))![1]!
const rows = [...section.matchAll(/^\| (`[^|]*`) +\| (.*) \|$/gm)].map(([, keys, meaning]) => ({
  keys: [...keys!.matchAll(/`([\w.]+)`/g)].map(([, key]) => key!),
  meaning: meaning!.trim()
}))

/** The keys of an object as the guide names them. An inner object has one row, or one for each key. */
const named = (value: object, within = ""): ReadonlyArray<string> =>
  Object.entries(value).flatMap(([key, inner]) => {
    const name = `${within}${key}`
    return isObject(inner) && !rows.some(({ keys }) => keys.includes(name)) ? named(inner, `${name}.`) : [name]
  })

describe("the guide of webhooks", () => {
  it("lists every key of the body, and no other", () => {
    assert.sameMembers(
      rows.flatMap(({ keys }) => keys),
      [...named(sent)]
    )
  })

  it("names the fields of lists and of objects that have one row", () => {
    for (const { keys, meaning } of rows)
      for (const key of keys) {
        const value = sent[key]
        const inner = Array.isArray(value) ? (value as ReadonlyArray<object>)[0]! : value
        // A rule is described once.
        if (!isObject(inner) || key === "rules") continue
        for (const field of Object.keys(inner)) assert.include(meaning, `\`${field}\``, key)
      }
  })
})
