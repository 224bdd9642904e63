import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as fc from "fast-check"
import { OverrideId, UserId } from "../src/Ids.ts"
import { Layer, type Override } from "../src/OnCallSchedule.ts"
import {
  adjoined,
  type Handoff,
  handoffsIn,
  joinedParts,
  named,
  onCallIn,
  recordedShifts,
  partsOf,
  type Reckoning,
  type Shift,
  shiftsBetween
} from "../src/OnCallShifts.ts"
import { weekdays } from "../src/WeeklyWindows.ts"
import { minuteByMinute, wallsOf } from "./MinuteByMinute.ts"

const minute = 60_000
const day = 86_400_000
const user = (name: string): UserId => Schema.decodeSync(UserId)(`usr_${name}`)
const [ada, bob, cy, dee] = ["ada", "bob", "cy", "dee"].map(user) as [UserId, UserId, UserId, UserId]
const people = [ada, bob, cy, dee]

const layer = (fields: Omit<typeof Layer.Encoded, "name" | "participants">, ...who: ReadonlyArray<UserId>): Layer =>
  Schema.decodeSync(Layer)({ name: "Layer", participants: who.map((userId) => ({ userId })), ...fields })

const reckoning = (timezone: string, layers: ReadonlyArray<Layer>, others: Partial<Reckoning> = {}): Reckoning => ({
  schedule: { timezone, layers },
  overrides: [],
  absences: new Map(),
  ...others
})

const iso = (at: number): string => new Date(at).toISOString().slice(0, 16)
const told = (shifts: ReadonlyArray<Shift>): ReadonlyArray<string> =>
  shifts.map(({ from, to, userId }) => `${iso(from)} ${iso(to)} ${userId?.slice(4) ?? "-"}`)
const between = (one: Reckoning, from: string, to: string) => shiftsBetween(one, Date.parse(from), Date.parse(to))

const weekly = { rotation: { every: 1, unit: "week" }, handoff: { time: "09:00" }, startsOn: "2026-03-02" } as const

describe("a handoff", () => {
  it("is at the same local time before and after a change of clocks", () => {
    const { final } = between(
      reckoning("Europe/Berlin", [layer(weekly, ada, bob)]),
      "2026-03-20T00:00Z",
      "2026-04-07T00:00Z"
    )
    assert.deepStrictEqual(told(final), [
      "2026-03-20T00:00 2026-03-23T08:00 ada",
      "2026-03-23T08:00 2026-03-30T07:00 bob",
      "2026-03-30T07:00 2026-04-06T07:00 ada",
      "2026-04-06T07:00 2026-04-07T00:00 bob"
    ])
  })

  it("happens at the end of a gap, and the first time in a repeated hour, which takes nothing back", () => {
    const nightly = layer(
      { rotation: { every: 1, unit: "day" }, handoff: { time: "02:30" }, startsOn: "2026-01-01" },
      ada,
      bob
    )
    const spring = between(reckoning("Europe/Berlin", [nightly]), "2026-03-28T12:00Z", "2026-03-30T12:00Z")
    assert.deepStrictEqual(told(spring.final), [
      "2026-03-28T12:00 2026-03-29T01:00 ada",
      "2026-03-29T01:00 2026-03-30T00:30 bob",
      "2026-03-30T00:30 2026-03-30T12:00 ada"
    ])
    const autumn = between(reckoning("Europe/Berlin", [nightly]), "2026-10-24T12:00Z", "2026-10-26T12:00Z")
    assert.deepStrictEqual(told(autumn.final), [
      "2026-10-24T12:00 2026-10-25T00:30 ada",
      "2026-10-25T00:30 2026-10-26T01:30 bob",
      "2026-10-26T01:30 2026-10-26T12:00 ada"
    ])
  })

  it("uses up the turns of a day that a zone left out", () => {
    // Apia went from 29 to 31 December 2011.
    const daily = layer(
      { rotation: { every: 1, unit: "day" }, handoff: { time: "09:00" }, startsOn: "2011-12-27" },
      ada,
      bob,
      cy
    )
    const { final } = between(reckoning("Pacific/Apia", [daily]), "2011-12-29T00:00Z", "2012-01-01T00:00Z")
    assert.deepStrictEqual(told(final), [
      "2011-12-29T00:00 2011-12-29T19:00 bob",
      "2011-12-29T19:00 2011-12-30T10:00 cy",
      "2011-12-30T10:00 2011-12-30T19:00 ada",
      "2011-12-30T19:00 2011-12-31T19:00 bob",
      "2011-12-31T19:00 2012-01-01T00:00 cy"
    ])
  })

  it("is on the last day of shorter months, counted from the start", () => {
    const monthly = layer(
      { rotation: { every: 1, unit: "month" }, handoff: { time: "00:00" }, startsOn: "2026-01-31" },
      ada,
      bob
    )
    const { final } = between(reckoning("UTC", [monthly]), "2026-01-01T00:00Z", "2026-05-15T00:00Z")
    assert.deepStrictEqual(told(final), [
      "2026-01-01T00:00 2026-01-31T00:00 -",
      "2026-01-31T00:00 2026-02-28T00:00 ada",
      "2026-02-28T00:00 2026-03-31T00:00 bob",
      "2026-03-31T00:00 2026-04-30T00:00 ada",
      "2026-04-30T00:00 2026-05-15T00:00 bob"
    ])
  })

  it("cuts the first turn short where the layer begins on another weekday or day", () => {
    const fridays = layer({ ...weekly, handoff: { time: "09:00", weekday: "fri" } }, ada, bob)
    assert.deepStrictEqual(told(between(reckoning("UTC", [fridays]), "2026-03-01T00:00Z", "2026-03-14T00:00Z").final), [
      "2026-03-01T00:00 2026-03-02T09:00 -",
      "2026-03-02T09:00 2026-03-06T09:00 ada",
      "2026-03-06T09:00 2026-03-13T09:00 bob",
      "2026-03-13T09:00 2026-03-14T00:00 ada"
    ])
    const monthly = layer(
      { rotation: { every: 1, unit: "month" }, handoff: { time: "12:00", day: 31 }, startsOn: "2026-03-15" },
      ada,
      bob
    )
    assert.deepStrictEqual(told(between(reckoning("UTC", [monthly]), "2026-03-15T12:00Z", "2026-05-01T00:00Z").final), [
      "2026-03-15T12:00 2026-03-31T12:00 ada",
      "2026-03-31T12:00 2026-04-30T12:00 bob",
      "2026-04-30T12:00 2026-05-01T00:00 ada"
    ])
  })
})

