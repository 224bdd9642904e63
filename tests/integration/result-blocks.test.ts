/** Results of closed hours and days in blocks on a real PostgreSQL: every answer stays as it was when they were rows. */
import { assert, layer } from "@effect/vitest"
import { checkIdOf } from "@kanmon/domain/CheckId"
import type { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import type { Observation } from "@kanmon/domain/Observation"
import { phase, slotStart } from "@kanmon/domain/Slots"
import { dayMillis } from "@kanmon/domain/Timestamp"
import { Evaluation } from "@kanmon/monitoring/evaluation"
import { History } from "@kanmon/monitoring/testing/evaluation/History.ts"
import { ResultMoving } from "@kanmon/monitoring/testing/evaluation/ResultMoving.ts"
import { ResultMovingRepository } from "@kanmon/monitoring/testing/evaluation/ResultMovingRepository.ts"
import { CheckLog } from "@kanmon/monitoring/testing/logs/CheckLog.ts"
import { MonitorPast } from "@kanmon/monitoring/testing/logs/MonitorPast.ts"
import { ResponsePhases } from "@kanmon/monitoring/testing/logs/ResponsePhases.ts"
import { Monitors } from "@kanmon/monitoring/testing/monitors/Monitors.ts"
import { PastRepository } from "@kanmon/monitoring/testing/overview/PastRepository.ts"
import { Retention } from "@kanmon/monitoring/testing/retention/Retention.ts"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import { at, environment, minute, noon, stage } from "../support/Stage.ts"

const hour = 60 * minute
const today = noon - 12 * hour
/** Three days of results end here. */
const now = today + 9 * hour
const begin = today - 2 * dayMillis

const certificate = { subject: "shop.example", issuer: "R3", names: ["shop.example", "münchen 🦉"] }
const millis = fc.oneof(
  fc.integer({ min: 0, max: 900_000 }).map((hundredths) => hundredths / 100),
  fc.constantFrom(0, 0.001, 1 / 3, 31_622_400_000)
)
/** What a check found; most find that all is well. */
const finding = fc.record({
  status: fc.constantFrom("up", "up", "up", "up", "degraded", "down", "unknown"),
  responseTime: fc.option(millis, { freq: 8 }),
  timing: fc.option(
    fc.record({ dns: millis, connect: millis, tls: millis, firstByte: millis, download: millis }, { requiredKeys: [] }),
    { freq: 8 }
  ),
  message: fc
    .string({ unit: "grapheme", maxLength: 20 })
    .filter((text) => !text.includes("\u0000") && text.isWellFormed()),
  facts: fc.constantFrom(
    null,
    { statusCode: 200 },
    { statusCode: "odd" },
    { statusCode: 301, certificate, list: [1, null] }
  ),
  waits: fc.integer({ min: -20, max: 2000 }),
  /** How many slots later the next check is. */
  step: fc.constantFrom(1, 1, 1, 1, 2, 40),
  retry: fc.boolean()
})
type Finding = typeof finding extends fc.Arbitrary<infer A> ? A : never
/** The interval in seconds and what is found, in each region. */
const history = fc.record({
  interval: fc.constantFrom(300, 600, 900),
  later: fc.constantFrom(60, 100),
  findings: fc.array(finding, { minLength: 30, maxLength: 60 })
})

interface Row {
  readonly region: string
  readonly scheduledAt: number
  readonly slot: number
  readonly finding: Finding
}

/** The rows of a region: the findings again and again, from the beginning until now, the interval changed on the way. */
const rowsOf = (
  id: string,
  region: string,
  { findings, interval, later }: typeof history extends fc.Arbitrary<infer A> ? A : never
) => {
  const rows: Array<Row> = []
  let from = begin
  for (const [seconds, until] of [
    [interval, begin + 1.4 * dayMillis],
    [later, now]
  ] as const) {
    const width = seconds * 1000
    let slot = Math.ceil((from - phase(id, width)) / width)
    for (let index = 0; slotStart(slot, phase(id, width), width) < until; index++) {
      const found = findings[index % findings.length]!
      const scheduledAt = slotStart(slot, phase(id, width), width)
      rows.push({ region, scheduledAt, slot, finding: found })
      if (found.retry) rows.push({ region, scheduledAt: scheduledAt + 20_000, slot, finding: found })
      slot += found.step
    }
    from = until
  }
  return rows
}

const capture = {
  finalUrl: "https://shop.example/",
  statusLine: null,
  headers: [],
  body: null,
  bodyTruncated: false,
  remoteAddress: null
}

const insert = (id: string, rows: ReadonlyArray<Row>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const stored = rows.map(
      ({ finding: { facts, message, responseTime, status, timing, waits }, region, scheduledAt, slot }) => ({
        region,
        slot,
        scheduled_at: new Date(scheduledAt).toISOString(),
        checked_at: new Date(scheduledAt + waits).toISOString(),
        status,
        response_time: responseTime,
        timing: timing === null || Object.keys(timing).length === 0 ? null : timing,
        failure: status === "up" ? null : { code: "odd", message },
        facts
      })
    )
    yield* sql`INSERT INTO observations
        (monitor_id, region, scheduled_at, slot, checked_at, status, response_time, timing, failure, facts)
      SELECT ${id}, region, scheduled_at, slot, checked_at, status, response_time, timing, failure, facts
      FROM json_to_recordset(${JSON.stringify(stored)}::json) AS v(region text, scheduled_at timestamptz, slot bigint,
        checked_at timestamptz, status text, response_time double precision, timing jsonb, failure jsonb, facts jsonb)`
    yield* sql`INSERT INTO captures (monitor_id, region, scheduled_at, captured_at, id, content)
      SELECT o.monitor_id, o.region, o.scheduled_at, o.checked_at, 'cap_' || md5(o.monitor_id || o.region || o.scheduled_at), ${JSON.stringify(capture)}::text::jsonb
      FROM observations o WHERE o.monitor_id = ${id} AND o.status = 'down' AND o.slot % 5 = 0`
    yield* sql`INSERT INTO status_changes (monitor_id, at, status, recorded_at)
      SELECT ${id}, ${new Date(begin)}::timestamptz + n * interval '331 minutes',
        CASE n % 3 WHEN 0 THEN 'up' WHEN 1 THEN 'down' ELSE 'degraded' END,
        ${new Date(begin)}::timestamptz + n * interval '331 minutes' FROM generate_series(0, 10) n`
  })

