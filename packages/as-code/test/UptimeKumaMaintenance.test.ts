/** Maintenance windows of Uptime Kuma as requests: all strategies, time zones, and what has no counterpart. */
import { assert, describe, it } from "@effect/vitest"
import { load } from "@kanmon/core/PluginHost"
import * as IncidentBody from "@kanmon/protocol/IncidentBody"
import { Effect, Result } from "effect"
import * as fc from "fast-check"
import { parse } from "yaml"
import * as Decoding from "../src/Decoding.ts"
import * as Source from "../src/Source.ts"
import * as Database from "../src/uptime-kuma/Database.ts"
import * as Import from "../src/uptime-kuma/Import.ts"
import * as Maintenance from "../src/uptime-kuma/Maintenance.ts"
import { fieldsOf, occurrences, ruleOf } from "../src/uptime-kuma/Occurrences.ts"
import { bundled } from "../../../apps/server/src/plugins.gen.ts"
import { textObjection } from "../../monitoring/src/maintenance/Recurrence.ts"
import { first } from "@kanmon/domain/Recurrence"
import * as RecurrenceRule from "@kanmon/domain/RecurrenceRule"
import { zoneOf } from "@kanmon/domain/LocalTime"
import { KumaDatabase, type Rows } from "./UptimeKumaTables.ts"

const kinds = await Effect.runPromise(load(bundled))
/** A Monday. */
const now = Date.parse("2026-11-23T12:00:00Z")

const convert = (fields: Readonly<Record<string, unknown>>) =>
  Maintenance.convert(
    { title: "W", name: "W", description: "Work", active: 1, timezone: "Europe/Berlin", ...fields },
    { now, serverTimezone: "Asia/Tokyo" }
  )

const weekly = { strategy: "recurring-weekday", start_time: "23:30", end_time: "01:00", weekdays: [1, 0] }

describe("a maintenance window", () => {
  it("becomes a single window at its local time", () => {
    const { request } = convert({ strategy: "single", start_date: "2026-12-24 18:00:00", end_date: "2026-12-26T06:00" })
    assert.deepStrictEqual(request, {
      title: "W",
      message: "Work",
      maintenance: true,
      scheduledStart: "2026-12-24T17:00:00.000Z",
      scheduledEnd: "2026-12-26T05:00:00.000Z"
    })
  })

  it.each([
    [weekly, "2026-11-23T22:30:00.000Z", "2026-11-24T00:00:00.000Z", "FREQ=WEEKLY;BYDAY=SU,MO"],
    [
      { ...weekly, timezone: "SAME_AS_SERVER", start_date: "2026-12-01 00:00:00", end_date: "2027-01-01 00:00:00" },
      "2026-12-06T14:30:00.000Z",
      "2026-12-06T16:00:00.000Z",
      "FREQ=WEEKLY;BYDAY=SU,MO;UNTIL=20261231T150000Z"
    ],
    [
      { strategy: "recurring-day-of-month", start_time: "02:00", end_time: "03:00", days_of_month: [15, "lastDay1"] },
      "2026-11-30T01:00:00.000Z",
      "2026-11-30T02:00:00.000Z",
      "FREQ=MONTHLY;BYMONTHDAY=-1,15"
    ],
    [
      {
        strategy: "recurring-interval",
        interval_day: 10,
        start_time: "02:00:00",
        end_time: "02:30:00",
        last_start_date: "2026-11-20 01:00:00"
      },
      "2026-11-30T01:00:00.000Z",
      "2026-11-30T01:30:00.000Z",
      "FREQ=DAILY;INTERVAL=10"
    ],
    [
      { strategy: "cron", cron: "15 2,14 * JAN-MAR MON-FRI", duration: 1800 },
      "2027-01-01T01:15:00.000Z",
      "2027-01-01T01:45:00.000Z",
      "FREQ=WEEKLY;BYMONTH=1,2,3;BYDAY=MO,TU,WE,TH,FR;BYHOUR=2,14;BYMINUTE=15"
    ],
    [
      // It lasts already.
      { strategy: "cron", cron: "30 12 * * *", duration: 7200 },
      "2026-11-23T11:30:00.000Z",
      "2026-11-23T13:30:00.000Z",
      "FREQ=DAILY"
    ]
  ])("becomes a series: %j", (fields, start, end, rule) => {
    const { request } = convert(fields)
    assert.include(request, { scheduledStart: start, scheduledEnd: end, recurrence: rule })
    assert.isTrue(Result.isSuccess(IncidentBody.decodeNew(request)))
  })

  it.each([
    [{ strategy: "manual" }, "it lasts until somebody ends it"],
    [{ ...weekly, active: 0 }, "it is not active"],
    [{ strategy: "single", start_date: "2026-01-01 00:00:00", end_date: "2026-01-02 00:00:00" }, "it is over"],
    [{ strategy: "single" }, "it has no start and end"],
    [{ ...weekly, timezone: "Mars/Base" }, "its time zone Mars/Base is not known"],
    [{ ...weekly, weekdays: [] }, "it has no weekdays"],
    [{ ...weekly, weekdays: [1, "tuesday"] }, "some of its weekdays are no numbers"],
    [
      { strategy: "recurring-day-of-month", start_time: "02:00", end_time: "03:00", days_of_month: [15, "last"] },
      "some of its days are no numbers"
    ],
    [
      { strategy: "recurring-interval", start_time: "02:00", end_time: "03:00", interval_day: "two" },
      "its interval of days is no number (two)"
    ],
    [{ ...weekly, end_time: "23:30" }, "it has no duration"],
    [{ strategy: "cron", cron: "0 2 1 * 1", duration: 60 }, "it begins on days of the month and on weekdays too"],
    [{ strategy: "cron", cron: "*/5 * * * *", duration: 60 }, "it begins more than 24 times a day"],
    [{ strategy: "cron", cron: "0 2 * * 1#2", duration: 60 }, "it has fields that have no counterpart"],
    [{ strategy: "cron", cron: "0 2 30 2 *", duration: 60 }, "it does not begin again"],
    [{ strategy: "cron", cron: "0 * * * *", duration: 7200 }, "its windows overlap"],
    [{ ...weekly, strategy: "weekly" }, "its strategy weekly is not known"]
  ])("is left out: %j", (fields, words) => {
    const { notes, request } = convert(fields)
    assert.isUndefined(request)
    assert.include(notes.join(), words)
  })

  const field = (least: number, most: number) =>
    fc.uniqueArray(fc.integer({ min: least, max: most }), { minLength: 1, maxLength: 3 })
  const either = fc.oneof(
    fc.record({ day: field(1, 28), weekday: fc.constant(undefined) }),
    fc.record({ day: fc.constant(undefined), weekday: field(0, 7) }),
    fc.constant({ day: undefined, weekday: undefined })
  )

  it("begins when its recurrence rule says", () =>
    fc.assert(
      fc.property(
        field(0, 59),
        field(0, 23),
        either,
        fc.option(field(1, 12)),
        (minute, hour, { day, weekday }, month) => {
          const cron = [minute, hour, day ?? "*", month ?? "*", weekday ?? "*"].join(" ")
          const fields = fieldsOf(cron)
          if (typeof fields === "string") return assert.fail(fields)
          const at = occurrences(fields, "UTC", now, 20)
          const rule = ruleOf(fields, undefined)
          assert.isUndefined(textObjection(rule))
          const series = { rule: Result.getOrThrow(RecurrenceRule.parse(rule)), zone: zoneOf("UTC")!, start: at[0]! }
          assert.deepStrictEqual(first(series, at.length), at)
        }
      ),
      { numRuns: 60 }
    ))
})

