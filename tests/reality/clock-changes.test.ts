/**
 * The nights in which the clocks change, in four zones, with the whole product and its PostgreSQL on a machine whose clock is moved
 * there: what the guide says of maintenance windows and schedules of jobs is what the API answers, to the second.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { hasStatus } from "../support/Checks.ts"
import * as MachineClock from "../support/MachineClock.ts"
import * as Product from "../support/Product.ts"
import * as WebTarget from "../support/WebTarget.ts"

const second = 1000
const hour = 3600 * second

/** A night in which the clocks of a zone change. */
interface Night {
  readonly timezone: string
  /** The local midnights around the day that is longer or shorter. */
  readonly from: string
  readonly to: string
  /** The beginning of the day before of a daily maintenance window of an hour, and the beginning in this night. */
  readonly yesterday: string
  readonly window: string
  readonly schedule: string
  /** When the job has just run, when it is expected next, and a local time between that comes a second time. */
  readonly ran: string
  readonly expected: string
  readonly repeated?: string
}

const nights: ReadonlyArray<Night> = [
  {
    timezone: "America/New_York",
    from: "2027-03-14T05:00:00Z",
    to: "2027-03-15T04:00:00Z",
    yesterday: "2027-03-13T07:15:00Z",
    // 02:15 is skipped: 03:15.
    window: "2027-03-14T07:15:00Z",
    schedule: "30 1-3 * * *",
    ran: "2027-03-14T06:30:10Z",
    // 02:30 is skipped: 03:00.
    expected: "2027-03-14T07:00:00Z"
  },
  {
    timezone: "Europe/Berlin",
    from: "2027-03-27T23:00:00Z",
    to: "2027-03-28T22:00:00Z",
    yesterday: "2027-03-27T01:15:00Z",
    window: "2027-03-28T01:15:00Z",
    schedule: "30 1-3 * * *",
    ran: "2027-03-28T00:30:10Z",
    expected: "2027-03-28T01:00:00Z"
  },
  {
    timezone: "Australia/Lord_Howe",
    from: "2027-04-03T13:00:00Z",
    to: "2027-04-04T13:30:00Z",
    yesterday: "2027-04-02T14:45:00Z",
    // 01:45 comes twice, half an hour apart.
    window: "2027-04-03T14:45:00Z",
    schedule: "45 1 * * *",
    ran: "2027-04-03T14:45:10Z",
    repeated: "2027-04-03T15:15:00Z",
    expected: "2027-04-04T15:15:00Z"
  },
  {
    timezone: "America/Santiago",
    from: "2027-04-03T03:00:00Z",
    to: "2027-04-04T04:00:00Z",
    yesterday: "2027-04-03T02:15:00Z",
    // The hour before midnight comes twice.
    window: "2027-04-04T02:15:00Z",
    schedule: "30 0,23 * * *",
    ran: "2027-04-04T02:30:10Z",
    repeated: "2027-04-04T03:30:00Z",
    expected: "2027-04-04T04:30:00Z"
  },
  {
    timezone: "America/Santiago",
    from: "2027-09-05T04:00:00Z",
    to: "2027-09-06T03:00:00Z",
    yesterday: "2027-09-04T04:15:00Z",
    // The first hour of the day is skipped.
    window: "2027-09-05T04:15:00Z",
    schedule: "30 0,23 * * *",
    ran: "2027-09-05T03:30:10Z",
    expected: "2027-09-05T04:00:00Z"
  },
  {
    timezone: "Australia/Lord_Howe",
    from: "2027-10-02T13:30:00Z",
    to: "2027-10-03T13:00:00Z",
    yesterday: "2027-10-01T15:45:00Z",
    // 02:15 is skipped by half an hour: 02:45.
    window: "2027-10-02T15:45:00Z",
    schedule: "15 1-2 * * *",
    ran: "2027-10-02T14:45:10Z",
    expected: "2027-10-02T15:30:00Z"
  },
  {
    timezone: "Europe/Berlin",
    from: "2027-10-30T22:00:00Z",
    to: "2027-10-31T23:00:00Z",
    yesterday: "2027-10-30T00:15:00Z",
    window: "2027-10-31T00:15:00Z",
    schedule: "30 1-3 * * *",
    ran: "2027-10-31T00:30:10Z",
    repeated: "2027-10-31T01:30:00Z",
    expected: "2027-10-31T02:30:00Z"
  },
  {
    timezone: "America/New_York",
    from: "2027-11-07T04:00:00Z",
    to: "2027-11-08T05:00:00Z",
    yesterday: "2027-11-06T05:15:00Z",
    window: "2027-11-07T05:15:00Z",
    schedule: "30 1-3 * * *",
    ran: "2027-11-07T05:30:10Z",
    repeated: "2027-11-07T06:30:00Z",
    // 02:30 comes once.
    expected: "2027-11-07T07:30:00Z"
  }
]

