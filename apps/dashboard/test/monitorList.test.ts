/** Which monitors the list shows, in which order and below which groups. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { parseListSearch } from "../src/features/monitors/listSearch.ts"
import { select } from "../src/features/monitors/select.ts"
import { inGroups } from "../src/features/monitors/tree.ts"
import type { MonitorSummary } from "../src/live/MonitorStore.ts"

const statuses = ["up", "degraded", "down", "maintenance", "paused", "pending"] as const

const monitor = fc.record({
  id: fc.uuid(),
  name: fc.string(),
  type: fc.constantFrom("http", "tcp"),
  target: fc.option(fc.webUrl()),
  group: fc.option(fc.constantFrom("Shop", "Shop/Payments", "Shop/Payments/Cards", "Shopping", "Mail")),
  tags: fc.subarray(["prod", "eu"]),
  regions: fc.subarray(["eu-west", "us-east"]),
  status: fc.constantFrom(...statuses),
  since: fc.nat(),
  stale: fc.boolean(),
  failure: fc.constant(null),
  uptime: fc.option(fc.float({ min: 0, max: 100, noNaN: true })),
  responseTime: fc.option(fc.nat()),
  results: fc.constant("uud")
}) satisfies fc.Arbitrary<MonitorSummary>

const monitors = fc.uniqueArray(monitor, { selector: ({ id }) => id, maxLength: 30 })

const named = (name: string, more: Partial<MonitorSummary> = {}): MonitorSummary => ({
  ...fc.sample(monitor, { numRuns: 1, seed: 1 })[0]!,
  id: name,
  name,
  target: null,
  group: null,
  tags: [],
  ...more
})

const namesOf = (found: ReadonlyArray<MonitorSummary>) => found.map(({ name }) => name)

describe("the list of monitors", () => {
  it("finds every word in name, target, group and tags, without regard to case and accents", () => {
    const all = [named("Zürich", { tags: ["prod"] }), named("Oslo", { target: "zurich.example" }), named("Rome")]
    assert.sameMembers(namesOf(select(all, { q: "ZURICH" }).monitors), ["Zürich", "Oslo"])
    assert.deepStrictEqual(namesOf(select(all, { q: "  prod zü" }).monitors), ["Zürich"])
  })

  it("finds the monitors with overdue results", () => {
    const all = [named("Late", { stale: true }), named("Timely", { stale: false })]
    assert.deepStrictEqual(namesOf(select(all, parseListSearch({ results: "overdue" })).monitors), ["Late"])
    assert.strictEqual(select(all, parseListSearch({ results: "else" })).monitors.length, 2)
  })

  it("sorts numbers in names by value, and takes the worst status first", () => {
    const all = [named("Web 10", { status: "up" }), named("Web 9", { status: "up" }), named("Api", { status: "down" })]
    assert.deepStrictEqual(namesOf(select(all, {}).monitors), ["Api", "Web 9", "Web 10"])
    assert.deepStrictEqual(namesOf(select(all, { sort: "-name" }).monitors), ["Web 10", "Web 9", "Api"])
  })

  it("puts monitors without a value last in both directions", () =>
    fc.assert(
      fc.property(monitors, fc.constantFrom("uptime", "-uptime", "response", "-response"), (all, sort) => {
        const values = select(all, { sort }).monitors.map(({ responseTime, uptime }) =>
          sort.endsWith("uptime") ? uptime : responseTime
        )
        const known = values.filter((value) => value !== null)
        assert.deepStrictEqual(values.slice(0, known.length), known)
        const sorted = [...known].sort((one, other) => (sort.startsWith("-") ? other - one : one - other))
        assert.deepStrictEqual(known, sorted)
      })
    ))

  it("counts by status what the other filters leave", () =>
    fc.assert(
      fc.property(monitors, fc.constantFrom(...statuses), fc.constantFrom("Shop", "Mail"), (all, status, group) => {
        const { counts, monitors: found } = select(all, { status, group, region: "eu-west" })
        assert.strictEqual(found.length, counts[status])
        assert.strictEqual(
          counts.all,
          statuses.reduce((sum, each) => sum + counts[each], 0)
        )
        for (const each of found) {
          assert.isTrue(each.group === group || each.group?.startsWith(`${group}/`))
          assert.isTrue(each.regions.length === 0 || each.regions.includes("eu-west"))
        }
      })
    ))

  it("lists every monitor once below its groups, and nothing below a closed one", () =>
    fc.assert(
      fc.property(monitors, (all) => {
        const items = inGroups(all, new Set(), "No group")
        const ids = items.flatMap((item) => (item.kind === "monitor" ? [item.id] : []))
        assert.sameMembers(
          ids,
          all.map(({ id }) => id)
        )
        const top = items.filter((item) => item.kind === "group" && item.depth === 0)
        assert.strictEqual(
          top.reduce((sum, item) => sum + (item.kind === "group" ? item.count : 0), 0),
          all.length
        )
        const closed = inGroups(all, new Set(top.map(({ key }) => key)), "No group")
        assert.deepStrictEqual(
          closed.map(({ key }) => key),
          top.map(({ key }) => key)
        )
      })
    ))

  it("takes only what it knows from an address", () => {
    assert.deepEqual(
      Object.entries(parseListSearch({ q: 42, status: "gone", sort: "-uptime", by: "group", other: 1 })).filter(
        ([, value]) => value !== undefined
      ),
      [
        ["q", "42"],
        ["sort", "-uptime"],
        ["by", "group"]
      ]
    )
  })
})
