/** Drills: when they are repeated, how they end, and what their reports say of each person. */
import { assert, describe, it } from "@effect/vitest"
import type { TimelineEntry } from "../src/AlertTimeline.ts"
import { DrillEvery, drillEnd, isTooLate, latestMillis, nextStart, reachedIn } from "../src/Drill.ts"
import { ChannelId, UserId } from "../src/Ids.ts"
import { dayMillis, zoneOf } from "../src/LocalTime.ts"
import * as fc from "fast-check"

const zones = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "America/Santiago",
  "Africa/Cairo",
  "Asia/Tokyo"
]

const series = fc.record({
  firstAt: fc.integer({ min: Date.parse("2020-01-01"), max: Date.parse("2035-12-31") }).map((at) => at - (at % 60_000)),
  every: fc.constantFrom(...DrillEvery.literals),
  zone: fc.constantFrom(...zones).map((name) => zoneOf(name)!)
})

/** All repetitions, one after another. */
const chain = (of: Parameters<typeof nextStart>[0], count: number): ReadonlyArray<number> => {
  const all = [of.firstAt]
  while (all.length < count) all.push(nextStart(of, all.at(-1)!))
  return all
}

const wall = ({ offsetAt }: NonNullable<ReturnType<typeof zoneOf>>, at: number) => new Date(at + offsetAt(at))

describe("the repetition of a drill", () => {
  it("keeps its local time but where the clocks skip it, and its day as far as the months have it", () =>
    fc.assert(
      fc.property(series, (of) => {
        const first = wall(of.zone, of.firstAt)
        const all = chain(of, 30)
        for (const [k, at] of all.entries()) {
          const local = wall(of.zone, at)
          const last = new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1, 0)).getUTCDate()
          const minutes = (date: Date) => date.getUTCHours() * 60 + date.getUTCMinutes()
          assert.isAtMost(Math.abs(minutes(local) - minutes(first)), 60)
          if (of.every === "week") assert.strictEqual(local.getUTCDay(), first.getUTCDay())
          else {
            assert.strictEqual(local.getUTCDate(), Math.min(first.getUTCDate(), last))
            const months =
              (local.getUTCFullYear() - first.getUTCFullYear()) * 12 + local.getUTCMonth() - first.getUTCMonth()
            assert.strictEqual(months, k * (of.every === "month" ? 1 : 3))
          }
        }
      })
    ))

  it("is the same from whatever instant it is asked for, so that no stop of Kanmon moves it", () =>
    fc.assert(
      fc.property(series, fc.nat(20), fc.double({ min: 0, max: 0.999, noNaN: true }), (of, k, share) => {
        const all = chain(of, k + 2)
        const [from, to] = [all[k]!, all[k + 1]!]
        assert.strictEqual(nextStart(of, Math.floor(from + (to - from) * share)), to)
      })
    ))

  it("is after the instant, and not farther away than one step", () =>
    fc.assert(
      fc.property(series, fc.nat(4000), (of, days) => {
        const after = of.firstAt + days * dayMillis
        const at = nextStart(of, after)
        assert.isAbove(at, after)
        assert.isAtMost(at - after, 94 * dayMillis)
      })
    ))

  it("does not begin more than an hour late", () => {
    assert.isFalse(isTooLate({ startsAt: 0 }, latestMillis))
    assert.isTrue(isTooLate({ startsAt: 0 }, latestMillis + 1))
  })
})

const drilled = fc.array(fc.record({ isAcknowledged: fc.boolean(), isOver: fc.boolean(), isExhausted: fc.boolean() }), {
  maxLength: 5
})

describe("the end of a drill", () => {
  it("comes when each of its alerts is answered or exhausted, and is an answer only if all were answered", () =>
    fc.assert(
      fc.property(drilled, (alerts) => {
        const open = alerts.filter(({ isOver }) => !isOver)
        const end = drillEnd(alerts)
        assert.strictEqual(
          end === undefined,
          open.some((one) => !one.isAcknowledged && !one.isExhausted)
        )
        assert.strictEqual(end === "stopped", open.length === 0)
        if (end === "acknowledged") assert.isTrue(open.every(({ isAcknowledged }) => isAcknowledged))
        if (end === "exhausted") assert.isTrue(open.some(({ isAcknowledged }) => !isAcknowledged))
      })
    ))
})

const nothing = { round: 0, step: 0, by: null, note: null, until: null, target: null } as const

const page = fc
  .record({
    who: fc.nat(3),
    isChannel: fc.boolean(),
    outcome: fc.constantFrom("pending" as const, "reached" as const, "failed" as const, "dropped" as const),
    after: fc.nat(100_000),
    answered: fc.option(fc.nat(100_000), { nil: null }),
    methodType: fc.constantFrom("email", "sms", null)
  })
  .map(({ after, answered, isChannel, methodType, outcome, who }): TimelineEntry => ({
    ...nothing,
    at: 0,
    type: "page",
    page: {
      id: "pge_1",
      cause: "step",
      userId: isChannel ? null : UserId.make(`usr_${who}`),
      userName: isChannel ? null : `Person ${who}`,
      methodType: isChannel ? null : methodType,
      channelId: isChannel ? ChannelId.make(`ch_${who}`) : null,
      channelName: isChannel ? `Channel ${who}` : null,
      reason: null,
      outcome,
      detail: outcome,
      attempts: [],
      heldUntil: null,
      finishedAt: outcome === "pending" ? null : after,
      answeredAt: answered,
      reply: null,
      alerts: 1
    }
  }))

describe("the report of a drill", () => {
  it("has each person and each channel once, reached by their first page that was accepted, and every failure", () =>
    fc.assert(
      fc.property(fc.array(page, { maxLength: 20 }), (timeline) => {
        const { channels, people } = reachedIn(0, timeline)
        const pages = timeline.map((entry) => entry.page!)
        assert.deepStrictEqual(
          people.map(({ userId }) => userId),
          [...new Set(pages.flatMap(({ userId }) => userId ?? []))]
        )
        assert.deepStrictEqual(
          channels.map(({ channelId }) => channelId),
          [...new Set(pages.flatMap(({ channelId }) => channelId ?? []))]
        )
        for (const person of people) {
          const own = pages.filter(({ userId }) => userId === person.userId)
          const reached = own.flatMap(({ finishedAt, outcome }) => (outcome === "reached" ? finishedAt! : []))
          assert.strictEqual(
            person.reachedAfterSeconds,
            reached.length === 0 ? null : Math.round(Math.min(...reached) / 1000)
          )
          assert.strictEqual(person.failed.length, own.filter(({ outcome }) => outcome === "failed").length)
          assert.strictEqual(person.dropped, own.filter(({ outcome }) => outcome === "dropped").length)
        }
        const failures = [...people, ...channels].flatMap(({ failed }) => failed)
        assert.strictEqual(failures.length, pages.filter(({ outcome }) => outcome === "failed").length)
      })
    ))
})