/** As the state of a monitor has it that was shown a certificate. */
const regions = {
  "eu-west": {
    scheduledAt: today - 9 * hour,
    checkedAt: today - 9 * hour,
    status: "up",
    streak: 0,
    unwell: 0,
    failingSince: null,
    responseTime: 5,
    failure: null,
    certificate: { fingerprint: "ab", stage: "good", validTo: null, problem: null }
  }
}

/** A monitor with a random past in two regions. */
const monitorWith = (seed: number) =>
  Effect.gen(function* () {
    const { monitor, project } = yield* stage({ channels: 0 })
    const sql = yield* SqlClient.SqlClient
    const rows = fc
      .sample(history, { numRuns: 2, seed })
      .flatMap((past, index) => rowsOf(monitor.id, index === 0 ? "eu-west" : "us-east", past))
    yield* insert(monitor.id, rows)
    yield* sql`UPDATE monitor_states SET last_checked_at = ${new Date(today - 9 * hour)},
      state = jsonb_set(state, '{regions}', ${JSON.stringify(regions)}::text::jsonb) WHERE monitor_id = ${monitor.id}`
    return { monitor, project, rows }
  })

/** Moves all until now, also hours of which others were moved before. */
const moveAll = Effect.gen(function* () {
  const { move } = yield* ResultMoving
  yield* move.pipe(at(now - hour))
  yield* move.pipe(at(now))
})

/** Fills the rollups from the oldest row on. */
const fillAll = Effect.gen(function* () {
  yield* (yield* SqlClient.SqlClient)`DELETE FROM rollup_progress`
  yield* fill
})