describe("the windows of a database", () => {
  const monitor = (id: number, name: string, more: object = {}) => ({
    id,
    name,
    type: "http",
    url: "https://a.example",
    ...more
  })
  const window = { description: "", strategy: "cron", cron: "0 2 * * *", duration: 600, timezone: "UTC" }
  const rows: Rows = {
    monitor: [
      monitor(1, "Shop", { type: "group" }),
      monitor(2, "Home", { parent: 1 }),
      monitor(3, "API"),
      monitor(4, "Broker", { type: "mqtt" })
    ],
    maintenance: [
      { id: 1, title: "Nightly: shop", ...window },
      { id: 2, title: "Nobody's", ...window },
      { id: 3, title: "Broker", ...window }
    ],
    monitor_maintenance: [
      { monitor_id: 1, maintenance_id: 1 },
      { monitor_id: 4, maintenance_id: 1 },
      { monitor_id: 4, maintenance_id: 3 }
    ]
  }
  const imported = (at: number) =>
    Effect.gen(function* () {
      using database = new KumaDatabase(rows)
      const found = Import.convert(yield* Database.read(database.copy("")), kinds, at)
      return { ...found, said: found.report.flatMap(({ about, notes }) => notes.map((note) => `${about}: ${note}`)) }
    })

  it.effect("name their monitors, those in groups too, which get no tags of their own", () =>
    Effect.gen(function* () {
      const { said, windows, yaml } = yield* imported(now)
      assert.deepStrictEqual(
        windows.map(({ message, monitors, title }) => ({ title, message, monitors })),
        [{ title: "Nightly: shop", message: "Nightly: shop", monitors: ["home"] }]
      )
      const { maintenance, monitors } = parse(yaml) as {
        readonly maintenance: Readonly<Record<string, unknown>>
        readonly monitors: Readonly<Record<string, { readonly tags?: unknown }>>
      }
      assert.deepStrictEqual(maintenance, {
        "nightly-shop": {
          title: "Nightly: shop",
          message: "Nightly: shop",
          scheduledStart: "2026-11-24T02:00:00.000Z",
          scheduledEnd: "2026-11-24T02:10:00.000Z",
          recurrence: "FREQ=DAILY",
          timezone: "UTC",
          monitors: ["home"]
        }
      })
      const source = Source.read([{ name: "kanmon.yaml", text: yaml }], {})
      assert.deepStrictEqual([source.mistakes, Decoding.decode(source.entries, kinds).mistakes], [[], []])
      assert.isUndefined(monitors["home"]?.tags)
      assert.isUndefined(monitors["api"]?.tags)
      for (const words of [
        "Maintenance Nightly: shop: These are missing in it: Broker.",
        "Maintenance Nobody's: It has no monitors.",
        "Maintenance Broker: None of its monitors could be carried over."
      ])
        assert.include(said, words)
    })
  )
})
