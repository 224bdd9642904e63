import { assert, describe, expect, it } from "@effect/vitest"
import { type Indicator, overallState, type PublicPage } from "@kanmon/domain/PublicPage"
import { MonitorStatus } from "@kanmon/domain/Status"
import { Schema } from "effect"
import {
  emptyPage,
  hostilePage,
  sampleIncident,
  sampleMonitor,
  sampleNow,
  samplePage
} from "../../../tests/support/SamplePage.ts"
import * as StatuspageJson from "../src/StatuspageJson.ts"

const { components, incidents, statuspageFiles, summary } = StatuspageJson

const golden = (name: string) => new URL(`golden/${name}`, import.meta.url).pathname
const written = (file: object): string => `${JSON.stringify(file, null, 2)}\n`

/** The format of instants that a typed client of Statuspage's API requires. */
const Instant = Schema.String.check(Schema.isPattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/))
const About = Schema.Struct({
  id: Schema.NonEmptyString,
  name: Schema.String,
  url: Schema.String,
  time_zone: Schema.String,
  updated_at: Instant
})
const Component = Schema.Struct({
  id: Schema.NonEmptyString,
  name: Schema.String,
  status: Schema.Literals([
    "operational",
    "under_maintenance",
    "degraded_performance",
    "partial_outage",
    "major_outage"
  ]),
  created_at: Instant,
  updated_at: Instant,
  position: Schema.Int,
  description: Schema.NullOr(Schema.String),
  showcase: Schema.Boolean,
  start_date: Schema.NullOr(Schema.String.check(Schema.isPattern(/^\d{4}-\d\d-\d\d$/))),
  group_id: Schema.NullOr(Schema.NonEmptyString),
  page_id: Schema.NonEmptyString,
  group: Schema.Boolean,
  only_show_if_degraded: Schema.Boolean,
  components: Schema.optionalKey(Schema.Array(Schema.NonEmptyString))
})
const incidentWith = <Status extends string, Impact extends string>(
  statuses: ReadonlyArray<Status>,
  impacts: ReadonlyArray<Impact>
) => ({
  id: Schema.NonEmptyString,
  name: Schema.String,
  status: Schema.Literals(statuses),
  created_at: Instant,
  updated_at: Instant,
  monitoring_at: Schema.NullOr(Instant),
  resolved_at: Schema.NullOr(Instant),
  impact: Schema.Literals(impacts),
  shortlink: Schema.String,
  started_at: Instant,
  page_id: Schema.NonEmptyString,
  incident_updates: Schema.Array(
    Schema.Struct({
      id: Schema.NonEmptyString,
      status: Schema.Literals(statuses),
      body: Schema.String,
      incident_id: Schema.NonEmptyString,
      created_at: Instant,
      updated_at: Instant,
      display_at: Instant,
      affected_components: Schema.Null,
      deliver_notifications: Schema.Boolean,
      custom_tweet: Schema.Null,
      tweet_id: Schema.Null
    })
  ),
  components: Schema.Array(Component),
  reminder_intervals: Schema.Null
})
const Incident = Schema.Struct(
  incidentWith(["investigating", "identified", "monitoring", "resolved"], ["none", "minor", "major", "critical"])
)
const Maintenance = Schema.Struct({
  ...incidentWith(["scheduled", "in_progress", "verifying", "completed"], ["maintenance"]),
  scheduled_for: Instant,
  scheduled_until: Instant
})
const File = Schema.Struct({
  page: About,
  components: Schema.optionalKey(Schema.Array(Component)),
  incidents: Schema.optionalKey(Schema.Array(Incident)),
  scheduled_maintenances: Schema.optionalKey(Schema.Array(Maintenance)),
  status: Schema.optionalKey(
    Schema.Struct({
      indicator: Schema.Literals(["none", "minor", "major", "critical", "maintenance"]),
      description: Schema.NonEmptyString
    })
  )
})
const read = Schema.decodeUnknownSync(Schema.fromJsonString(File), { onExcessProperty: "error" })

const pages = { acme: samplePage, empty: emptyPage, hostile: hostilePage }

