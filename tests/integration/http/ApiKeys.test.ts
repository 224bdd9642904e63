/** Further API keys of a project, over HTTP. */
import { assert, layer } from "@effect/vitest"
import { maxApiKeys } from "@kanmon/domain/ApiKey"
import { toIso } from "@kanmon/domain/Timestamp"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { call, layer as server, person, refused } from "./Server.ts"

const withKey = (apiKey: string) => ({ "x-api-key": apiKey })

layer(server())("an API key", (it) => {
  it.effect("is shown once, and works with its role until it is deleted", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const route = `/projects/${ada.projectId}/api-keys`
      const made = yield* ada.withSession("POST", route, { name: "Deploy", role: "editor" })
      assert.strictEqual(made.status, 201)
      const { apiKey, ...record } = made.body
      assert.match(apiKey, /^km_[0-9A-Za-z]{43}$/)
      assert.deepInclude(record, { name: "Deploy", role: "editor", expiresAt: null, lastUsedAt: null })
      assert.deepInclude(record.createdBy, { kind: "person", name: ada.email })
      assert.deepStrictEqual((yield* ada.withKey("GET", route)).body, [record])

      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ text: string }>`SELECT api_keys::text AS text FROM api_keys WHERE id = ${record.id}`
      assert.notInclude(row!.text, apiKey)

      assert.strictEqual((yield* call("GET", "/monitors", undefined, withKey(apiKey))).status, 200)
      const [used] = (yield* ada.withKey("GET", route)).body
      assert.strictEqual(used.lastUsedAt, made.body.createdAt)
      // A second use within the minute writes nothing.
      for (const [seconds, later] of [
        [59, 0],
        [1, 60_000]
      ] as const) {
        yield* TestClock.adjust(seconds * 1000)
        yield* call("GET", "/monitors", undefined, withKey(apiKey))
        const [again] = (yield* ada.withKey("GET", route)).body
        assert.strictEqual(Date.parse(again.lastUsedAt), Date.parse(used.lastUsedAt) + later)
      }

      const removed = yield* ada.withKey("DELETE", `${route}/${record.id}`)
      assert.deepStrictEqual(removed.body, { id: record.id, deleted: true })
      refused(yield* call("GET", "/monitors", undefined, withKey(apiKey)), 401, "unauthorized")
      refused(yield* ada.withKey("DELETE", `${route}/${record.id}`), 404, "not_found")
      assert.deepStrictEqual((yield* ada.withKey("GET", route)).body, [])
    })
  )

  it.effect("is refused once it has expired", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const route = `/projects/${ada.projectId}/api-keys`
      const expiresAt = toIso((yield* Clock.currentTimeMillis) + 60_000)
      const made = yield* ada.withKey("POST", route, { name: "Short", role: "viewer", expiresAt })
      assert.strictEqual(made.body.expiresAt, expiresAt)
      assert.deepInclude(made.body.createdBy, { kind: "key", id: ada.projectId })
      assert.strictEqual((yield* call("GET", "/monitors", undefined, withKey(made.body.apiKey))).status, 200)
      yield* TestClock.adjust("1 minute")
      refused(yield* call("GET", "/monitors", undefined, withKey(made.body.apiKey)), 401, "unauthorized")
    })
  )

  it.effect("needs a name, a role that keys can have, and an end in the future", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const route = `/projects/${ada.projectId}/api-keys`
      refused(yield* ada.withKey("POST", route, {}), 422, "validation_failed", "name", "role")
      refused(yield* ada.withKey("POST", route, { name: "x", role: "owner" }), 422, "validation_failed", "role")
      const late = { name: "x", role: "viewer", expiresAt: "1969-01-01T00:00:00.000Z" }
      refused(yield* ada.withKey("POST", route, late), 422, "validation_failed", "expiresAt")
      refused(
        yield* ada.withKey("POST", route, { name: "x", role: "viewer", more: 1 }),
        422,
        "validation_failed",
        "more"
      )
    })
  )

  it.effect("belongs to its project, of which the number of keys is limited", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const second = (yield* ada.withSession("POST", "/projects", { name: "Second" })).body
      const route = `/projects/${second.id}/api-keys`
      const made = yield* ada.withSession("POST", route, { name: "Second", role: "admin" })
      refused(yield* ada.withKey("GET", route), 404, "not_found")
      refused(yield* ada.withKey("DELETE", `/projects/${ada.projectId}/api-keys/${made.body.id}`), 404, "not_found")
      const others = yield* Effect.forEach(
        Array.from({ length: maxApiKeys }),
        () => ada.withSession("POST", route, { name: "Other", role: "viewer" }),
        { concurrency: 10 }
      )
      assert.deepStrictEqual(
        others.filter(({ status }) => status !== 201).map(({ status }) => status),
        [409]
      )
      const pages = yield* ada.withSession("GET", `${route}?limit=20`)
      assert.strictEqual(pages.body.length, 20)
      assert.include(pages.headers.get("link"), 'rel="next"')
      yield* ada.withSession("DELETE", `/projects/${second.id}`)
      refused(yield* call("GET", "/monitors", undefined, withKey(made.body.apiKey)), 401, "unauthorized")
    })
  )
})