describe("restrictions", () => {
  const nights = [{ weekdays: [...weekdays], from: "22:00", to: "06:00" }]

  it("decide when a turn counts, but not the person", () => {
    const shifts = layer(
      {
        rotation: { every: 12, unit: "hour" },
        handoff: { time: "08:00" },
        startsOn: "2026-03-02",
        restrictions: nights
      },
      ada,
      bob,
      cy
    )
    assert.deepStrictEqual(told(between(reckoning("UTC", [shifts]), "2026-03-02T08:00Z", "2026-03-04T08:00Z").final), [
      "2026-03-02T08:00 2026-03-02T22:00 -",
      "2026-03-02T22:00 2026-03-03T06:00 bob",
      "2026-03-03T06:00 2026-03-03T22:00 -",
      "2026-03-03T22:00 2026-03-04T06:00 ada",
      "2026-03-04T06:00 2026-03-04T08:00 -"
    ])
  })

  it("leave out turns that lie wholly outside, if the layer says so", () => {
    const shifts = layer(
      {
        rotation: { every: 12, unit: "hour", skipEmpty: true },
        handoff: { time: "08:00" },
        startsOn: "2026-03-02",
        restrictions: nights
      },
      ada,
      bob,
      cy
    )
    const { final } = between(reckoning("UTC", [shifts]), "2026-03-02T08:00Z", "2026-03-05T08:00Z")
    assert.deepStrictEqual(
      final.flatMap(({ userId }) => userId ?? []),
      [ada, bob, cy]
    )
  })
})

