import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as fc from "fast-check"
import { UserId } from "../src/Ids.ts"
import { continued, formerLayers, movedPeople, peopleIn } from "../src/OnCallEdit.ts"
import { dateOf, Layer, type RotatingLayer } from "../src/OnCallSchedule.ts"
import { shiftsBetween } from "../src/OnCallShifts.ts"

const day = 86_400_000
const hour = 3_600_000
const people = ["ada", "bob", "cy", "dee", "eve"].map((name) => Schema.decodeSync(UserId)(`usr_${name}`))
const [ada, bob, cy, dee] = people as [UserId, UserId, UserId, UserId]

const layer = (fields: Partial<typeof Layer.Encoded>, ...who: ReadonlyArray<UserId>): Layer =>
  Schema.decodeSync(Layer)({
    name: "Primary",
    participants: who.map((userId) => ({ userId })),
    rotation: { every: 1, unit: "day" },
    handoff: { time: "09:00" },
    startsOn: "2026-03-02",
    ...fields
  })

const at = Date.parse
const zone = "Europe/Berlin"

const edited = (before: RotatingLayer, after: Layer, now: number, timezone = zone): RotatingLayer =>
  continued({ timezone, layers: [before] }, { timezone, layers: [after] }, now)[0]!

/** The people with the turns from an instant on, in order. */
const order = (one: RotatingLayer, from: number, turns: number, timezone = zone): ReadonlyArray<string> =>
  shiftsBetween({ schedule: { timezone, layers: [one] }, overrides: [], absences: new Map() }, from, from + 400 * day)
    .final.slice(0, turns)
    .map(({ userId }) => userId?.slice(4) ?? "-")

describe("an edit of a layer", () => {
  const now = at("2026-03-03T12:00Z")

  it("keeps who is on call until the next handoff, and goes on after them in the new order", () => {
    const before = layer({}, ada, bob, cy)
    assert.deepStrictEqual(order(before, now, 4), ["bob", "cy", "ada", "bob"])
    assert.deepStrictEqual(order(edited(before, layer({}, dee, cy, bob, ada), now), now, 5), [
      "bob",
      "ada",
      "dee",
      "cy",
      "bob"
    ])
    assert.deepStrictEqual(order(edited(before, layer({}, bob, ada), now), now, 3), ["bob", "ada", "bob"])
  })

  it("keeps somebody who is taken out, and goes on with who followed them", () => {
    const before = layer({}, ada, bob, cy)
    assert.deepStrictEqual(order(edited(before, layer({}, ada, dee, cy), now), now, 4), ["bob", "cy", "ada", "dee"])
    assert.deepStrictEqual(order(edited(before, layer({}, dee), now), now, 2), ["bob", "dee"])
  })

  it("keeps the person when turns become longer or begin at another time", () => {
    const before = layer({}, ada, bob, cy)
    const weekly = layer(
      { rotation: { every: 1, unit: "week" }, handoff: { time: "17:00", weekday: "fri" } },
      ada,
      bob,
      cy
    )
    const { final } = shiftsBetween(
      { schedule: { timezone: zone, layers: [edited(before, weekly, now)] }, overrides: [], absences: new Map() },
      now,
      now + 20 * day
    )
    assert.deepStrictEqual(
      final.slice(0, 2).map(({ from, to, userId }) => [from, to, userId]),
      [
        [now, at("2026-03-06T16:00Z"), bob],
        [at("2026-03-06T16:00Z"), at("2026-03-13T16:00Z"), cy]
      ]
    )
  })

  it("begins again on another first day", () => {
    const before = layer({}, ada, bob, cy)
    const again = edited(before, layer({ startsOn: "2026-03-03" }, ada, bob, cy), now)
    assert.isUndefined(again.anchor)
    assert.deepStrictEqual(order(again, now, 2), ["ada", "bob"])
  })

  it("keeps all turns when it changes other fields, also after an earlier edit", () => {
    const once = edited(layer({}, ada, bob, cy), layer({}, cy, bob, ada), now)
    const twice = edited(
      once,
      layer({ restrictions: [{ weekdays: ["mon"], from: "10:00", to: "12:00" }] }, cy, bob, ada),
      now + 40 * day
    )
    assert.deepStrictEqual(twice.anchor, once.anchor)
  })

  it("counts from the beginning of a layer that has not begun", () => {
    const before = layer({ startsOn: "2026-05-01" }, ada, bob)
    assert.deepStrictEqual(order(edited(before, layer({ startsOn: "2026-05-01" }, cy, ada), now), now, 3), [
      "-",
      "cy",
      "ada"
    ])
  })

  it("counts no turn twice when turns are left out", () => {
    const nights = [
      { weekdays: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const, from: "22:00", to: "06:00" }
    ]
    const rotation = { every: 12, unit: "hour", skipEmpty: true } as const
    const shape = { rotation, restrictions: nights, handoff: { time: "08:00" } }
    const before = layer(shape, ada, bob, cy)
    // By day no turn counts: the next one is that of the first of the order.
    const noon = at("2026-03-02T12:00Z")
    const names = (one: RotatingLayer) => order(one, noon, 8).filter((name) => name !== "-")
    assert.deepStrictEqual(names(before).slice(0, 3), ["ada", "bob", "cy"])
    assert.deepStrictEqual(names(edited(before, layer(shape, bob, ada, cy), noon)).slice(0, 3), ["ada", "cy", "bob"])
    const night = at("2026-03-02T23:00Z")
    assert.deepStrictEqual(
      order(edited(before, layer(shape, bob, ada, cy), night), night, 6).filter((name) => name !== "-"),
      ["ada", "cy", "bob"]
    )
  })
})

