/** API keys of an organization, over HTTP. */
import { assert, layer } from "@effect/vitest"
import { maxApiKeys } from "@kanmon/domain/ApiKey"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { call, layer as server, person, refused, shop } from "./Server.ts"
import { join, organizationOf } from "./Team.ts"

const withKey = (apiKey: string) => ({ "x-api-key": apiKey })

const weekly = (userId: string) => ({
  name: "Primary",
  timezone: "UTC",
  layers: [
    {
      name: "Weeks",
      participants: [{ userId }],
      rotation: { every: 1, unit: "week" },
      handoff: { time: "09:00" },
      startsOn: "2026-01-05"
    }
  ]
})

layer(server())("an API key of an organization", (it) => {
  const made = Effect.fnUntraced(function* (role: string) {
    const ada = yield* person
    const organization = `/organizations/${yield* organizationOf(ada)}`
    const answer = yield* ada.withSession("POST", `${organization}/api-keys`, { name: "Rotations", role })
    assert.strictEqual(answer.status, 201, JSON.stringify(answer.body))
    const { apiKey, ...record } = answer.body
    return { ada, organization, record, apiKey: apiKey as string, key: withKey(apiKey) }
  })

  it.effect("is shown once, and opens what is on call with its role until it is deleted", () =>
    Effect.gen(function* () {
      const { ada, apiKey, key, organization, record } = yield* made("editor")
      assert.match(apiKey, /^kmo_[0-9A-Za-z]{43}$/)
      assert.deepInclude(record, { name: "Rotations", role: "editor", expiresAt: null, lastUsedAt: null })
      const list = () => ada.withSession("GET", `${organization}/api-keys`)
      assert.deepStrictEqual((yield* list()).body, [record])
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ text: string }>`SELECT api_keys::text AS text FROM api_keys WHERE id = ${record.id}`
      assert.notInclude(row!.text, apiKey)

      const schedule = yield* call("POST", `${organization}/schedules`, weekly(ada.userId), key)
      assert.strictEqual(schedule.status, 201, JSON.stringify(schedule.body))
      const steps = [{ afterMinutes: 0, notify: [{ scheduleId: schedule.body.id }] }]
      const policies = `${organization}/escalation-policies`
      const policy = yield* call("POST", policies, { name: "Shop", steps }, key)
      assert.strictEqual(policy.status, 201, JSON.stringify(policy.body))
      const [members] = (yield* call("GET", `${organization}/members`, undefined, key)).body
      assert.strictEqual(members.userId, ada.userId)
      assert.isNotNull((yield* list()).body[0].lastUsedAt)
      const [entry] = (yield* ada.withSession("GET", "/audit-log/account?action=escalation_policy.created")).body
      assert.deepInclude(entry.actor, { kind: "key", id: record.id, name: "Rotations" })

      assert.strictEqual((yield* ada.withSession("DELETE", `${organization}/api-keys/${record.id}`)).status, 200)
      refused(yield* call("GET", `${organization}/schedules`, undefined, key), 401, "unauthorized")
      refused(yield* ada.withSession("DELETE", `${organization}/api-keys/${record.id}`), 404, "not_found")
    })
  )

  it.effect("works in each project of its organization, which the request names", () =>
    Effect.gen(function* () {
      const { ada, key } = yield* made("editor")
      const second = (yield* ada.withSession("POST", "/projects", { name: "Second" })).body.id
      const created = yield* call("POST", "/monitors", shop, { ...key, "kanmon-project": second })
      assert.strictEqual(created.body.projectId, second)
      const unnamed = yield* call("GET", "/monitors", undefined, key)
      refused(unnamed, 403, "forbidden")
      assert.include(unnamed.body.detail, "Kanmon-Project")
      // The same key of idempotency in another project is another request.
      const headers = { ...key, "idempotency-key": "same" }
      const here = yield* call("POST", "/monitors", shop, { ...headers, "kanmon-project": ada.projectId })
      const there = yield* call("POST", "/monitors", shop, { ...headers, "kanmon-project": second })
      assert.notStrictEqual(here.body.id, there.body.id)
    })
  )

  it.effect("moves shifts as an editor alone: none are its own", () =>
    Effect.gen(function* () {
      const { ada, organization } = yield* made("viewer")
      const schedule = (yield* ada.withSession("POST", `${organization}/schedules`, weekly(ada.userId))).body.id
      const keys = `${organization}/api-keys`
      const secret = (yield* ada.withSession("POST", keys, { name: "Bot", role: "responder" })).body.apiKey
      const editor = (yield* ada.withSession("POST", keys, { name: "Editor", role: "editor" })).body.apiKey
      const overrides = `${organization}/schedules/${schedule}/overrides`
      const times = { from: "1970-01-02T00:00:00.000Z", to: "1970-01-02T04:00:00.000Z" }
      for (const userId of [ada.userId, null])
        refused(yield* call("POST", overrides, { ...times, userId }, withKey(secret)), 403, "forbidden")
      const moved = yield* call("POST", overrides, { ...times, userId: null }, withKey(editor))
      assert.strictEqual(moved.status, 201, JSON.stringify(moved.body))
    })
  )

  it.effect("is made by admins, and by no key", () =>
    Effect.gen(function* () {
      const { ada, key, organization } = yield* made("admin")
      const keys = `${organization}/api-keys`
      refused(yield* call("POST", keys, { name: "x", role: "viewer" }, key), 403, "forbidden")
      refused(yield* ada.withKey("POST", keys, { name: "x", role: "viewer" }), 403, "forbidden")
      const editor = yield* join(ada, "editor")
      refused(yield* editor.withSession("POST", keys, { name: "x", role: "viewer" }), 403, "forbidden")
      refused(yield* ada.withSession("POST", keys, { name: "x", role: "owner" }), 422, "validation_failed", "role")
    })
  )

  it.effect("is one of a bounded number, and ends with its organization", () =>
    Effect.gen(function* () {
      const { ada, key, organization } = yield* made("viewer")
      const sql = yield* SqlClient.SqlClient
      const answers = yield* Effect.forEach(
        Array.from({ length: maxApiKeys }),
        () => ada.withSession("POST", `${organization}/api-keys`, { name: "Other", role: "viewer" }),
        { concurrency: 10 }
      )
      assert.deepStrictEqual(
        answers.filter(({ status }) => status !== 201).map(({ status }) => status),
        [409]
      )
      const id = organization.split("/")[2]!
      yield* sql`UPDATE organizations SET disabled_at = now() WHERE id = ${id}`
      refused(yield* call("GET", `${organization}/schedules`, undefined, key), 403, "organization_disabled")
      const named = { ...key, "kanmon-project": ada.projectId }
      refused(yield* call("GET", "/monitors", undefined, named), 403, "organization_disabled")
      yield* sql`UPDATE organizations SET disabled_at = NULL WHERE id = ${id}`
      assert.strictEqual((yield* ada.withSession("DELETE", organization)).status, 200)
      refused(yield* call("GET", `${organization}/schedules`, undefined, key), 401, "unauthorized")
    })
  )
})