describe("an override", () => {
  const at = Date.parse
  const taken = (fields: Partial<Override>): Override => ({
    id: OverrideId.make("ovr_1"),
    from: at("2026-03-03T00:00Z"),
    to: at("2026-03-10T00:00Z"),
    userId: cy,
    ...fields
  })
  const base = layer({ ...weekly, endsOn: "2026-03-12" }, ada, bob)
  const of = (...overrides: ReadonlyArray<Override>) =>
    told(between(reckoning("UTC", [base], { overrides }), "2026-03-02T09:00Z", "2026-03-14T00:00Z").final)

  it("takes everything in its window, gaps too", () => {
    assert.deepStrictEqual(of(taken({ to: at("2026-03-13T00:00Z") })), [
      "2026-03-02T09:00 2026-03-03T00:00 ada",
      "2026-03-03T00:00 2026-03-13T00:00 cy",
      "2026-03-13T00:00 2026-03-14T00:00 -"
    ])
  })

  it("takes the shifts of one person only, as they are after those before it", () => {
    assert.deepStrictEqual(of(taken({ replaces: bob })), [
      "2026-03-02T09:00 2026-03-09T09:00 ada",
      "2026-03-09T09:00 2026-03-10T00:00 cy",
      "2026-03-10T00:00 2026-03-12T09:00 bob",
      "2026-03-12T09:00 2026-03-14T00:00 -"
    ])
    assert.deepStrictEqual(
      of(
        taken({ to: at("2026-03-05T00:00Z"), userId: dee }),
        taken({ id: OverrideId.make("ovr_2"), replaces: dee, userId: bob })
      ),
      [
        "2026-03-02T09:00 2026-03-03T00:00 ada",
        "2026-03-03T00:00 2026-03-05T00:00 bob",
        "2026-03-05T00:00 2026-03-09T09:00 ada",
        "2026-03-09T09:00 2026-03-12T09:00 bob",
        "2026-03-12T09:00 2026-03-14T00:00 -"
      ]
    )
  })

  it("to no one leaves a gap, not the layer below", () => {
    const { final, gaps } = between(
      reckoning("UTC", [base], { overrides: [taken({ userId: null, to: at("2026-03-04T00:00Z") })] }),
      "2026-03-02T09:00Z",
      "2026-03-05T00:00Z"
    )
    assert.deepStrictEqual(told(final), [
      "2026-03-02T09:00 2026-03-03T00:00 ada",
      "2026-03-03T00:00 2026-03-04T00:00 -",
      "2026-03-04T00:00 2026-03-05T00:00 ada"
    ])
    assert.deepStrictEqual(gaps, [{ from: at("2026-03-03T00:00Z"), to: at("2026-03-04T00:00Z") }])
  })
})

describe("somebody who is not there", () => {
  it("leaves the turn to the layer below, or a gap, and to no one else", () => {
    const first = layer(weekly, ada)
    const second = layer(weekly, bob, cy)
    const away = new Map([[bob, [{ from: Date.parse("2026-03-03T00:00Z"), to: Date.parse("2026-03-04T00:00Z") }]]])
    const both = reckoning("UTC", [first, second], { absences: away })
    assert.deepStrictEqual(told(between(both, "2026-03-02T09:00Z", "2026-03-10T00:00Z").final), [
      "2026-03-02T09:00 2026-03-03T00:00 bob",
      "2026-03-03T00:00 2026-03-04T00:00 ada",
      "2026-03-04T00:00 2026-03-09T09:00 bob",
      "2026-03-09T09:00 2026-03-10T00:00 cy"
    ])
    const alone = reckoning("UTC", [second], { absences: away })
    assert.deepStrictEqual(told(between(alone, "2026-03-02T09:00Z", "2026-03-05T00:00Z").final), [
      "2026-03-02T09:00 2026-03-03T00:00 bob",
      "2026-03-03T00:00 2026-03-04T00:00 -",
      "2026-03-04T00:00 2026-03-05T00:00 bob"
    ])
  })
})

/** As a server asks: part by part, until somebody comes next. */
const onCallAt = (one: Reckoning, at: number) => {
  const parts = partsOf(one, { from: at, to: at + 400 * day })
  return onCallIn(joinedParts(parts.map(({ from, to }) => shiftsBetween(one, from, to))).final)
}

describe("on call now", () => {
  it("names the person, the end of all adjacent shifts, and the next person", () => {
    const one = reckoning("UTC", [layer(weekly, ada, bob)])
    assert.deepStrictEqual(onCallAt(one, Date.parse("2026-03-04T00:00Z")), {
      userId: ada,
      until: Date.parse("2026-03-09T09:00Z"),
      next: { userId: bob, from: Date.parse("2026-03-09T09:00Z") }
    })
    assert.deepStrictEqual(onCallAt(reckoning("UTC", [layer(weekly, ada)]), Date.parse("2026-03-04T00:00Z")), {
      userId: ada,
      until: null,
      next: null
    })
  })
})