/** Four zones take minutes. */
const isNightly = process.env["KANMON_NIGHTLY"] === "all"
const looked = nights.filter(({ timezone }) => isNightly || timezone === "Europe/Berlin")

/** Seconds that jobs may be late. */
const grace = 60
/** Of a job that misses its deadline a moment after that of another. */
const brief = { interval: 10, grace: 1 }
/** The product is there this long before a deadline: those of an absence are excused. */
const lead = 9 * second

const iso = (at: number): string => new Date(at).toISOString()

/** What happens at an instant. */
interface Moment {
  readonly at: number
  readonly act: Effect.Effect<unknown>
}

/** The moments of a night. */
const momentsOf = (
  night: Night,
  ada: Product.Client,
  signal: (monitor: any) => Effect.Effect<unknown>,
  targetUrl: string
): ReadonlyArray<Moment> => {
  const { schedule, timezone } = night
  const at = (name: "expected" | "from" | "ran" | "to" | "window" | "yesterday"): number => Date.parse(night[name])
  const get = (route: string) => Effect.map(ada.call("GET", route), ({ body }) => body)
  const make = (route: string, body: object) =>
    Effect.map(ada.call("POST", route, body), (made) => {
      assert.strictEqual(made.status, 201, JSON.stringify(made.body))
      return made.body
    })
  let web: any, job: any, witness: any, planned: any

  const plan = Effect.gen(function* () {
    web = yield* make("/monitors", { name: `Web ${timezone}`, type: "http", url: targetUrl, interval: 10 })
    job = yield* make("/monitors", { name: `Job ${timezone}`, type: "heartbeat", schedule, timezone, grace })
    witness = yield* make("/monitors", { name: "Witness", type: "heartbeat", ...brief })
    yield* hasStatus(ada, web.id, "up")
    planned = yield* make("/incidents", {
      title: `Nightly ${timezone} from ${night.from}`,
      message: "A restart.",
      monitorIds: [web.id],
      maintenance: true,
      series: { start: iso(at("yesterday")), end: iso(at("yesterday") + hour) },
      recurrence: "FREQ=DAILY",
      timezone
    })
    assert.deepStrictEqual(
      [planned.scheduledStart, planned.scheduledEnd],
      [iso(at("window")), iso(at("window") + hour)],
      timezone
    )
  })

  const begins = Effect.gen(function* () {
    assert.notStrictEqual((yield* get(`/monitors/${web.id}`)).status, "maintenance")
    yield* hasStatus(ada, web.id, "maintenance")
  })
  const ends = Effect.gen(function* () {
    assert.strictEqual((yield* get(`/monitors/${web.id}`)).status, "maintenance")
    yield* hasStatus(ada, web.id, "up")
    const { body } = yield* Product.eventually(
      ada.call("GET", "/incidents?limit=100"),
      (answer) => JSON.stringify(answer.body).split(planned.title).length === 3
    )
    const next = (body.data ?? body).find(({ id, title }: any) => title === planned.title && id !== planned.id)
    // Two days later it is the usual time of the new offset.
    assert.strictEqual(next.scheduledStart, iso(Date.parse(night.yesterday) + (at("to") - at("from")) + 24 * hour))
  })

  const isNotExpected = Effect.gen(function* () {
    yield* signal(witness)
    yield* hasStatus(ada, witness.id, "down")
    assert.strictEqual((yield* get(`/monitors/${job.id}`)).status, "up", timezone)
  })
  const isExpected = Effect.gen(function* () {
    yield* hasStatus(ada, job.id, "down")
    const [outage] = yield* get(`/monitors/${job.id}/outages`)
    assert.strictEqual(outage.startedAt, iso(at("expected") + grace * second))
    assert.include(outage.reason.message, night.expected.slice(11, 14))
    yield* ada.call("PATCH", `/monitors/${job.id}`, { paused: true })
  })

  const adds = Effect.gen(function* () {
    const range = `from=${iso(at("from"))}&to=${iso(at("to"))}`
    const uptime = yield* get(`/monitors/${web.id}/uptime?${range}`)
    const seconds = (at("to") - at("from")) / second
    assert.closeTo(uptime.upSeconds + uptime.downSeconds + uptime.excludedSeconds, seconds, 0.01)
    assert.isAbove(uptime.upSeconds, 0)
    assert.strictEqual(uptime.uptime, 100)
    const maintained = uptime.intervals.filter(({ status }: any) => status === "maintenance")
    assert.deepStrictEqual(
      maintained.map(({ from, to }: any) => [from, to]),
      [[iso(at("window")), iso(at("window") + hour)]]
    )
    const days: ReadonlyArray<string> = (yield* get(`/monitors/${web.id}/daily-uptime?${range}`)).map(
      ({ date }: any) => date
    )
    assert.includeMembers([night.from.slice(0, 10), night.to.slice(0, 10)], days as Array<string>)
    assert.strictEqual(new Set(days).size, days.length)
    const times: ReadonlyArray<string> = (yield* get(`/monitors/${web.id}/response-times?${range}`)).map(
      ({ timestamp }: any) => timestamp
    )
    assert.deepStrictEqual(times, [...new Set(times)].toSorted())
    yield* ada.call("PATCH", `/monitors/${web.id}`, { paused: true })
  })

  return [
    { at: at("yesterday") + 2 * hour, act: plan },
    { at: at("window") - 2 * second, act: begins },
    { at: at("window") + hour - 2 * second, act: ends },
    { at: at("ran"), act: Effect.suspend(() => Effect.andThen(signal(job), hasStatus(ada, job.id, "up"))) },
    ...(night.repeated === undefined
      ? []
      : [{ at: Date.parse(night.repeated) + grace * second - lead, act: isNotExpected }]),
    { at: at("expected") + grace * second - lead, act: isExpected },
    { at: Math.max(at("to"), at("expected")) + hour, act: adds }
  ]
}

describe.skipIf(MachineClock.skipped)(`the nights in which the clocks change${MachineClock.note}`, () => {
  it.live("have the maintenance windows, deadlines and lengths that the guide promises", () =>
    Effect.gen(function* () {
      const clock = yield* MachineClock.make(Date.parse(looked[0]!.yesterday))
      const target = yield* WebTarget.make
      const product = yield* Product.make({ ownDatabase: true, withoutNats: true, env: clock.env })
      yield* product.healthy
      const ada = yield* product.signUp
      const signal = ({ heartbeatUrl }: any) =>
        Effect.map(product.call("POST", heartbeatUrl), ({ status }) => assert.strictEqual(status, 200))
      const moments = looked.flatMap((night) => momentsOf(night, ada, signal, `http://127.0.0.1:${target.port}/`))
      for (const { act, at } of moments.toSorted((one, other) => one.at - other.at)) {
        yield* clock.set(at)
        yield* act
      }
    }).pipe(Effect.scoped)
  )
})