const fill = Effect.gen(function* () {
  const retention = yield* Retention
  for (let round = 0; round < 5; round++) yield* retention.rollups.pipe(at(now))
})

const count = (table: string, id: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ n: number }>`SELECT count(*)::integer AS n FROM ${sql(table)} WHERE monitor_id = ${id}`,
      ([found]) => found!.n
    )
  )

/** Where the results of a monitor are that were due in `[from, to)`, and how many blocks are to be written again. */
const held = (id: string, from: number, to: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{
        rows: number
        moved: number
        open: number
      }>`SELECT (SELECT count(*) FROM observations WHERE monitor_id = ${id} AND scheduled_at >= ${new Date(from)}
          AND scheduled_at < ${new Date(to)})::integer AS rows,
        (SELECT COALESCE(sum(results), 0) FROM result_blocks WHERE monitor_id = ${id} AND first_at >= ${new Date(from)}
          AND first_at < ${new Date(to)})::integer AS moved,
        (SELECT count(*) FROM result_blocks WHERE open AND monitor_id = ${id} AND first_at >= ${new Date(from)}
          AND first_at < ${new Date(to)})::integer AS open`,
      ([found]) => found!
    )
  )

const dueIn = (rows: ReadonlyArray<Row>, from: number, to: number): number =>
  rows.filter(({ scheduledAt }) => scheduledAt >= from && scheduledAt < to).length

/** Every answer that comes from results. */
const answers = (projectId: ProjectId, id: MonitorId, rows: ReadonlyArray<Row>) =>
  Effect.gen(function* () {
    const log = yield* CheckLog
    const pasts = yield* MonitorPast
    const phases = yield* ResponsePhases
    const known = yield* History
    const then = yield* PastRepository
    const found: Record<string, unknown> = {}
    const windows = [
      [begin - dayMillis, now],
      [begin + 5 * hour + 17, begin + 30 * hour],
      [today - 3 * hour, now],
      [begin + dayMillis, begin + 2 * dayMillis]
    ] as const
    for (const [from, to] of windows)
      for (const [region, status] of [
        [undefined, undefined],
        ["eu-west", undefined],
        [undefined, "down"],
        ["us-east", "up"],
        [undefined, "unknown"]
      ] as const) {
        const pages: Array<unknown> = []
        let after: { readonly scheduledAt: number; readonly region: string } | undefined
        for (const limit of [7, 90, 300, 5000]) {
          const { items, last } = yield* log.list(projectId, id, { from, to, region, status, after, limit })
          pages.push(items)
          after = last
          if (last === undefined) break
        }
        found[`list ${from} ${region} ${status}`] = pages
      }
    for (const [from, to] of windows) {
      for (const limit of [5, 48, 300, 5000])
        found[`times ${from} ${limit}`] = yield* known.responseTimes(projectId, id, from, to, limit)
      found[`outages ${from}`] = yield* pasts.outages(projectId, id, { from, to, limit: 100 })
      for (const region of [undefined, "us-east"])
        found[`phases ${from} ${region}`] = yield* phases.read(projectId, id, from, to, region)
    }
    for (const row of rows.filter((_, index) => index % 37 === 0)) {
      const checkId = checkIdOf({ ...row, monitorId: id })
      found[`check ${checkId}`] = yield* log.get(projectId, id, checkId).pipe(Effect.orElseSucceed(() => "none"))
    }
    found["stats"] = yield* known.stats(projectId, id)
    found["days"] = yield* known.dailyUptime(projectId, id, begin, now)
    found["certificate"] = [...(yield* known.certificates([id]))]
    for (const instant of [begin + hour, begin + dayMillis, begin + dayMillis + 7 * minute, today - 3 * hour, now])
      found[`past ${instant}`] = yield* then.results([id], instant)
    return JSON.parse(JSON.stringify(found)) as Record<string, unknown>
  }).pipe(at(now))