const zones = [
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "America/Santiago",
  "Africa/Cairo",
  "America/Havana",
  "Africa/Casablanca",
  "Asia/Kathmandu"
]

/** The window of the comparison, which has every change of clocks of a year. */
const begin = Date.parse("2026-01-15T00:00Z")
const minutes = 400 * 1440
const walls = new Map<string, Int32Array>()
const wallsIn = (timezone: string): Int32Array => {
  const found = walls.get(timezone) ?? wallsOf(timezone, begin, minutes)
  walls.set(timezone, found)
  return found
}

const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 15, 30, 59))
  .map((parts) => parts.map((part) => String(part).padStart(2, "0")).join(":"))
const window = fc
  .record({
    weekdays: fc.subarray([...weekdays], { minLength: 1 }),
    from: time,
    to: fc.oneof(time, fc.constant("24:00"))
  })
  .filter(({ from, to }) => from !== to)
const date = fc.integer({ min: -800, max: 300 }).map((days) => new Date(begin + days * day).toISOString().slice(0, 10))
const anyLayer = fc
  .record({
    every: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 5, max: 40 })),
    unit: fc.constantFrom("hour" as const, "day" as const, "week" as const, "month" as const),
    skipEmpty: fc.boolean(),
    time,
    weekday: fc.option(fc.constantFrom(...weekdays)),
    day: fc.option(fc.integer({ min: 1, max: 31 })),
    startsOn: date,
    length: fc.option(fc.integer({ min: 1, max: 500 })),
    restrictions: fc.option(fc.array(window, { minLength: 1, maxLength: 3 })),
    who: fc.array(fc.constantFrom(...people), { minLength: 1, maxLength: 5 })
  })
  .map(({ every, length, restrictions, skipEmpty, startsOn, unit, who, ...others }) =>
    layer(
      {
        rotation: { every, unit, skipEmpty },
        handoff: {
          time: others.time,
          ...(unit === "week" && others.weekday !== null ? { weekday: others.weekday } : {}),
          ...(unit === "month" && others.day !== null ? { day: others.day } : {})
        },
        startsOn,
        ...(length === null
          ? {}
          : { endsOn: new Date(Date.parse(startsOn) + length * day).toISOString().slice(0, 10) }),
        ...(restrictions === null ? {} : { restrictions })
      },
      ...who
    )
  )
const span = fc
  .tuple(fc.integer({ min: -1000, max: minutes }), fc.integer({ min: 1, max: 60 * 1440 }))
  .map(([from, length]) => ({ from: begin + from * minute, to: begin + (from + length) * minute }))
const anyReckoning = fc
  .record({
    timezone: fc.constantFrom(...zones),
    layers: fc.array(anyLayer, { minLength: 1, maxLength: 3 }),
    overrides: fc.array(
      fc.record({
        span,
        userId: fc.option(fc.constantFrom(...people)),
        replaces: fc.option(fc.constantFrom(...people))
      }),
      { maxLength: 5 }
    ),
    away: fc.array(fc.tuple(fc.constantFrom(...people), fc.array(span, { maxLength: 3 })), { maxLength: 3 })
  })
  .map(({ away, layers, overrides, timezone }) =>
    reckoning(timezone, layers, {
      overrides: overrides.map(({ replaces, span: { from, to }, userId }, index) => ({
        id: OverrideId.make(`ovr_${index}`),
        from,
        to,
        userId,
        ...(replaces === null ? {} : { replaces })
      })),
      absences: new Map(away)
    })
  )

