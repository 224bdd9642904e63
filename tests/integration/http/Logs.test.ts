/** Logs over HTTP: checks with their answers, outages, and what the uptime is made of. */
import { assert, layer } from "@effect/vitest"
import type { Capture } from "@kanmon/domain/Capture"
import { maxOfOutage } from "@kanmon/domain/Capture"
import { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import type { Observation } from "@kanmon/domain/Observation"
import { reason } from "@kanmon/domain/Reason"
import { relativeError } from "@kanmon/domain/Sketch"
import { phase, slotOf, slotStart } from "@kanmon/domain/Slots"
import { dayMillis, toIso, utcDay } from "@kanmon/domain/Timestamp"
import { bundled } from "../../../apps/server/src/plugins.gen.ts"
import { Catalogue } from "@kanmon/core/PluginHost"
import { Evaluation, Partitions, Timings } from "@kanmon/monitoring/evaluation"
import * as Alerts from "@kanmon/monitoring/alerts"
import { Retention } from "@kanmon/monitoring/testing/retention/Retention.ts"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { layer as server, person, publicUrl, refused, shop } from "./Server.ts"

const minute = 60_000
const live = { excludeTestServices: true } as const
const evaluation = Evaluation.layer.pipe(
  Layer.provide(Alerts.Alerts.layer(publicUrl)),
  Layer.provide(Catalogue.layer(bundled)),
  Layer.provideMerge(server())
)

const capture = (body: string): Capture => ({
  finalUrl: "https://shop.example/",
  statusLine: "503 Service Unavailable",
  headers: [{ name: "content-type", value: "text/html" }],
  body,
  bodyTruncated: false,
  remoteAddress: "203.0.113.7"
})

/** A monitor that was created two hours ago, and what feeds it. */
const watched = Effect.gen(function* () {
  const ada = yield* person
  const { body: made } = yield* ada.withKey("POST", "/monitors", shop)
  const sql = yield* SqlClient.SqlClient
  const evaluation = yield* Evaluation
  const monitorId = MonitorId.make(made.id)
  const own = phase(monitorId, minute)
  const slot = slotOf(Date.now(), own, minute)
  const begin = slotStart(slot - 120, own, minute)
  // The evaluation never dates anything before the creation.
  yield* sql`UPDATE status_changes SET at = ${new Date(begin)} WHERE monitor_id = ${monitorId}`
  yield* sql`UPDATE monitor_states SET state = state || ${JSON.stringify({ since: begin, judgedAt: begin })}::jsonb
    WHERE monitor_id = ${monitorId}`
  const observe = (at: number, status: Observation["status"], more: Partial<Observation> = {}) =>
    evaluation.evaluate([
      {
        monitorId,
        projectId: ProjectId.make(ada.projectId),
        region: "eu-west",
        slot: slot - 120 + at,
        scheduledAt: begin + at * minute,
        checkedAt: begin + at * minute + 14,
        status,
        responseTime: 20,
        timing: { connect: 5, firstByte: 10 },
        failure: status === "down" ? { code: "status_mismatch", message: "shop.example answered 503" } : null,
        facts: status === "down" ? { statusCode: 503 } : { statusCode: 200 },
        ...more
      }
    ])
  const read = (route: string) => ada.withKey("GET", `/monitors/${monitorId}${route}`)
  return { ada, begin, monitorId, observe, read, slot: slot - 120 }
})

layer(evaluation, { ...live, timeout: "2 minutes" })("the check log", (it) => {
  it.effect("lists every result, newest first, page by page", () =>
    Effect.gen(function* () {
      const { begin, monitorId, observe, read, slot } = yield* watched
      for (const region of ["eu-west", "us-east"])
        for (const at of [0, 1, 2, 3]) yield* observe(at, at === 2 ? "down" : "up", { region })
      yield* observe(1, "up", { scheduledAt: begin + minute + 20_000, checkedAt: begin + minute + 20_000 })

      const { body: all } = yield* read("/checks")
      assert.deepStrictEqual(
        all.map(({ id }: { id: string }) => id.replace(`${monitorId}:`, "")),
        [
          `us-east:${slot + 3}`,
          `eu-west:${slot + 3}`,
          `us-east:${slot + 2}`,
          `eu-west:${slot + 2}`,
          `eu-west:${slot + 1}:${begin + minute + 20_000}`,
          `us-east:${slot + 1}`,
          `eu-west:${slot + 1}`,
          `us-east:${slot}`,
          `eu-west:${slot}`
        ]
      )
      assert.deepStrictEqual(all[3], {
        id: `${monitorId}:eu-west:${slot + 2}`,
        region: "eu-west",
        scheduledAt: toIso(begin + 2 * minute),
        checkedAt: toIso(begin + 2 * minute + 14),
        status: "down",
        responseTime: 20,
        timing: { connect: 5, firstByte: 10 },
        statusCode: 503,
        failure: { code: "status_mismatch", message: "shop.example answered 503" },
        captureId: null
      })

      const pages: Array<unknown> = []
      let route = "/checks?limit=4"
      for (;;) {
        const { body, headers } = yield* read(route)
        pages.push(...body)
        const next = /cursor=([^&>]+)/.exec(headers.get("link") ?? "")?.[1]
        if (next === undefined) break
        route = `/checks?limit=4&cursor=${next}`
      }
      assert.deepStrictEqual(pages, all)

      const ids = (query: string) =>
        Effect.map(read(`/checks?${query}`), ({ body }) => body.map(({ id }: { id: string }) => id))
      assert.deepStrictEqual(yield* ids("status=down&region=us-east"), [`${monitorId}:us-east:${slot + 2}`])
      assert.deepStrictEqual(
        yield* ids(`from=${toIso(begin + 3 * minute)}&to=${toIso(begin + 3 * minute)}&region=eu-west`),
        [`${monitorId}:eu-west:${slot + 3}`]
      )
      // Each id leads to its check.
      for (const each of all) {
        const { body } = yield* read(`/checks/${each.id}`)
        assert.deepInclude(body, each)
      }
    })
  )

  it.effect("says why in a code and parameters, wherever it gives the sentence", () =>
    Effect.gen(function* () {
      const { ada, monitorId, observe, read } = yield* watched
      const words = reason("status_mismatch", { host: "shop.example", status: 503, expected: "200-299" })
      const failure = { code: "status_mismatch", ...words }
      const rule = { name: "Down", trigger: "monitor_down", monitorIds: [monitorId] }
      assert.strictEqual((yield* ada.withKey("POST", "/alert-rules", rule)).status, 201)
      for (const region of ["eu-west", "us-east"]) {
        yield* observe(0, "up", { region })
        yield* observe(1, "down", { region, failure })
      }
      assert.deepStrictEqual((yield* read("/checks?status=down")).body[0].failure, failure)
      assert.deepStrictEqual((yield* read("/outages")).body[0].reason, failure)
      assert.deepInclude((yield* read("")).body.lastFailure, failure)
      const { body: all } = yield* ada.withKey("GET", "/monitors/summaries")
      assert.deepStrictEqual(all.failures, [{ monitor: 0, ...words }])
      const { body: then } = yield* ada.withKey("GET", `/monitors/summaries?at=${toIso(Date.now())}`)
      assert.deepStrictEqual(then.failures, [{ monitor: 0, ...words }])
      const { body: alerts } = yield* ada.withKey("GET", "/alerts")
      assert.deepInclude(alerts[0], { reason: words.message, explanation: words.explanation })
      const sql = yield* SqlClient.SqlClient
      const events = yield* sql<{ readonly failure: unknown }>`
        SELECT (event->>'payload')::jsonb->'failure' AS failure FROM outbox
        WHERE event->>'subject' LIKE ${`%.monitor.${monitorId}.down`}`
      assert.isNotEmpty(events)
      for (const { failure: told } of events) assert.deepStrictEqual(told, failure)

      // What another plugin wrote has no explanation, and is answered without one.
      yield* observe(2, "up", { region: "us-east" })
      yield* observe(2, "up")
      const own = { code: "moon", message: "The moon is in the way" }
      for (const region of ["eu-west", "us-east"]) yield* observe(3, "down", { region, failure: own })
      const { body: later } = yield* ada.withKey("GET", "/monitors/summaries")
      assert.deepStrictEqual(later.failures, [{ monitor: 0, message: own.message }])
      assert.isNull((yield* ada.withKey("GET", "/alerts?state=open")).body[0].explanation)
    })
  )

  it.effect("shows the votes of other regions, and what the target answered", () =>
    Effect.gen(function* () {
      const { begin, monitorId, observe, read, slot } = yield* watched
      yield* observe(0, "up")
      yield* observe(0, "up", { region: "us-east" })
      yield* observe(1, "up", { region: "us-east" })
      yield* observe(1, "down", {
        capture: capture("<h1>no</h1>"),
        facts: { statusCode: 503, certificate: { subject: "shop" } }
      })
      yield* observe(2, "down")

      const { body: first } = yield* read(`/checks/${monitorId}:eu-west:${slot + 1}`)
      assert.deepStrictEqual(first.votes, [
        {
          region: "us-east",
          checkId: `${monitorId}:us-east:${slot + 1}`,
          checkedAt: toIso(begin + minute + 14),
          status: "up",
          responseTime: 20,
          failure: null
        }
      ])
      assert.match(first.captureId, /^cap_[0-9a-f]{32}$/)
      const shown = {
        id: first.captureId,
        checkId: first.id,
        capturedAt: toIso(begin + minute + 14),
        ...capture("<h1>no</h1>"),
        certificate: { subject: "shop" }
      }
      assert.deepStrictEqual(first.capture, shown)
      const { body: second } = yield* read(`/checks/${monitorId}:eu-west:${slot + 2}`)
      assert.isNull(second.captureId)
      assert.deepStrictEqual(second.capture, shown, "it failed alike")

      yield* observe(3, "up")
      yield* observe(4, "down")
      assert.isNull((yield* read(`/checks/${monitorId}:eu-west:${slot + 3}`)).body.capture)
      assert.isNull((yield* read(`/checks/${monitorId}:eu-west:${slot + 4}`)).body.capture, "another outage")
    })
  )

  it.effect("keeps a limited number of answers of one outage, for a limited time", () =>
    Effect.gen(function* () {
      const { begin, monitorId, observe, read } = yield* watched
      const count = Effect.map(
        read("/checks"),
        ({ body }) => body.filter(({ captureId }: { captureId: unknown }) => captureId !== null).length
      )
      yield* observe(0, "up")
      for (let at = 1; at <= maxOfOutage + 5; at++)
        for (const region of ["eu-west", "us-east"])
          yield* observe(at, "down", { region, capture: capture(String(at)) })
      assert.strictEqual(yield* count, maxOfOutage)
      for (const region of ["eu-west", "us-east"]) yield* observe(30, "up", { region })
      yield* observe(31, "down", { capture: capture("again") })
      assert.strictEqual(yield* count, maxOfOutage + 1)

      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE captures SET captured_at = captured_at - interval '30 days'
        WHERE monitor_id = ${monitorId} AND captured_at < ${new Date(begin + 29 * minute)}`
      const { history } = yield* Retention
      yield* history(90)
      assert.strictEqual(yield* count, 1)
      yield* history(0)
      assert.strictEqual(yield* count, 0)
    })
  )

  it.effect("refuses what it does not understand, and shows nothing of others", () =>
    Effect.gen(function* () {
      const { monitorId, observe, read, slot } = yield* watched
      yield* observe(0, "up")
      const cleo = yield* person
      const routes = ["/checks", `/checks/${monitorId}:eu-west:${slot}`, "/outages", "/uptime"]
      for (const route of routes)
        refused(yield* cleo.withKey("GET", `/monitors/${monitorId}${route}`), 404, "not_found")
      for (const id of ["x", "mon_2:eu-west:1", `${monitorId}:eu-west:1`, `${monitorId}:us-east:${slot}`])
        refused(yield* read(`/checks/${id}`), 404, "not_found")
      refused(yield* read("/checks?status=paused"), 400, "malformed_request")
      refused(yield* read("/checks?cursor=x"), 400, "malformed_request", "cursor")
      refused(yield* read("/outages?cursor=x"), 400, "malformed_request", "cursor")
      refused(yield* read("/uptime?from=1999-01-01"), 400, "malformed_request", "from")
      refused(yield* read("/checks?region=%00"), 400, "malformed_request")
    })
  )
})

layer(evaluation, { ...live, timeout: "2 minutes" })("the past of a monitor", (it) => {
  it.effect("lists outages with what belongs to them", () =>
    Effect.gen(function* () {
      const { ada, begin, monitorId, observe, read } = yield* watched
      const { body: rule } = yield* ada.withKey("POST", "/alert-rules", {
        name: "Down",
        monitorIds: [],
        channelIds: [],
        trigger: "monitor_down"
      })
      assert.isString(rule.id)
      const both = (at: number, status: Observation["status"]) =>
        Effect.forEach(["eu-west", "us-east"], (region) => observe(at, status, { region }))
      yield* both(0, "up")
      yield* both(10, "down")
      yield* both(11, "down")
      yield* both(20, "up")
      yield* both(21, "down")
      assert.strictEqual((yield* ada.withKey("POST", `/monitors/${monitorId}/alerts/acknowledge`)).status, 200)
      const { body: incident } = yield* ada.withKey("POST", "/incidents", {
        title: "It is down",
        status: "investigating",
        message: "We look",
        monitorIds: [monitorId]
      })

      const { body } = yield* read("/outages")
      assert.strictEqual(body.length, 2)
      const [now, before] = body
      assert.deepInclude(before, {
        startedAt: toIso(begin + 10 * minute + 14),
        endedAt: toIso(begin + 20 * minute + 14),
        durationSeconds: 600,
        status: "down",
        reason: { code: "status_mismatch", message: "shop.example answered 503" },
        regions: ["eu-west", "us-east"],
        incidentIds: [],
        acknowledgedBy: null
      })
      assert.strictEqual(before.alertIds.length, 1)
      assert.deepInclude(now, { startedAt: toIso(begin + 21 * minute + 14), endedAt: null, incidentIds: [incident.id] })
      assert.strictEqual(now.acknowledgedBy, "the API key Project API key")
      assert.strictEqual(now.alertIds.length, 1)
      assert.notStrictEqual(now.alertIds[0], before.alertIds[0])

      const first = yield* read("/outages?limit=1")
      const cursor = /cursor=([^&>]+)/.exec(first.headers.get("link") ?? "")?.[1]
      assert.deepStrictEqual((yield* read(`/outages?limit=1&cursor=${cursor}`)).body, [before])
      assert.deepStrictEqual((yield* read(`/outages?to=${toIso(begin)}&from=${toIso(begin)}`)).body, [])
    })
  )

  it.effect("says why an outage began that was hidden by maintenance until its window ended", () =>
    Effect.gen(function* () {
      const { begin, monitorId, observe, read } = yield* watched
      const sql = yield* SqlClient.SqlClient
      yield* observe(0, "up")
      yield* observe(5, "down")
      yield* observe(6, "down")
      yield* sql`INSERT INTO maintenance_windows (monitor_id, starts_at, ends_at, settled)
        VALUES (${monitorId}, ${new Date(begin + 2 * minute)}, ${new Date(begin + 10 * minute)}, true)`
      yield* observe(12, "down")
      const { body } = yield* read("/outages")
      assert.strictEqual(body.length, 1)
      assert.deepInclude(body[0], {
        startedAt: toIso(begin + 10 * minute),
        endedAt: null,
        reason: { code: "status_mismatch", message: "shop.example answered 503" },
        regions: ["eu-west"]
      })
    })
  )

  it.effect("says what the uptime is made of", () =>
    Effect.gen(function* () {
      const { begin, observe, read } = yield* watched
      for (const at of [0, 1, 2]) yield* observe(at, "up")
      for (const at of [3, 4]) yield* observe(at, "down")
      for (const at of [5, 6]) yield* observe(at, "up")
      const { body } = yield* read(`/uptime?from=${toIso(begin - minute)}&to=${toIso(begin + 7 * minute - 1)}`)
      assert.deepStrictEqual(
        body.intervals.map(({ counted, from, status, to }: Record<string, string>) => [
          status,
          counted,
          Date.parse(from!) - begin,
          Date.parse(to!) - begin
        ]),
        [
          ["unknown", "excluded", -minute, 0],
          ["up", "up", 14, 3 * minute + 14],
          ["down", "down", 3 * minute + 14, 5 * minute + 14],
          ["up", "up", 5 * minute + 14, 7 * minute]
        ].toSpliced(1, 0, ["pending", "excluded", 0, 14])
      )
      assert.strictEqual(body.downSeconds, 120)
      assert.strictEqual(body.upSeconds, 299.986)
      assert.strictEqual(body.excludedSeconds, 60.014)
      assert.strictEqual(body.uptime, Math.round((299.986 / 419.986) * 1e6) / 1e4)
      const daily = yield* read(`/daily-uptime?from=${toIso(begin - minute)}&to=${toIso(begin + 7 * minute - 1)}`)
      if (daily.body.length === 1) assert.strictEqual(daily.body[0].uptime, body.uptime)
    })
  )
})

layer(evaluation, { ...live, timeout: "2 minutes" })("response times by phase", (it) => {
  it.effect("are near the truth, whether from observations, hours or days", () =>
    Effect.gen(function* () {
      const { monitorId, read } = yield* watched
      const sql = yield* SqlClient.SqlClient
      const timings = yield* Timings
      const hour = 60 * minute
      const today = Math.floor(Date.now() / dayMillis) * dayMillis
      const values: Array<{ readonly at: number; readonly time: number; readonly dns: number }> = []
      for (let at = today - 2 * dayMillis; at < Date.now(); at += 10 * minute) {
        const index = values.length
        values.push({ at, time: 20 + ((index * 37) % 400), dns: 0.5 + ((index * 13) % 7) })
      }
      yield* sql`INSERT INTO observations
          (monitor_id, region, scheduled_at, slot, checked_at, status, response_time, timing)
        SELECT ${monitorId}, CASE WHEN place % 2 = 0 THEN 'eu-west' ELSE 'us-east' END, at, place, at, 'up', time,
          jsonb_build_object('dns', dns)
        FROM unnest(${values.map(({ at }) => toIso(at))}::text[]::timestamptz[],
          ${values.map(({ time }) => time)}::double precision[], ${values.map(({ dns }) => dns)}::double precision[])
          WITH ORDINALITY AS v(at, time, dns, place)`
      const near = (quantiles: any, given: ReadonlyArray<number>) => {
        const sorted = given.toSorted((one, other) => one - other)
        assert.strictEqual(quantiles.checks, sorted.length)
        for (const [name, share] of [
          ["p50", 0.5],
          ["p95", 0.95]
        ] as const) {
          const truth = sorted[Math.ceil(share * sorted.length) - 1]!
          assert.isAtMost(Math.abs(quantiles[name] - truth) / truth, relativeError + 0.01, name)
        }
      }
      const recent = values.filter(({ at }) => at >= Math.floor(Date.now() / hour) * hour - hour)
      const { body: open } = yield* read(`/response-phases?from=${toIso(Math.floor(Date.now() / hour) * hour - hour)}`)
      near(
        open.overall.responseTime,
        recent.map(({ time }) => time)
      )
      assert.isNull(open.overall.tls)

      const filled = [yield* timings.fill, yield* timings.fill, yield* timings.fill]
      assert.isAtLeast(
        filled.reduce((sum, { hours }) => sum + hours, 0),
        47
      )
      assert.strictEqual(
        filled.reduce((sum, { days }) => sum + days, 0),
        2
      )
      const check = Effect.gen(function* () {
        const { body: hours } = yield* read(`/response-phases?from=${toIso(today - 2 * dayMillis)}`)
        assert.strictEqual(hours.resolution, "hour")
        near(
          hours.overall.responseTime,
          values.map(({ time }) => time)
        )
        near(
          hours.overall.dns,
          values.map(({ dns }) => dns)
        )
        assert.strictEqual(hours.points.length, new Set(values.map(({ at }) => Math.floor(at / hour))).size)
        const { body: days } = yield* read(`/response-phases?from=${toIso(today - 300 * dayMillis)}`)
        assert.strictEqual(days.resolution, "day")
        near(
          days.overall.responseTime,
          values.map(({ time }) => time)
        )
        assert.deepStrictEqual(
          days.points.map(({ timestamp }: { timestamp: string }) => Date.parse(timestamp)),
          [today - 2 * dayMillis, today - dayMillis, today]
        )
        const { body: west } = yield* read(`/response-phases?from=${toIso(today - 300 * dayMillis)}&region=eu-west`)
        near(
          west.overall.dns,
          values.filter((_, index) => index % 2 === 1).map(({ dns }) => dns)
        )
      })
      yield* check
      // Filling again changes nothing.
      yield* sql`UPDATE rollup_progress SET closed_until = ${new Date(today - dayMillis)} WHERE name LIKE 'timing%'`
      for (let turn = 0; turn < 3; turn++) yield* timings.fill
      yield* check
      yield* timings.expire
      yield* check
    })
  )
})

layer(evaluation, { ...live, timeout: "2 minutes" })("the plans of the check log", (it) => {
  it.effect("read the rows of one monitor only, in the order of the list", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { keep } = yield* Partitions
      yield* keep(90)
      const indexed = yield* sql<{ table: string }>`SELECT tablename AS table FROM pg_indexes
        WHERE tablename ~ '^observations_[0-9]+$' AND indexdef LIKE '%<> ''up''%'`
      assert.isAtLeast(indexed.length, 3, "new partitions have the index of failing checks")
      const now = Math.floor(Date.now() / dayMillis) * dayMillis
      yield* sql`INSERT INTO observations (monitor_id, region, scheduled_at, slot, checked_at, status)
        SELECT 'mon_' || m, 'eu-west', at, s, at, CASE WHEN s % 500 = 0 THEN 'down' ELSE 'up' END
        FROM generate_series(1, 40) AS m, generate_series(1, 1440) AS s,
          LATERAL (SELECT ${new Date(now)}::timestamptz + make_interval(mins => s) AS at) t`
      yield* sql`ANALYZE observations`
      const plan = (statement: string) =>
        Effect.map(sql.unsafe<{ "QUERY PLAN": string }>(`EXPLAIN ${statement}`), (rows) =>
          rows.map((row) => row["QUERY PLAN"]).join("\n")
        )
      const window = `scheduled_at >= '${toIso(now - 5 * dayMillis)}' AND scheduled_at < '${toIso(now + dayMillis)}'`
      const log = yield* plan(`SELECT * FROM observations WHERE monitor_id = 'mon_7' AND ${window}
        ORDER BY scheduled_at DESC, region DESC LIMIT 101`)
      // Partitions with a handful of rows are read whole.
      const filled = `Seq Scan on observations_${utcDay(now).replaceAll("-", "")}`
      assert.notInclude(log, filled)
      assert.notMatch(log, /\bSort {2}\(/)
      const failing = yield* plan(`SELECT * FROM observations WHERE monitor_id = 'mon_7' AND ${window}
        AND status = 'down' AND status <> 'up' ORDER BY scheduled_at DESC, region DESC LIMIT 101`)
      assert.notInclude(failing, filled)
      assert.include(failing, "scheduled_at_region_idx", "the index of failing checks")
    })
  )
})
