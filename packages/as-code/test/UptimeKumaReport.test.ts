/** The report of an import says what is lost, and nothing that its file contradicts. */
import { assert, describe, it } from "@effect/vitest"
import { load } from "@kanmon/core/PluginHost"
import { Effect } from "effect"
import type { Loose } from "../src/uptime-kuma/Backup.ts"
import * as Import from "../src/uptime-kuma/Import.ts"
import { bundled } from "../../../apps/server/src/plugins.gen.ts"

const kinds = await Effect.runPromise(load(bundled))

const converted = (monitors: ReadonlyArray<Loose>, notifications: ReadonlyArray<Loose> = []) => {
  const { report, yaml } = Import.convert({ version: "1.23.16", monitors, notifications, proxies: 0 }, kinds, 0)
  return {
    yaml,
    said: report.flatMap(({ about, notes, review }) => notes.map((note) => `${review ? "! " : ""}${about}: ${note}`))
  }
}

const web: Loose = { id: 1, name: "Shop", type: "http", url: "https://a.example/", active: true, interval: 60 }

describe("notifications", () => {
  const notifications: ReadonlyArray<Loose> = [
    { id: 1, name: "Hook", type: "webhook", webhookURL: "https://hook.example/" },
    { id: 2, name: "Gone", type: "gotify" }
  ]
  const group = (told: Loose): Loose => ({ id: 9, name: "All", type: "group", active: true, notificationIDList: told })

  it("that a monitor lost leave those of its group", () => {
    const inside = { ...web, parent: 9, notificationIDList: { 2: true } }
    const { said, yaml } = converted([group({ 1: true }), inside], notifications)
    assert.include(yaml, "monitors:\n      - shop")
    assert.include(
      said,
      "! Monitor Shop: It has no notifications of its own, since none could be imported; the rules of its group remain."
    )
    assert.include(
      converted([inside], notifications).said,
      "! Monitor Shop: It has no notifications, since none could be imported: create a channel, and an alert rule for it."
    )
  })

  it("that a group lost are not said to be in rules", () => {
    const { said, yaml } = converted([group({ 2: true }), { ...web, parent: 9 }], notifications)
    assert.notInclude(yaml, "rules:")
    assert.deepStrictEqual(
      said.filter((line) => line.includes("Group All")),
      [
        "! Group All: Its notifications go to no rule, since none could be imported: create a channel, and an alert rule for the monitors in it."
      ]
    )
  })
})
