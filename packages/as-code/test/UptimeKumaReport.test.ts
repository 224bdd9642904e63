/** The report of an import says what is lost, and nothing that its file contradicts. */
import { assert, describe, it } from "@effect/vitest"
import { load } from "@kanmon/core/PluginHost"
import { Effect } from "effect"
import type { Loose } from "../src/uptime-kuma/Backup.ts"
import * as ImportReport from "../src/uptime-kuma/ImportReport.ts"
import * as PullText from "../src/pull/PullText.ts"
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

describe("the days before an expiry", () => {
  const said = (value: string) =>
    Import.convert(
      {
        version: "2",
        monitors: [{ ...web, expiryNotification: true }],
        notifications: [],
        proxies: 0,
        database: {
          withoutLog: false,
          newestCheck: "",
          settings: new Map([["tlsExpiryNotifyDays", value]]),
          pages: [],
          windows: [],
          apiKeys: 0
        }
      },
      kinds,
      0
    )

  it.each([['"soon"'], ["soon"], ['["soon"]']])("are named where they are no list of numbers: %s", (value) => {
    const { report, yaml } = said(value)
    assert.include(yaml, "sslExpiryThreshold: 21")
    assert.include(JSON.stringify(report), "Its days before the expiry of a certificate are no list of numbers")
  })

  it.each([
    ["[]", 0],
    ["[3, 40]", 40]
  ])("are taken from %s", (value, days) => {
    const { report, yaml } = said(value)
    assert.include(yaml, `sslExpiryThreshold: ${days}`)
    assert.notInclude(JSON.stringify(report), "no list of numbers")
  })
})

describe("tags", () => {
  const tagged = (...tags: ReadonlyArray<Loose>) => converted([{ ...web, tags }])

  it("that are cut say so, also where they lose their value", () => {
    const long = "x".repeat(120)
    const { said, yaml } = tagged({ name: long, value: "eu" })
    assert.include(said, `Tag ${long}: eu: It is cut to 64 characters: ${"x".repeat(64)}.`)
    assert.notInclude(yaml, ":eu")
    assert.include(
      tagged({ name: long, value: "eu" }, { name: long, value: "us" }).said,
      `Tag ${"x".repeat(64)}: These are one tag now: ${long}: eu, ${long}: us.`
    )
  })

  it("that lose letters say so, and those that lose capitals and spaces do not", () => {
    assert.include(
      tagged({ name: "Prod!!", value: "" }).said,
      "Tag Prod!!: It is prod now: a tag here has lower-case letters, digits and : . _ -."
    )
    assert.include(tagged({ name: "Köln", value: "1/2" }).said.join("\n"), "Tag Köln: 1/2: It is koln:1-2 now")
    const { said, yaml } = tagged({ name: "Team", value: "Payments EU" })
    assert.include(yaml, "team:payments-eu")
    assert.notInclude(said.join("\n"), "Tag ")
  })
})

describe("values that are none", () => {
  const saidOf = (fields: Loose) => converted([{ ...web, ...fields }]).said.filter((line) => line.includes("Shop"))

  it("are named where headers are not JSON, or have no text", () => {
    for (const headers of ["x-a: b", "[1]", '"x"'])
      assert.deepStrictEqual(saidOf({ headers }), [
        "! Monitor Shop: Its headers are no JSON object, and are not carried over: enter them in the monitor."
      ])
    for (const headers of ["", "{}", "{ }", "null", null, {}]) assert.deepStrictEqual(saidOf({ headers }), [])
    const { said, yaml } = converted([{ ...web, headers: '{"accept":"text/html","x-a":{"b":1}}' }])
    assert.include(said, "! Monitor Shop: These headers have no text, and are not carried over: x-a.")
    assert.include(yaml, "accept: text/html")
    assert.notInclude(yaml, "object Object")
  })

  it("are named where no status code is accepted, or the timeout cannot be", () => {
    assert.deepStrictEqual(saidOf({ accepted_statuscodes: [] }), [
      "! Monitor Shop: It accepted no status code; the usual ones are accepted here."
    ])
    for (const timeout of [0, -1, "soon"])
      assert.deepStrictEqual(saidOf({ timeout }), [
        `Monitor Shop: Its checks end after the usual time here, not after ${timeout} s.`
      ])
    assert.deepStrictEqual(saidOf({ timeout: 12, accepted_statuscodes: ["200-299"] }), [])
  })
})

describe("the default rule of a project", () => {
  it("is named in the next steps, with the command that adopts it", () => {
    for (const secretsFile of [undefined, "kanmon.env"])
      assert.include(
        ImportReport.nextSteps("kanmon.yaml", secretsFile, 1),
        "When it is applied, kanmon pull -f kanmon.yaml adopts the default rule of the project"
      )
    assert.match(PullText.adoptable(["monitoring/", "a b.yaml"]), /^kanmon pull -f monitoring\/ -f 'a b.yaml' adopts/)
  })
})