describe("any edit", () => {
  const who = fc.uniqueArray(fc.constantFrom(...people), { minLength: 1 })
  const anyLayer = fc
    .record({
      who,
      every: fc.integer({ min: 1, max: 30 }),
      unit: fc.constantFrom("hour" as const, "day" as const, "week" as const, "month" as const),
      hours: fc.integer({ min: 0, max: 23 }),
      start: fc.integer({ min: -60, max: 0 })
    })
    .map(({ every, hours, start, unit, who }) => ({ every, hours, start, unit, who }))
  type Fields = typeof anyLayer extends fc.Arbitrary<infer A> ? A : never
  const made = (fields: Fields, start: number, people: ReadonlyArray<UserId>): Layer =>
    layer(
      {
        rotation: { every: fields.every, unit: fields.unit },
        handoff: { time: `${String(fields.hours).padStart(2, "0")}:00` },
        startsOn: dateOf(20_500 + start)
      },
      ...people
    )

  it("keeps the person and continues with the new order", () => {
    const zones = fc.constantFrom("Europe/Berlin", "Australia/Lord_Howe", "America/Havana", "Africa/Casablanca")
    // Hours from midnight UTC: the latest first handoff is at 23:00 in Havana, five hours behind.
    const begun = fc.integer({ min: 29, max: 400 * 24 })
    fc.assert(
      fc.property(anyLayer, anyLayer, zones, begun, (one, other, timezone, hours) => {
        const now = 20_500 * day + hours * hour
        const before = made(one, one.start, one.who)
        const after = edited(before, made(other, one.start, other.who), now, timezone)
        const [holder] = order(before, now, 1, timezone)
        const turns = order(after, now, 2 + other.who.length, timezone)
        assert.strictEqual(turns[0], holder)
        if (other.who.length < 2) return
        const names = other.who.map((userId) => userId.slice(4))
        for (const [index, name] of turns.entries()) {
          const follower = turns[index + 1]
          if (follower === undefined || !names.includes(name)) continue
          assert.strictEqual(follower, names[(names.indexOf(name) + 1) % names.length])
        }
      }),
      { numRuns: 200 }
    )
  })
})

describe("layers", () => {
  it("are known by their names, and else by their places", () => {
    const named = (...names: ReadonlyArray<string>) => names.map((name) => ({ name }))
    const [days, nights] = named("Days", "Nights") as [{ name: string }, { name: string }]
    assert.deepStrictEqual(formerLayers([days, nights], named("Nights", "Days")), [nights, days])
    assert.deepStrictEqual(formerLayers([days, nights], named("Days", "Late")), [days, nights])
    assert.deepStrictEqual(formerLayers([days, nights], named("Nights", "Late")), [nights, undefined])
  })

  it("name their participants, and who has a turn still", () => {
    const anchored = { ...layer({}, ada, bob), anchor: { at: 0, userId: cy, next: 0 } }
    assert.deepStrictEqual([...peopleIn([anchored])].toSorted(), [ada, bob, cy])
  })
})

describe("people with moved shifts", () => {
  it("are those who are on call at other times, for any cause", () => {
    const shift = (from: number, to: number, userId: UserId | null, layer = 0) => ({
      from,
      to,
      userId,
      layer,
      overrideId: null
    })
    assert.deepStrictEqual(
      movedPeople([shift(0, 5, ada), shift(5, 9, bob)], [shift(0, 3, ada), shift(3, 5, ada, 1), shift(5, 9, bob)]),
      []
    )
    assert.deepStrictEqual(movedPeople([shift(0, 5, ada), shift(5, 9, bob)], [shift(0, 6, ada), shift(6, 9, bob)]), [
      ada,
      bob
    ])
    assert.deepStrictEqual(movedPeople([shift(0, 5, ada)], [shift(0, 5, null)]), [ada])
  })
})