describe("a Statuspage file", () => {
  it.each([
    ["acme.summary.json", summary(samplePage)],
    ["acme.incidents.json", incidents(samplePage)],
    ["acme.scheduled-maintenances.json", StatuspageJson.scheduledMaintenances(samplePage)],
    ["empty.summary.json", summary(emptyPage)],
    ["hostile.components.json", components(hostilePage)]
  ])("matches the golden file %s", (name, file) => expect(written(file)).toMatchFileSnapshot(golden(name)))

  it.each(Object.entries(pages))("has the types of Statuspage's API: %s", (_, page) => {
    for (const file of Object.values(statuspageFiles)) {
      const json = JSON.stringify(file(page))
      assert.deepStrictEqual(JSON.parse(JSON.stringify(read(json))), JSON.parse(json))
    }
  })

  it("contains the list that its path names", () => {
    const lists = Object.fromEntries(
      Object.entries(statuspageFiles).map(([path, file]) => [path, Object.keys(file(samplePage))])
    )
    assert.deepStrictEqual(lists, {
      "summary.json": ["page", "components", "incidents", "scheduled_maintenances", "status"],
      "status.json": ["page", "status"],
      "components.json": ["page", "components"],
      "incidents.json": ["page", "incidents"],
      "incidents/unresolved.json": ["page", "incidents"],
      "scheduled-maintenances.json": ["page", "scheduled_maintenances"],
      "scheduled-maintenances/upcoming.json": ["page", "scheduled_maintenances"],
      "scheduled-maintenances/active.json": ["page", "scheduled_maintenances"]
    })
  })

  it("separates maintenance windows from incidents, and past from current ones", () => {
    const names = (records: ReadonlyArray<{ readonly name: string; readonly status: string }>) =>
      records.map(({ name, status }) => `${name}: ${status}`)
    const open = ["Payments fail for some cards: monitoring", "Search is slow: investigating"]
    const active = "Database upgrade: in_progress"
    const upcoming = "We move to another data centre: scheduled"
    assert.deepStrictEqual(names(summary(samplePage).incidents), open)
    assert.deepStrictEqual(names(summary(samplePage).scheduled_maintenances), [active, upcoming])
    assert.deepStrictEqual(names(StatuspageJson.unresolvedIncidents(samplePage).incidents), open)
    assert.deepStrictEqual(names(incidents(samplePage).incidents), [...open, "The shop was down: resolved"])
    assert.deepStrictEqual(names(StatuspageJson.activeMaintenances(samplePage).scheduled_maintenances), [active])
    assert.deepStrictEqual(names(StatuspageJson.upcomingMaintenances(samplePage).scheduled_maintenances), [upcoming])
    assert.deepStrictEqual(names(StatuspageJson.scheduledMaintenances(samplePage).scheduled_maintenances), [
      active,
      upcoming,
      "New certificates: completed"
    ])
  })

  it("lists at most the 50 newest incidents, newest first", () => {
    const history = Array.from({ length: 60 }, (_, index) =>
      sampleIncident(`${index}`, "Down", [[60 - index, "resolved", ""]])
    )
    const listed = incidents({ ...emptyPage, history }).incidents.map(({ id }) => id)
    assert.deepStrictEqual(
      listed,
      history
        .toReversed()
        .slice(0, 50)
        .map(({ id }) => id as string)
    )
  })
})

describe("the page status", () => {
  const indicators = {
    operational: "none",
    maintenance: "maintenance",
    degraded: "minor",
    partial_outage: "major",
    major_outage: "critical"
  } as const satisfies Record<Indicator, string>

  it.each(Object.entries(indicators))("%s is %s", (indicator, expected) => {
    const page = { ...samplePage, status: { indicator: indicator as Indicator, description: "" } }
    assert.strictEqual(StatuspageJson.status(page).status.indicator, expected)
  })

  it("has the exact operational text that tools compare", () =>
    assert.strictEqual(summary(emptyPage).status.description, "All Systems Operational"))
})

