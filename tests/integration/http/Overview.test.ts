/** The overview of a project, and the document of all its monitors. */
import { assert, layer } from "@effect/vitest"
import { Summaries } from "@kanmon/monitoring/testing/evaluation/Summaries.ts"
import { merge, packing, quantile } from "@kanmon/domain/Sketch"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { person, shop } from "./Server.ts"
import { shared } from "./SharedServer.ts"

layer(shared, { excludeTestServices: true, timeout: "2 minutes" })("the overview", (it) => {
  it.effect("counts what a project has", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const { body: empty } = yield* ada.withKey("GET", "/overview")
      assert.deepInclude(empty, { monitors: 0, openAlerts: 0, activeIncidents: [], stale: 0 })
      assert.deepStrictEqual(empty.maintenance, { now: [], next: null })
      assert.deepStrictEqual(empty.offlineRegions, ["eu-west", "us-east"])

      const { body: made } = yield* ada.withKey("POST", "/monitors", shop)
      yield* ada.withKey("POST", "/monitors", { ...shop, paused: true })
      const incident = { title: "Slow", status: "investigating", message: "We look", monitorIds: [made.id] }
      const { body: active } = yield* ada.withKey("POST", "/incidents", incident)
      const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString()
      const window = { ...incident, maintenance: true, scheduledStart: hours(1), scheduledEnd: hours(2) }
      const { body: planned } = yield* ada.withKey("POST", "/incidents", window)
      const { body } = yield* ada.withKey("GET", "/overview")
      assert.deepInclude(body, { monitors: 2 })
      assert.deepInclude(body.byStatus, { pending: 1, paused: 1, up: 0 })
      assert.deepStrictEqual(
        body.activeIncidents.map(({ id }: { id: string }) => id),
        [active.id]
      )
      assert.strictEqual(body.maintenance.next.id, planned.id)
    })
  )

  it.effect("says the uptime of 30 days and the last outage, without a wait after one ended", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const sql = yield* SqlClient.SqlClient
      const month = Effect.map(ada.withKey("GET", "/overview"), ({ body }) => body.month)
      const lastOutage = Effect.map(ada.withKey("GET", "/overview"), ({ body }) => body.lastOutage)
      const { body: old } = yield* ada.withKey("POST", "/monitors", shop)
      const { body: young } = yield* ada.withKey("POST", "/monitors", shop)
      assert.isNull(yield* lastOutage)
      const day = 86_400_000
      const today = Math.floor(Date.now() / day) * day
      const at = (millis: number) => new Date(today + millis)
      // Until the beginning of today, everything is in the sums of days; of the first day, only that of the month counts.
      yield* sql`INSERT INTO rollup_progress (name, closed_until) VALUES ('day', ${at(0)})
        ON CONFLICT (name) DO UPDATE SET closed_until = EXCLUDED.closed_until`
      yield* sql`UPDATE monitors SET created_at = ${at(-40 * day)} WHERE id = ${old.id}`
      yield* sql`INSERT INTO rollup_day (monitor_id, day, up_millis, down_millis)
        SELECT ${old.id}, ${at(0).toISOString().slice(0, 10)}::date - d, 86400000 - 3600000, 3600000
        FROM generate_series(1, 35) AS d`
      yield* sql`INSERT INTO status_changes (monitor_id, at, status) VALUES
        (${old.id}, ${at(-2 * day)}, 'down'), (${old.id}, ${at(-2 * day + 60_000)}, 'unknown'),
        (${old.id}, ${at(-2 * day + 120_000)}, 'down'), (${old.id}, ${at(-2 * day + 240_000)}, 'up'),
        (${old.id}, ${at(-2 * day + 300_000)}, 'unknown')`
      const measure = Effect.flatMap(Summaries, ({ measure }) => measure)
      yield* measure
      const first = yield* month
      assert.strictEqual(first.since, at(-29 * day).toISOString())
      assert.strictEqual(first.downSeconds, 29 * 3600)
      // 23 of 24 hours of each day, and the open part of today without a result.
      assert.approximately(first.uptime, (23 / 24) * 100, 0.001)
      assert.deepStrictEqual(yield* lastOutage, {
        monitorId: old.id,
        startedAt: at(-2 * day).toISOString(),
        endedAt: at(-2 * day + 240_000).toISOString()
      })

      // The other one fails and recovers: nothing measures in between.
      const now = Date.now()
      const since = (millis: number) =>
        sql`UPDATE monitor_states SET state = state || jsonb_build_object('since', ${millis}::bigint) WHERE monitor_id = ${young.id}`
      yield* sql`INSERT INTO status_changes (monitor_id, at, status) VALUES (${young.id}, ${new Date(now)}, 'down')`
      yield* since(now)
      assert.deepInclude(yield* lastOutage, { monitorId: young.id, endedAt: null })
      yield* measure
      yield* sql`INSERT INTO status_changes (monitor_id, at, status) VALUES (${young.id}, ${new Date(now + 1)}, 'up')`
      yield* since(now + 1)
      assert.deepInclude(yield* lastOutage, { monitorId: young.id, endedAt: new Date(now + 1).toISOString() })

      // Downtime within a window is none.
      yield* sql`INSERT INTO maintenance_windows (monitor_id, starts_at, ends_at) VALUES
        (${young.id}, ${new Date(now - 10_000)}, ${new Date(now + 10_000)})`
      assert.deepInclude(yield* lastOutage, { monitorId: old.id })
      yield* ada.withKey("DELETE", "/monitors", { ids: [old.id, young.id] })
      yield* measure
      assert.isNull(yield* month)
      assert.isNull(yield* lastOutage)
    })
  )

  it.effect("has the median of each monitor over the closed hours of the last day", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const { body: quiet } = yield* ada.withKey("POST", "/monitors", shop)
      const { body: busy } = yield* ada.withKey("POST", "/monitors", shop)
      const sql = yield* SqlClient.SqlClient
      const hour = (ago: number, counts: ReadonlyArray<readonly [bucket: number, count: number]>) =>
        sql`INSERT INTO timing_hour (monitor_id, region, hour, response_time) VALUES (${busy.id}, 'eu-west',
          date_trunc('hour', now()) - make_interval(hours => ${ago}),
          ${counts.map(([bucket, count]) => bucket * packing + count)}::integer[])`
      yield* hour(1, [
        [90, 10],
        [95, 21]
      ])
      yield* hour(2, [
        [95, 10],
        [120, 40]
      ])
      // Too long ago.
      yield* hour(30, [[10, 1000]])
      yield* (yield* Summaries).measure
      const { body } = yield* ada.withKey("GET", "/monitors/summaries")
      assert.deepStrictEqual(body.id, [busy.id, quiet.id])
      const hours = [new Map([[90, 10], [95, 31], [120, 40]])] // prettier-ignore
      assert.deepStrictEqual(body.p50, [Math.round(quantile(merge(hours), 0.5)! * 100) / 100, null])
    })
  )

  it.effect("lists ten thousand monitors in one document that is only sent when it changed", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const first = yield* ada.withKey("GET", "/monitors/summaries")
      assert.deepInclude(first.body, { total: 0, id: [], groups: [], tagSets: [] })
      const { body: made } = yield* ada.withKey("POST", "/monitors", {
        ...shop,
        tags: ["prod"],
        group: "Shop/Payments"
      })
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO monitors (id, project_id, name, type, interval_seconds, timeout_seconds, regions, paused, config,
          tags, group_path, created_at, updated_at)
        SELECT 'mon_0' || lpad(i::text, 25, '0'), project_id, 'Service number ' || i, type, 60, 30, '{}', false, config,
          ARRAY['prod', 'team:' || (i % 40)], 'Group ' || (i % 100) || '/Part ' || (i % 7), created_at, updated_at
        FROM monitors, generate_series(1, 9999) AS i WHERE id = ${made.id}`
      yield* sql`INSERT INTO monitor_states (monitor_id, status, state)
        SELECT m.id, 'up', s.state || jsonb_build_object('status', 'up', 'recent', repeat('u', 30))
        FROM monitors m JOIN monitor_states s ON s.monitor_id = ${made.id} WHERE m.project_id = ${ada.projectId} AND m.id <> ${made.id}`
      yield* sql`INSERT INTO monitor_summaries (monitor_id, uptime_24h, response_time_24h, measured_at)
        SELECT id, 99.9542, 91.402, now() FROM monitors WHERE project_id = ${ada.projectId} ON CONFLICT DO NOTHING`
      yield* sql`INSERT INTO timing_hour (monitor_id, region, hour, response_time)
        SELECT m.id, 'eu-west', date_trunc('hour', now()) - h * interval '1 hour', ARRAY[95 * 65536 + 30, 96 * 65536 + 30]
        FROM monitors m, generate_series(1, 3) AS h WHERE m.project_id = ${ada.projectId}`
      const placed = (
        place: number
      ) => sql`(SELECT id FROM monitors WHERE project_id = ${ada.projectId} ORDER BY id DESC
        OFFSET ${place} LIMIT 1)`
      yield* sql`UPDATE monitor_states SET stale = true WHERE monitor_id = ${placed(9)}`
      yield* sql`UPDATE monitor_states SET status = 'down',
        state = state || '{"status": "down", "lastFailure": {"message": "Connection refused"}}' WHERE monitor_id = ${placed(8)}`
      yield* sql`UPDATE monitors SET regions = '{us-east}',
        config = config || '{"url": "https://ada:secret@shop.example/health?token=1"}' WHERE id = ${placed(8)}`
      yield* sql`ANALYZE`

      const { body, headers } = yield* ada.withKey("GET", "/monitors/summaries")
      const columns = ["id", "name", "type", "group", "tags", "status", "since", "uptime24h", "p50", "results"]
      for (const column of columns) assert.strictEqual(body[column].length, 10_000, column)
      assert.strictEqual(body.total, 10_000)
      const own = body.id.indexOf(made.id)
      assert.strictEqual(body.groups[body.group[own]], "Shop/Payments")
      assert.deepStrictEqual(body.tagSets[body.tags[own]], ["prod"])
      assert.deepStrictEqual([body.regionSets[body.regions[own]], body.regionSets[body.regions[8]]], [[], ["us-east"]])
      assert.deepStrictEqual(
        [body.target[own], body.target[8]],
        ["https://shop.example/", "https://shop.example/health"]
      )
      assert.deepStrictEqual([body.stale, body.failures], [[9], [{ monitor: 8, message: "Connection refused" }]])
      assert.deepStrictEqual([body.status[own], body.results[own], body.name[own]], ["pending", "", "Shop"])
      assert.deepStrictEqual([body.status[7], body.results[7], body.uptime24h[7]], ["up", "u".repeat(30), 99.9542])
      assert.strictEqual(body.responseTime24h[7], 91.4)
      assert.isBelow(JSON.stringify(body).length, 2_000_000)

      const etag = headers.get("etag")!
      const again = yield* ada.withKey("GET", "/monitors/summaries", undefined, { "if-none-match": etag })
      assert.strictEqual(again.status, 304)
      yield* ada.withKey("PATCH", `/monitors/${made.id}`, { name: "Another" })
      const changed = yield* ada.withKey("GET", "/monitors/summaries", undefined, { "if-none-match": etag })
      assert.strictEqual(changed.status, 200)
      assert.include(changed.body.name, "Another")
      // Columns that follow settings are kept until a monitor is changed, made or deleted.
      const unchanged = yield* ada.withKey("GET", "/monitors/summaries")
      assert.deepStrictEqual(unchanged.body, changed.body)
      assert.strictEqual((yield* ada.withKey("DELETE", `/monitors/${body.id[7]}`)).status, 200)
      const fewer = (yield* ada.withKey("GET", "/monitors/summaries")).body
      assert.deepStrictEqual([fewer.total, fewer.stale, fewer.failures[0].monitor], [9_999, [8], 7])
      for (const column of columns) assert.strictEqual(fewer[column].length, 9_999, column)
      assert.notInclude(fewer.id, body.id[7])
    })
  )
})
