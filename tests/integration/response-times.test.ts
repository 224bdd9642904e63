/** Response times over windows of any length on a real PostgreSQL. */
import { assert, layer } from "@effect/vitest"
import { AuthRecords } from "@kanmon/identity/accounts"
import { UserId } from "@kanmon/domain/Ids"
import { dayMillis } from "@kanmon/domain/Timestamp"
import { Projects } from "@kanmon/identity/testing/projects/Projects.ts"
import { History } from "@kanmon/monitoring/testing/evaluation/History.ts"
import { Monitors } from "@kanmon/monitoring/testing/monitors/Monitors.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as TestDatabase from "../support/TestDatabase.ts"

const hour = 3_600_000
const begin = Date.UTC(2026, 10, 1)
const limit = 2000
let people = 0

/** A monitor without a past. */
const monitor = Effect.gen(function* () {
  const records = yield* AuthRecords
  const id = UserId.make(`usr_times${++people}`)
  const at = new Date(begin)
  const user = { id, name: "Ada", email: `${id}@example.org`, emailVerified: false, createdAt: at, updatedAt: at }
  yield* records.create("user", user)
  const [project] = yield* (yield* Projects).ofMember(id)
  const made = yield* (yield* Monitors).create(project!.id, {
    key: null,
    name: "Shop",
    type: "http",
    interval: 60,
    timeout: 30,
    regions: [],
    paused: false,
    passive: false,
    config: { url: "https://shop.example/" }
  })
  const history = yield* History
  return {
    id: made.id,
    between: (from: number, to: number, most = limit) => history.responseTimes(project!.id, made.id, from, to, most)
  }
})

/** Results of a monitor at each of these seconds since the beginning; the response time is the number of the second. */
const observe = (id: string, first: number, last: number, every: number, region = "eu-west") =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`INSERT INTO observations (monitor_id, region, scheduled_at, slot, checked_at, status, response_time)
      SELECT ${id}, ${region}, ${new Date(begin)}::timestamptz + make_interval(secs => s), s,
        ${new Date(begin)}::timestamptz + make_interval(secs => s), 'up', s
      FROM generate_series(${first}::integer, ${last}::integer, ${every}::integer) AS s`
  )

/** Rolled up hours of a monitor, each with so many results of this mean. */
const rollUp = (id: string, hours: ReadonlyArray<readonly [hour: number, count: number, mean: number]>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    for (const [at, count, mean] of hours)
      yield* sql`INSERT INTO rollup_hour (monitor_id, region, hour, checks, response_time_count, response_time_sum)
        VALUES (${id}, 'eu-west', ${new Date(begin + at * hour)}, ${count}, ${count}, ${count * mean})`
  })

const closedUntil = (at: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`INSERT INTO rollup_progress (name, closed_until) VALUES ('hour', ${new Date(at)})
      ON CONFLICT (name) DO UPDATE SET closed_until = EXCLUDED.closed_until`
  )

layer(TestDatabase.store, { timeout: "2 minutes", excludeTestServices: true })("response times", (it) => {
  it.effect("returns raw values if they fit, with both ends of the window", () =>
    Effect.gen(function* () {
      const { between, id } = yield* monitor
      yield* observe(id, 0, 600, 60)
      const points = yield* between(begin, begin + 600_001)
      assert.deepStrictEqual(
        points.map(({ responseTime }) => responseTime),
        [0, 60, 120, 180, 240, 300, 360, 420, 480, 540, 600]
      )
      assert.deepStrictEqual(yield* between(begin + 60_000, begin + 60_001), points.slice(1, 2))
    })
  )

  it.effect.each([
    ["the hours that have some, in a window of a year", 365 * dayMillis],
    ["the hours that have some, in a window of a month", 31 * dayMillis],
    ["a window that has just as many hours", 8 * hour]
  ] as const)("are as many as a chart can show where they follow %s", ([, window]) =>
    Effect.gen(function* () {
      const { between, id } = yield* monitor
      yield* observe(id, 0, 8 * 3600 - 1, 10)
      yield* observe(id, 0, 4 * 3600 - 1, 10, "us-east")
      const points = yield* between(begin, begin + window)
      const europe = points.filter(({ region }) => region === "eu-west")
      assert.isAtMost(europe.length, limit)
      assert.isAtLeast(europe.length, 500)
      assert.isAtLeast(points.length - europe.length, 250)
      for (const { timestamp } of points) assert.isTrue(timestamp >= begin && timestamp < begin + 8 * hour)
      const mean = europe.reduce((sum, { responseTime }) => sum + responseTime, 0) / europe.length
      assert.closeTo(mean, 4 * 3600, 10)
    })
  )

  it.effect("keeps its buckets when the window moves, and none starts before it", () =>
    Effect.gen(function* () {
      const { between, id } = yield* monitor
      yield* observe(id, 0, 24 * 3600 - 1, 30)
      const first = yield* between(begin + 1000, begin + dayMillis)
      assert.strictEqual(first[0]!.timestamp, begin + 1000)
      const later = yield* between(begin + hour + 1000, begin + dayMillis)
      const known = new Set(first.map((point) => JSON.stringify(point)))
      for (const point of later.slice(1)) assert.isTrue(known.has(JSON.stringify(point)), JSON.stringify(point))
    })
  )

  it.effect("uses rollups where no raw values are left, weighted by their number of results", () =>
    Effect.gen(function* () {
      const { between, id } = yield* monitor
      yield* closedUntil(begin + 400 * dayMillis)
      yield* rollUp(id, [
        [0, 90, 10],
        [1, 10, 110],
        [5, 60, 30]
      ])
      assert.deepStrictEqual(
        (yield* between(begin, begin + dayMillis)).map(({ responseTime }) => responseTime),
        [10, 110, 30]
      )
      assert.deepStrictEqual(
        (yield* between(begin, begin + dayMillis, 3)).map(({ responseTime }) => responseTime),
        [10, 110, 30],
        "hours are only joined where they are too many"
      )
      assert.deepStrictEqual(yield* between(begin, begin + dayMillis, 2), [
        { timestamp: begin, responseTime: 20, region: "eu-west" },
        { timestamp: begin + 4 * hour, responseTime: 30, region: "eu-west" }
      ])
      assert.deepStrictEqual(yield* between(begin, begin + 1), [], "an hour's mean is not that of an instant")
    })
  )

  it.effect("joins rollups with raw values", () =>
    Effect.gen(function* () {
      const { between, id } = yield* monitor
      yield* closedUntil(begin + 30 * hour)
      yield* rollUp(id, [
        [1, 60, 7],
        [29, 60, 9]
      ])
      // Hours 29 and 30, of which the first has been rolled up.
      yield* observe(id, 29 * 3600, 31 * 3600 - 1, 60)
      const points = yield* between(begin, begin + 2 * dayMillis)
      assert.deepStrictEqual(
        points.map(({ responseTime, timestamp }) => [(timestamp - begin) / hour, responseTime]),
        [
          [1, 7],
          [29, 9],
          [30, 30 * 3600 + 29.5 * 60]
        ]
      )
    })
  )

  it.effect("limits the number of values in the widest window", () =>
    Effect.gen(function* () {
      const { between, id } = yield* monitor
      yield* closedUntil(begin + 400 * dayMillis)
      yield* rollUp(
        id,
        Array.from({ length: 2400 }, (_, index) => [index * 4, 1, 1] as const)
      )
      const points = yield* between(begin, begin + 400 * dayMillis)
      assert.isAtMost(points.length, limit)
      assert.isAtLeast(points.length, 500)
    })
  )
})