describe("shifts", () => {
  it("are those of a reckoning minute by minute, over 400 days", () => {
    fc.assert(
      fc.property(anyReckoning, (one) => {
        const { final } = shiftsBetween(one, begin, begin + minutes * minute)
        assert.deepStrictEqual(
          final.map(({ from, layer: source, overrideId, userId }) => [from, overrideId ?? source, userId] as const),
          minuteByMinute(one, begin, wallsIn(one.schedule.timezone))
        )
      }),
      { numRuns: 20 }
    )
  })

  it("partition their window, are as long as possible, and are the same in every part of it", () => {
    const part = fc.tuple(fc.integer({ min: 0, max: minutes - 2 }), fc.integer({ min: 1, max: 20 * 1440 }))
    fc.assert(
      fc.property(anyReckoning, part, (one, [offset, length]) => {
        const whole = { from: begin, to: begin + minutes * minute }
        const from = begin + offset * minute
        const to = Math.min(whole.to, from + length * minute)
        const { final, gaps } = shiftsBetween(one, whole.from, whole.to)
        assert.strictEqual(final[0]!.from, whole.from)
        assert.strictEqual(final.at(-1)!.to, whole.to)
        for (const [index, shift] of final.entries()) {
          assert.isBelow(shift.from, shift.to)
          const after = final[index + 1]
          if (after === undefined) continue
          assert.strictEqual(after.from, shift.to)
          assert.notDeepEqual({ ...after, from: 0, to: 0 }, { ...shift, from: 0, to: 0 })
        }
        assert.deepStrictEqual(
          shiftsBetween(one, from, to).final,
          final
            .filter((shift) => shift.to > from && shift.from < to)
            .map((shift) => ({ ...shift, from: Math.max(shift.from, from), to: Math.min(shift.to, to) }))
        )
        // Without coverage, a gap is exactly where no one is on call.
        const empty = final
          .filter(({ userId }) => userId === null)
          .reduce((sum, shift) => sum + shift.to - shift.from, 0)
        assert.strictEqual(
          gaps.reduce((sum, gap) => sum + gap.to - gap.from, 0),
          empty
        )
      }),
      { numRuns: 30 }
    )
  })

  it("are those of the parts that a window is reckoned in", () => {
    fc.assert(
      fc.property(anyReckoning, (one) => {
        const parts = partsOf(one, { from: begin, to: begin + minutes * minute })
        assert.strictEqual(parts[0]!.from, begin)
        assert.deepStrictEqual(
          joinedParts(parts.map(({ from, to }) => shiftsBetween(one, from, to))),
          shiftsBetween(one, begin, begin + minutes * minute)
        )
      }),
      { numRuns: 20 }
    )
  })

  it("are in more parts the more turns a window has, so that no part takes long", () => {
    const hourly = layer({ ...weekly, rotation: { every: 1, unit: "hour" } }, ada, bob)
    const year = { from: begin, to: begin + 400 * day }
    const many = partsOf(
      reckoning(
        "UTC",
        Array.from({ length: 20 }, () => hourly)
      ),
      year
    )
    for (const { from, to } of many) assert.isAtMost((20 * 24 * (to - from)) / day, 2000)
    assert.isBelow(partsOf(reckoning("UTC", [layer(weekly, ada)]), year).length, 10)
  })
})

describe("recorded shifts", () => {
  it("partitions a window by its handoffs, with a gap before the first one", () => {
    const instants = fc.uniqueArray(fc.integer({ min: 0, max: 1000 }), { maxLength: 20 })
    const who = fc.option(fc.constantFrom(...people))
    const window = fc.tuple(fc.integer({ min: -10, max: 1000 }), fc.integer({ min: 1, max: 500 }))
    fc.assert(
      fc.property(instants, fc.array(who, { minLength: 20, maxLength: 20 }), window, (times, whom, [from, length]) => {
        const handoffs = times
          .toSorted((one, other) => one - other)
          .map((at, index) => ({ at, userId: whom[index]!, layer: null, overrideId: null }))
        const shifts = recordedShifts(handoffs, { from, to: from + length })
        assert.strictEqual(shifts[0]!.from, from)
        assert.strictEqual(shifts.at(-1)!.to, from + length)
        for (let at = from; at < from + length; at++) {
          const recorded = handoffs.findLast((one) => one.at <= at)?.userId ?? null
          const found = shifts.filter((one) => one.from <= at && at < one.to)
          assert.deepStrictEqual(
            found.map(({ userId }) => userId),
            [recorded]
          )
        }
      })
    )
  })

  it("is what was reckoned, whenever somebody looked", () => {
    fc.assert(
      fc.property(anyReckoning, fc.array(fc.integer({ min: 1, max: 20 * 1440 }), { maxLength: 5 }), (one, steps) => {
        const recorded: Array<Handoff> = []
        let at = begin
        for (const step of steps) {
          const { final } = shiftsBetween(one, at, at + step * minute)
          recorded.push(...handoffsIn(named(final, one.schedule.layers), recorded.at(-1)))
          at += step * minute
        }
        if (at === begin) return
        assert.deepStrictEqual(
          recordedShifts(recorded, { from: begin, to: at }),
          adjoined(named(shiftsBetween(one, begin, at).final, one.schedule.layers))
        )
      }),
      { numRuns: 20 }
    )
  })
})