/** The answer, with the other one's means: sums of floating point depend on their order, which PostgreSQL does not promise. */
const alike = (answer: unknown, other: unknown): unknown => {
  if (typeof answer === "number" && typeof other === "number" && Math.abs(answer - other) < 0.011) return other
  if (typeof answer !== "object" || answer === null || typeof other !== "object" || other === null) return answer
  if (Array.isArray(answer)) return answer.map((one, index) => alike(one, (other as ReadonlyArray<unknown>)[index]))
  return Object.fromEntries(
    Object.entries(answer).map(([key, one]) => [key, alike(one, (other as Readonly<Record<string, unknown>>)[key])])
  )
}

const services = Layer.mergeAll(
  CheckLog.layer,
  MonitorPast.layer,
  ResponsePhases.layer,
  PastRepository.layer,
  ResultMovingRepository.layer
).pipe(Layer.provideMerge(environment))

layer(services, { excludeTestServices: true, timeout: "5 minutes" })("results in blocks", (it) => {
  it.effect("are answered as they were when they were rows", () =>
    Effect.gen(function* () {
      const { move } = yield* ResultMoving
      for (const seed of [1, 2, 3]) {
        const { monitor, project, rows } = yield* monitorWith(seed)
        yield* fillAll
        const before = yield* answers(project.id, monitor.id, rows)
        assert.isAbove(JSON.stringify(before).length, 100_000)
        // A day, hours of the next one, and that day with hours of the present one.
        for (const instant of [begin + dayMillis + 3 * hour, today - 3 * hour, now]) {
          assert.isAbove(yield* move.pipe(at(instant)), 0)
          const after = yield* answers(project.id, monitor.id, rows)
          for (const [what, answer] of Object.entries(before))
            assert.deepStrictEqual(alike(after[what], answer), answer, what)
        }
        const past = dueIn(rows, begin, today)
        assert.deepStrictEqual(yield* held(monitor.id, begin, today), { rows: 0, moved: past, open: 0 })
        const present = yield* held(monitor.id, today, now)
        assert.strictEqual(present.rows + present.moved, rows.length - past)
        assert.isAbove(present.open, 0)
      }
    })
  )

  it.effect("are known when they arrive again, and take in those that arrive late", () =>
    Effect.gen(function* () {
      const { move } = yield* ResultMoving
      const evaluation = yield* Evaluation
      const retention = yield* Retention
      const sql = yield* SqlClient.SqlClient
      const { monitor, project, rows } = yield* monitorWith(4)
      yield* fillAll
      yield* moveAll
      const row = rows.find(({ region, scheduledAt }) => region === "eu-west" && scheduledAt > begin + 30 * hour)!
      const again: Observation = {
        monitorId: monitor.id,
        projectId: monitor.projectId,
        region: row.region,
        slot: row.slot,
        scheduledAt: row.scheduledAt,
        checkedAt: row.scheduledAt,
        status: "up",
        responseTime: 5,
        timing: {},
        failure: null,
        facts: {}
      }
      const late = { ...again, scheduledAt: row.scheduledAt + 1000, checkedAt: row.scheduledAt + 1000 }
      const { fresh, repeated } = yield* evaluation.evaluate([again, late]).pipe(at(now))
      assert.deepStrictEqual([fresh, repeated], [1, 1])
      const withLate = [...rows, { ...row, scheduledAt: late.scheduledAt }]
      // Not before the rollups have counted it.
      assert.strictEqual(yield* move.pipe(at(now)), 0)
      yield* fill
      const hours = sql`SELECT sum(checks)::integer AS n, sum(response_time_count)::integer AS m FROM rollup_hour
        WHERE monitor_id = ${monitor.id} AND hour < ${new Date(today)}`
      const past = withLate.filter(({ scheduledAt }) => scheduledAt < today)
      assert.deepStrictEqual(
        [...(yield* hours)],
        [
          {
            n: past.length,
            m:
              past.filter(({ finding }) => finding.responseTime !== null).length +
              (row.finding.responseTime === null ? 1 : 0)
          }
        ]
      )
      const before = yield* answers(project.id, monitor.id, withLate)
      assert.strictEqual(yield* move.pipe(at(now)), 1)
      assert.deepStrictEqual(alike(yield* answers(project.id, monitor.id, withLate), before), before)
      assert.deepStrictEqual(yield* held(monitor.id, begin, today), { rows: 0, moved: past.length, open: 0 })
      assert.strictEqual((yield* evaluation.evaluate([again, late]).pipe(at(now))).repeated, 2)
      yield* retention.partitions(1).pipe(at(now))
      assert.strictEqual((yield* held(monitor.id, 0, begin + dayMillis)).moved, 0)
      const second = dueIn(withLate, begin + dayMillis, today)
      assert.strictEqual((yield* held(monitor.id, begin + dayMillis, today)).moved, second)
      yield* retention.partitions(1).pipe(at(now + 2 * dayMillis))
      assert.strictEqual(yield* count("result_blocks", monitor.id), 0)
    })
  )

  it.effect("leave no partition of their days behind", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const retention = yield* Retention
      const { move } = yield* ResultMoving
      yield* retention.partitions(90).pipe(at(begin))
      const { monitor, project, rows } = yield* monitorWith(6)
      yield* fillAll
      yield* move.pipe(at(now))
      // The next hourly run does not make them again.
      yield* retention.partitions(90).pipe(at(now))
      const names = sql<{
        name: string
      }>`SELECT relid::regclass::text AS name FROM pg_partition_tree('observations') WHERE isleaf`
      const left = (yield* names).map(({ name }) => name)
      const nameOf = (day: number) => `observations_${new Date(day).toISOString().slice(0, 10).replaceAll("-", "")}`
      assert.notInclude(left, nameOf(begin))
      assert.notInclude(left, nameOf(begin + dayMillis))
      assert.include(left, nameOf(today))
      const { items } = yield* (yield* CheckLog)
        .list(project.id, monitor.id, { from: begin, to: now, limit: 10_000 })
        .pipe(at(now))
      assert.strictEqual(items.length, rows.length)
    })
  )

  it.effect("move once when two engines move them, and go with their monitor", () =>
    Effect.gen(function* () {
      const { move } = yield* ResultMoving
      const { monitor, project, rows } = yield* monitorWith(5)
      yield* fillAll
      yield* Effect.all([move.pipe(at(now)), move.pipe(at(now))], { concurrency: 2 })
      yield* move.pipe(at(now))
      const past = dueIn(rows, begin, today)
      assert.deepStrictEqual(yield* held(monitor.id, begin, today), { rows: 0, moved: past, open: 0 })
      const { items } = yield* (yield* CheckLog)
        .list(project.id, monitor.id, { from: begin, to: now, limit: 10_000 })
        .pipe(at(now))
      assert.strictEqual(items.length, rows.length)
      yield* (yield* Monitors).remove(project.id, monitor.id)
      assert.strictEqual(yield* count("result_blocks", monitor.id), 0)
    })
  )

  it.effect("stay readable when the end of a day that takes several blocks is deleted", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { move } = yield* ResultMoving
      const { monitor, project } = yield* stage({ channels: 0 })
      yield* sql`INSERT INTO observations (monitor_id, region, scheduled_at, slot, checked_at, status)
        SELECT ${monitor.id}, 'eu-west', at, n, at, 'up' FROM (
          SELECT n, ${new Date(begin)}::timestamptz + n * interval '4 seconds' AS at FROM generate_series(0, 20100) n) v`
      yield* fillAll
      assert.strictEqual(yield* move.pipe(at(now)), 20_101)
      const latest = begin + 20_050 * 4000
      yield* (yield* ResultMovingRepository).deleteAfter([monitor.id], latest)
      assert.deepStrictEqual(yield* held(monitor.id, begin, today), { rows: 0, moved: 20_051, open: 0 })
      const { items } = yield* (yield* CheckLog)
        .list(project.id, monitor.id, { from: begin, to: now, limit: 30_000 })
        .pipe(at(now))
      assert.strictEqual(items.length, 20_051)
    })
  )
})
