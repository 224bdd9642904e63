/** On-call schedules in the dashboard: where shifts are drawn, who has which badge, and what forms send. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  bodyOf,
  draftOf,
  isWhole,
  lastHandoffDay,
  moved,
  newBodyOf,
  newLayer,
  withUnit
} from "../src/features/on-call/draft.ts"
import * as Override from "../src/features/on-call/override.ts"
import type { Schedule } from "../src/features/on-call/types.ts"
import { parseScheduleSearch } from "../src/features/on-call/scheduleSearch.ts"
import {
  badgesOf,
  dayText,
  daysFrom,
  monthWeeks,
  peopleIn,
  placed,
  positionOf,
  turned,
  twoWeeks
} from "../src/features/on-call/timeline.ts"

const hour = 3_600_000
const instant = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2030, 0, 1) })
const iso = (at: number): string => new Date(at).toISOString()

describe("shifts on days", () => {
  it("lie inside of what is shown, in their order, as long as they are", () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(instant, lengths, fc.integer({ min: -200, max: 200 }), (begin, hours, late) => {
        let at = begin + late * hour
        const shifts = hours.map((count) => ({ from: iso(at), to: iso((at += count * hour)) }))
        const span = { from: begin, to: begin + 14 * 24 * hour }
        const bars = placed(shifts, span)
        for (const [index, { isCutAfter, isCutBefore, item, start, width }] of bars.entries()) {
          assert.isAtLeast(start, 0)
          assert.isAbove(width, 0)
          assert.isAtMost(start + width, 100 + 1e-6)
          assert.strictEqual(isCutBefore, Date.parse(item.from) < span.from)
          assert.strictEqual(isCutAfter, Date.parse(item.to) > span.to)
          const next = bars[index + 1]
          if (next !== undefined) assert.approximately(start + width, next.start, 1e-6)
        }
        // Parts that are left out are outside.
        for (const shift of shifts)
          if (!bars.some(({ item }) => item === shift))
            assert.isTrue(Date.parse(shift.to) <= span.from || Date.parse(shift.from) >= span.to)
      })
    )
  })

  it("have a line for now only where it is shown", () => {
    assert.strictEqual(positionOf(150, { from: 100, to: 200 }), 50)
    assert.isUndefined(positionOf(99, { from: 100, to: 200 }))
    assert.isUndefined(positionOf(200, { from: 100, to: 200 }))
  })
})

describe("the days of a page", () => {
  it("are two weeks from a Monday on, each beginning at midnight", () => {
    fc.assert(
      fc.property(instant, (now) => {
        const edges = twoWeeks(undefined, now)
        assert.lengthOf(edges, 15)
        assert.strictEqual(new Date(edges[0]!).getDay(), 1)
        assert.isTrue(edges[0]! <= now && now < edges[7]!)
        for (const edge of edges) assert.strictEqual(new Date(edge).getHours(), 0)
      })
    )
  })

  it("are whole weeks that contain the month", () => {
    fc.assert(
      fc.property(instant, (now) => {
        const weeks = monthWeeks(undefined, now)
        const date = new Date(now)
        const first = new Date(date.getFullYear(), date.getMonth(), 1).getTime()
        const last = new Date(date.getFullYear(), date.getMonth() + 1, 0).getTime()
        assert.isTrue(weeks[0]![0]! <= first && last < weeks.at(-1)!.at(-1)!)
        for (const [index, week] of weeks.entries()) {
          assert.lengthOf(week, 8)
          assert.strictEqual(week.at(-1), (weeks[index + 1] ?? [week.at(-1)])[0])
        }
      })
    )
  })

  it("are turned forth and back to the same page", () => {
    fc.assert(
      fc.property(instant, fc.constantFrom("weeks" as const, "month" as const), (now, view) => {
        const page = turned(undefined, now, view, 1)
        const back = turned(page, now, view, -1)
        const shown = view === "weeks" ? twoWeeks(back, now)[0] : monthWeeks(back, now)[0]![0]
        assert.strictEqual(shown, view === "weeks" ? twoWeeks(undefined, now)[0] : monthWeeks(undefined, now)[0]![0])
      })
    )
  })

  it("ignores an address that names no day", () => {
    assert.deepStrictEqual(parseScheduleSearch({ day: "soon", view: "year", take: "yes" }), {})
    assert.deepStrictEqual(parseScheduleSearch({ take: true }), { take: true })
    assert.deepStrictEqual(parseScheduleSearch({ day: "2026-11-20", view: "month" }), {
      day: "2026-11-20",
      view: "month"
    })
    const now = Date.UTC(2026, 10, 20, 12)
    assert.strictEqual(dayText(twoWeeks("9999-99-99x", now)[0]!), dayText(twoWeeks(undefined, now)[0]!))
    assert.lengthOf(daysFrom(now, 3), 4)
  })
})

describe("badges of people", () => {
  it("differ in their initials, and use every colour before one comes again", () => {
    const names = fc.uniqueArray(fc.record({ id: fc.uuid(), name: fc.string() }), { selector: ({ id }) => id })
    fc.assert(
      fc.property(names, (people) => {
        const badges = [...badgesOf(people).values()]
        assert.lengthOf(badges, people.length)
        for (const { initials, series } of badges) {
          assert.isTrue(series >= 1 && series <= 5)
          assert.isAbove(initials.length, 0)
        }
        assert.strictEqual(new Set(badges.slice(0, 5).map(({ series }) => series)).size, Math.min(5, people.length))
      })
    )
    const two = badgesOf([
      { id: "a", name: "Ada Lovelace" },
      { id: "b", name: "Al Low" },
      { id: "c", name: "千鳥" }
    ])
    assert.deepStrictEqual(
      [...two.values()].map(({ initials }) => initials),
      ["AL", "AL2", "千"]
    )
  })

  it("name those of the layers first, and each once", () => {
    const layers = [{ participants: [{ userId: "b" }, { userId: "a" }] }, { participants: [{ userId: "b" }] }]
    assert.deepStrictEqual(peopleIn(layers, [{ userId: "c" }, { userId: null }, { userId: "a" }]), ["b", "a", "c"])
  })
})

const schedule: Schedule = {
  id: "sch_1",
  organizationId: "org_1",
  key: null,
  name: "Shop",
  timezone: "Europe/Berlin",
  coverage: null,
  layers: [
    {
      name: "Primary",
      participants: [{ userId: "usr_a" }, { userId: "usr_b" }],
      rotation: { every: 1, unit: "week", skipEmpty: true },
      handoff: { time: "09:00", weekday: "mon" },
      startsOn: "2026-11-23",
      restrictions: [{ weekdays: ["sat"], from: "22:00", to: "06:00" }]
    }
  ],
  warnings: [],
  createdAt: "2026-11-20T09:00:00.000Z",
  updatedAt: "2026-11-20T09:00:00.000Z"
}

describe("the form of a schedule", () => {
  it("sends what it began with, without the first days of layers: their rotations go on", () => {
    const draft = draftOf(schedule)
    const [layer] = schedule.layers
    const { startsOn, ...rest } = layer!
    assert.deepStrictEqual(bodyOf(draft, draft), {
      name: "Shop",
      timezone: "Europe/Berlin",
      coverage: null,
      layers: [rest]
    })
    assert.deepStrictEqual(newBodyOf(draft).layers, [{ ...rest, startsOn }])
  })

  it("sends a first day that was changed, and that of a layer that is new", () => {
    const draft = draftOf(schedule)
    const changed = { ...draft, layers: draft.layers.map((layer) => ({ ...layer, startsOn: "2026-12-01" })) }
    assert.strictEqual(bodyOf(changed, draft).layers[0]!.startsOn, "2026-12-01")
    const added = [...draft.layers, newLayer(draft.layers, "Nights", "2026-12-02", "usr_a")]
    assert.deepStrictEqual(
      bodyOf({ ...draft, layers: added }, draft).layers.map((layer) => layer.startsOn),
      [undefined, "2026-12-02"]
    )
  })

  it("begins a new layer on the day of the last handoff, so that somebody is on call from now on", () => {
    const last = (local: string) => lastHandoffDay(new Date(local).getTime())
    assert.strictEqual(last("2026-11-20T09:00:00"), "2026-11-20")
    assert.strictEqual(last("2026-11-20T23:59:00"), "2026-11-20")
    assert.strictEqual(last("2026-11-20T08:59:59"), "2026-11-19")
    assert.strictEqual(last("2026-11-20T00:00:00"), "2026-11-19")
  })

  it("keeps of a handoff only what its unit has", () => {
    const [layer] = draftOf(schedule).layers
    assert.deepStrictEqual(withUnit(layer!, "day").handoff, { time: "09:00" })
    assert.deepStrictEqual(withUnit(withUnit(layer!, "month"), "week").handoff, { time: "09:00", weekday: "mon" })
    assert.deepStrictEqual(withUnit(layer!, "month").handoff, { time: "09:00", day: 1 })
  })

  it("is whole with people, a name and a first day in each layer", () => {
    const draft = draftOf(schedule)
    assert.isTrue(isWhole(draft))
    assert.isFalse(isWhole({ ...draft, layers: [newLayer([], "Empty", "2026-11-20", undefined)] }))
    assert.isFalse(isWhole({ ...draft, layers: [{ ...draft.layers[0]!, startsOn: "" }] }))
  })

  it("moves an item by one place and loses none", () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.nat(10), fc.constantFrom(1 as const, -1 as const), (items, at, by) => {
        const found = moved(items, at, by)
        assert.sameMembers([...found], items)
        if (at < items.length && at + by >= 0 && at + by < items.length) assert.strictEqual(found[at + by], items[at])
      })
    )
  })
})

describe("an override", () => {
  const times = { from: "2026-11-20T09:00", to: "2026-11-20T17:00" }

  it("gives away none but the visitor's own shifts without the role for those of others", () => {
    assert.strictEqual(Override.replacedBy({ userId: "b", replaces: null }, "me", false), "me")
    assert.strictEqual(Override.replacedBy({ userId: null, replaces: "c" }, "me", false), "me")
    assert.strictEqual(Override.replacedBy({ userId: "me", replaces: "c" }, "me", false), "c")
    assert.isNull(Override.replacedBy({ userId: "me", replaces: null }, "me", false))
    assert.strictEqual(Override.replacedBy({ userId: "b", replaces: "c" }, "me", true), "c")
  })

  it("never replaces a person by themselves", () => {
    assert.isNull(Override.replacedBy({ userId: "b", replaces: "b" }, "me", true))
  })

  it("is sent with both of its times, or not at all", () => {
    const draft = { ...times, userId: "b", replaces: null }
    const body = Override.bodyOf(draft, "me", true)!
    assert.strictEqual(Date.parse(body.to) - Date.parse(body.from), 8 * hour)
    assert.strictEqual(Override.localText(Date.parse(body.from)), times.from)
    assert.isUndefined(Override.bodyOf({ ...draft, to: "" }, "me", true))
  })
})
