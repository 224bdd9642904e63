/** Lists of monitors: filters, sorting, and their cost with 10,000 monitors. */
import { assert, layer } from "@effect/vitest"
import { ProjectId } from "@kanmon/domain/Ids"
import { MonitorSort } from "@kanmon/domain/MonitorSort"
import { fold, sortKey } from "@kanmon/domain/SearchText"
import { naturalNames } from "@kanmon/platform/database/migrations/0037_natural_names"
import { nextCursor } from "@kanmon/protocol/Lists"
import { Summaries } from "@kanmon/monitoring/evaluation"
import * as MonitorFilters from "@kanmon/monitoring/testing/monitors/MonitorFilterRepository.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type Call, layer as server, person, refused, shop } from "./Server.ts"

const names = ({ body }: { readonly body: any }): ReadonlyArray<string> =>
  body.map(({ name }: { readonly name: string }) => name)

/** The names of all pages of a list. */
const walk = Effect.fnUntraced(function* (call: Call, query: string, limit: number) {
  const found: Array<string> = []
  let cursor: string | undefined
  do {
    const at: string = cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`
    const page = yield* call("GET", `/monitors?${query}&limit=${limit}${at}`)
    assert.strictEqual(page.status, 200, JSON.stringify(page.body))
    found.push(...names(page))
    cursor = nextCursor(page.headers.get("link") ?? undefined)
  } while (cursor !== undefined)
  return found
})

const hour = 3_600_000

layer(server(), { timeout: "2 minutes", excludeTestServices: true })("a list of monitors", (it) => {
  it.effect("is filtered by tags, group and text without regard to case and accents", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const make = (name: string, more: object) => ada.withKey("POST", "/monitors", { ...shop, name, ...more })
      yield* make("Café Zürich", { tags: ["prod", "eu"], group: "Shop/Payments" })
      yield* make("Backend 100%", { tags: ["prod"], group: "Shop", url: "https://api.shop.example/Health" })
      yield* make("Other", { tags: ["eu"], group: "Shopping", url: "https://ada:secret@other.example/?key=secret" })
      const list = (query: string) =>
        Effect.map(ada.withKey("GET", `/monitors?${query}`), (found) => names(found).toSorted())
      assert.deepStrictEqual(yield* list("tag=prod"), ["Backend 100%", "Café Zürich"])
      assert.deepStrictEqual(yield* list("tag=prod&tag=eu"), ["Café Zürich"])
      assert.deepStrictEqual(yield* list("group=Shop"), ["Backend 100%", "Café Zürich"])
      assert.deepStrictEqual(yield* list("group=Shop/Payments&type=http"), ["Café Zürich"])
      assert.deepStrictEqual(yield* list("q=CAFE%20zurich"), ["Café Zürich"])
      assert.deepStrictEqual(yield* list("q=API.shop.example/health"), ["Backend 100%"])
      assert.deepStrictEqual(yield* list("q=100%25"), ["Backend 100%"])
      assert.deepStrictEqual(yield* list("q=_"), [])
      assert.deepStrictEqual(yield* list("q=eu"), ["Café Zürich", "Other"])
      assert.deepStrictEqual(yield* list("q=secret"), [])
      yield* ada.withKey("PATCH", `/monitors/${(yield* ada.withKey("GET", "/monitors?q=other")).body[0].id}`, {
        name: "Ostsee",
        tags: ["beach"]
      })
      assert.deepStrictEqual(yield* list("q=beach"), ["Ostsee"])
      refused(yield* ada.withKey("GET", "/monitors?sort=size"), 400, "malformed_request")
    })
  )

  it.effect("is sorted by each field in both directions, page by page, with a cursor of that sort alone", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const sql = yield* SqlClient.SqlClient
      const { measure } = yield* Summaries
      const now = Date.now()
      const statuses = ["up", "down", "degraded", "up", "down", "up"]
      for (const [index, name] of ["b", "Á", "ä", "C", "a", "d"].entries()) {
        const { id } = (yield* ada.withKey("POST", "/monitors", { ...shop, name })).body
        const since = now - index * 60_000
        const status = statuses[index]!
        yield* sql`UPDATE monitor_states SET status = ${status}, state = state
          || jsonb_build_object('status', ${status}::text, 'since', ${since}::bigint, 'regions', jsonb_build_object('eu-west',
            jsonb_build_object('scheduledAt', ${now}::bigint, 'checkedAt', ${now}::bigint, 'status', ${status}::text,
              'streak', 0, 'unwell', 0, 'failingSince', NULL, 'responseTime', ${index * 10}::int, 'failure', NULL)))
          WHERE monitor_id = ${id}`
        if (name === "d") continue
        yield* sql`DELETE FROM status_changes WHERE monitor_id = ${id}`
        yield* sql`INSERT INTO status_changes (monitor_id, at, status) VALUES
          (${id}, ${new Date(now - 23 * hour)}, 'up'), (${id}, ${new Date(now - (index + 1) * hour)}, 'down')`
        yield* sql`INSERT INTO rollup_hour (monitor_id, region, hour, checks, response_time_count, response_time_sum)
          VALUES (${id}, 'eu-west', ${new Date(now - 2 * hour)}, 2, 2, ${200 - index * 20})`
      }
      assert.isAtLeast(yield* measure, 6)
      const sorted: Readonly<Record<string, ReadonlyArray<string>>> = {
        name: ["Á", "ä", "a", "b", "C", "d"],
        status: ["Á", "a", "ä", "b", "C", "d"],
        uptime: ["a", "C", "ä", "Á", "b", "d"],
        responseTime: ["d", "a", "C", "ä", "Á", "b"],
        lastChange: ["d", "a", "C", "ä", "Á", "b"]
      }
      for (const [field, expected] of Object.entries(sorted)) {
        // Equal values are in the order of their ids, which is that of creation: Á, ä and a.
        for (const limit of [1, 2, 5, 6, 100])
          assert.deepStrictEqual(yield* walk(ada.withKey, `sort=${field}`, limit), expected, `${field} by ${limit}`)
        const back = yield* walk(ada.withKey, `sort=-${field}`, 2)
        const without = field === "uptime" ? ["d"] : []
        assert.deepStrictEqual(back, [...expected.filter((name) => !without.includes(name)).toReversed(), ...without])
      }
      assert.deepStrictEqual(yield* walk(ada.withKey, "sort=-name&q=shop.example", 4), sorted["name"]!.toReversed())

      const [first, plain] = [
        yield* ada.withKey("GET", "/monitors?sort=name&limit=1"),
        yield* ada.withKey("GET", "/monitors?limit=1")
      ]
      const cursor = nextCursor(first.headers.get("link") ?? undefined)
      refused(yield* ada.withKey("GET", `/monitors?sort=-name&cursor=${cursor}`), 422, "validation_failed", "cursor")
      refused(yield* ada.withKey("GET", `/monitors?cursor=${cursor}`), 422, "validation_failed", "cursor")
      const unsorted = nextCursor(plain.headers.get("link") ?? undefined)
      refused(yield* ada.withKey("GET", `/monitors?sort=name&cursor=${unsorted}`), 422, "validation_failed", "cursor")
      refused(yield* ada.withKey("GET", "/monitors?sort=name&cursor=xyz"), 400, "malformed_request", "cursor")
    })
  )

  it.effect("is sorted by names with their numbers by value", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const sorted = ["node-1", "node-2", "node-02", "Node-10", "node-10a", "node-100"]
      for (const name of ["node-10a", "node-100", "node-2", "node-02", "node-1", "Node-10"])
        yield* ada.withKey("POST", "/monitors", { ...shop, name })
      assert.deepStrictEqual(yield* walk(ada.withKey, "sort=name", 2), sorted)
    })
  )

  it.effect("sorts the names of an earlier version as its own", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const sql = yield* SqlClient.SqlClient
      const given = ["node-10", "Zürich 007", "000", "7", "a0b00c10", "東京 12", "x".repeat(200), "no digits"]
      for (const name of given) yield* ada.withKey("POST", "/monitors", { ...shop, name })
      for (const name of given) yield* sql`UPDATE monitors SET name_folded = ${fold(name)} WHERE name = ${name}`
      for (const statement of naturalNames.split(";").filter((text) => text.trim() !== "")) yield* sql.unsafe(statement)
      const found = yield* sql`SELECT name, name_folded AS key FROM monitors WHERE project_id = ${ada.projectId}`
      assert.lengthOf(found, given.length)
      for (const { key, name } of found) assert.strictEqual(key, sortKey(String(name)))
    })
  )

  it.effect("reads no observations of 10,000 monitors", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO monitors (id, project_id, name, type, interval_seconds, timeout_seconds, regions, paused, config,
          tags, group_path, name_folded, search, created_at, updated_at)
        SELECT 'mon_many' || n, ${ada.projectId}, 'Monitor ' || n, 'http', 60, 30, '{}', false,
          jsonb_build_object('url', 'https://m' || n || '.example/', 'method', 'GET', 'expectedStatus', '200-299'),
          ARRAY['prod', 't' || n % 50], 'Group ' || n % 20, 'monitor ' || n, 'monitor ' || n || ' m' || n || '.example',
          now(), now() FROM generate_series(1, 10000) n`
      yield* sql`INSERT INTO monitor_states (monitor_id, status, state) SELECT id, 'up', jsonb_build_object('status', 'up',
          'since', 1700000000000 + substr(id, 9)::int, 'blindSince', NULL, 'judgedAt', 0, 'lastCheckedAt', NULL, 'streak', 0,
          'unwell', 0, 'regions', '{}'::jsonb) FROM monitors WHERE project_id = ${ada.projectId}`
      yield* sql`INSERT INTO monitor_summaries SELECT id, 99 + substr(id, 9)::int / 20000.0, substr(id, 9)::int % 300, now()
        FROM monitors WHERE project_id = ${ada.projectId}`
      yield* sql`ANALYZE monitors, monitor_states, monitor_summaries`
      const criteria = [{}, { q: "99" }, { tag: ["prod", "t7"] }, { group: "Group 3" }, { status: "up" as const }]
      const project = ProjectId.make(ada.projectId)
      for (const sort of MonitorSort.literals)
        for (const one of criteria) {
          const options = { ...one, sort, limit: 100, cursor: undefined }
          const plan = yield* sql`EXPLAIN (FORMAT JSON) ${MonitorFilters.sortedPage(sql, project, options, Date.now())}`
          assert.notInclude(JSON.stringify(plan), "observations")
        }

      for (const query of [
        ...MonitorSort.literals.map((sort) => `sort=${sort}`),
        "q=99&sort=name",
        "tag=t7&sort=uptime",
        ""
      ]) {
        const page = yield* ada.withKey("GET", `/monitors?limit=100&${query}`)
        assert.strictEqual(page.status, 200)
        assert.isNotEmpty(page.body)
      }
      const all = yield* walk(ada.withKey, "sort=-lastChange", 1000)
      assert.deepStrictEqual([all.length, new Set(all).size, all[0]], [10_000, 10_000, "Monitor 10000"])
    })
  )
})