describe("a component", () => {
  const pageOf = (...monitors: PublicPage["monitors"]): PublicPage => ({
    ...emptyPage,
    monitors,
    status: overallState(monitors, [])
  })

  it.each([
    ["up", "operational"],
    ["degraded", "degraded_performance"],
    ["down", "major_outage"],
    ["maintenance", "under_maintenance"],
    ["paused", "operational"],
    ["pending", "operational"]
  ] as const)("a monitor that is %s is %s", (status, expected) => {
    const [component] = components(pageOf(sampleMonitor("1", "Shop", status))).components
    assert.strictEqual(component!.status, expected)
  })

  it("supports every status", () => {
    const monitors = MonitorStatus.literals.map((status) => sampleMonitor(status, status, status))
    assert.isTrue(components(pageOf(...monitors)).components.every(({ status }) => status !== undefined))
  })

  it("has the page's order, with each group before its members", () => {
    const places = components(samplePage).components.map(
      ({ group_id, name, position }) => `${group_id === null ? "" : "- "}${position} ${name}`
    )
    assert.deepStrictEqual(places, [
      "1 Customers",
      "- 1 Shop",
      "- 2 Checkout",
      "- 3 Search",
      "2 Partners",
      "- 1 API for partners",
      "- 2 Webhooks",
      "3 Mail",
      "4 Documentation"
    ])
  })

  it.each(Object.entries(pages))("refers to its group, and the group to it: %s", (_, page) => {
    const all = components(page).components
    assert.lengthOf(new Set(all.map(({ id }) => id)), all.length)
    for (const { group, components: members = [], id, group_id } of all) {
      assert.strictEqual(group, members.length > 0)
      assert.deepStrictEqual(
        all.filter((component) => component.group_id === id).map((component) => component.id),
        [...members]
      )
      if (group_id !== null) assert.isTrue(all.some((component) => component.group && component.id === group_id))
    }
  })

  it("keeps its ID when the page is reordered", () => {
    const ids = (page: PublicPage) => components(page).components.map(({ id, name }) => `${name} ${id}`)
    assert.sameMembers(ids({ ...samplePage, monitors: samplePage.monitors.toReversed() }), ids(samplePage))
  })

  it("has the worst status of its members if it is a group", () => {
    const groupOf = (...statuses: ReadonlyArray<MonitorStatus>) =>
      components(
        pageOf(...statuses.map((status, index) => sampleMonitor(`${index}`, "Shop", status, { displayGroup: "All" })))
      ).components[0]!.status
    assert.strictEqual(groupOf("up", "up"), "operational")
    assert.strictEqual(groupOf("up", "maintenance"), "under_maintenance")
    assert.strictEqual(groupOf("maintenance", "degraded"), "degraded_performance")
    assert.strictEqual(groupOf("down", "up", "degraded"), "major_outage")
  })

  it("is a group only by its heading, for any text", () => {
    const shop = sampleMonitor("1", "Shop", "up", { displayGroup: "mon_2" })
    const other = sampleMonitor("2", "Other", "up")
    assert.deepStrictEqual(
      components(pageOf(shop, other)).components.map(({ group, name }) => [name, group]),
      [
        ["mon_2", true],
        ["Shop", false],
        ["Other", false]
      ]
    )
  })
})

describe("an incident", () => {
  const hour = 3_600_000
  const impact = (outage: readonly [startedAt: number, endedAt: number | null] | null) => {
    const outages = outage === null ? [] : [{ startedAt: outage[0], endedAt: outage[1] }]
    const shop = sampleMonitor("1", "Shop", "up", { outages })
    const incident = sampleIncident("1", "Trouble", [[2, "investigating", ""]], { monitorIds: [shop.id] })
    return incidents({ ...emptyPage, monitors: [shop], incidents: [incident] }).incidents[0]!.impact
  }

  it("is critical if an affected component was down meanwhile, otherwise minor", () => {
    assert.strictEqual(impact(null), "minor")
    assert.strictEqual(impact([sampleNow - 3 * hour, null]), "critical")
    assert.strictEqual(impact([sampleNow - hour, sampleNow - hour / 2]), "critical")
    assert.strictEqual(impact([sampleNow - 9 * hour, sampleNow - 8 * hour]), "minor")
  })

  it("lists the affected components without groups", () => {
    const { components } = incidents(samplePage).incidents[0]!
    assert.deepStrictEqual(
      components.map(({ name, status }) => [name, status]),
      [["Checkout", "major_outage"]]
    )
  })

  it("has the time since it is monitored after a fix", () => {
    const [payments, search] = incidents(samplePage).incidents
    assert.strictEqual(payments!.monitoring_at, "2026-11-20T11:45:00.000Z")
    assert.isNull(search!.monitoring_at)
  })
})
