/** Integrations over HTTP: their addresses, what they take and refuse, and the alerts that come of it. */
import { assert, layer } from "@effect/vitest"
import { Inbound } from "@kanmon/monitoring/integrations"
import { ExternalAlerts } from "@kanmon/monitoring/testing/alerts/ExternalAlerts.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { at } from "../../support/Stage.ts"
import * as AlertServer from "./AlertServer.ts"
import { ok } from "./EscalationStage.ts"
import { type ApiResponse, call, person, publicUrl, refused } from "./Server.ts"
import { join } from "./Team.ts"

const live = { excludeTestServices: true, timeout: "2 minutes" } as const
const minute = 60_000

const firing = (key: string, fields: object = {}) => ({ key, status: "firing", title: `Title of ${key}`, ...fields })
const resolved = (key: string) => ({ key, status: "resolved" })

/** The body of a refusal. */
const refusal = (answer: ApiResponse, ...expected: [status: number, code: string]) => {
  refused(answer, ...expected)
  return answer.body
}

/** A person with a channel, a rule for integrations and an integration; `post` is what its sender does. */
const integrated = (fields: object = {}, rule: object = {}) =>
  Effect.gen(function* () {
    const ada = yield* person
    const hook = { name: "Hook", type: "webhook", config: { url: "https://example.org/hook" } }
    const channel = ok(yield* ada.withKey("POST", "/notification-channels", hook), 201)
    const made = ok(
      yield* ada.withKey("POST", "/alert-rules", { name: "Elsewhere", trigger: "external", ...rule }),
      201
    )
    const body = { name: "Sender", type: "generic", ruleId: made.id, ...fields }
    const integration = ok(yield* ada.withKey("POST", "/integrations", body), 201)
    const path: string = integration.address.slice(`${publicUrl}/api/v1`.length)
    const post = (sent: unknown) => call("POST", path, sent)
    const alerts = (query = "") => Effect.map(ada.withKey("GET", `/alerts${query}`), (answer) => ok(answer))
    return { ada, channel, rule: made, integration, path, post, alerts }
  })

layer(AlertServer.layer(), live)("an integration", (it) => {
  it.effect("has an address that is shown once and can be rotated, and of which a hash is stored", () =>
    Effect.gen(function* () {
      const { ada, integration, path, post } = yield* integrated()
      assert.match(integration.id, /^int_/)
      assert.match(path, /^\/inbound\/[0-9A-Za-z]{43}$/)
      const token = path.slice("/inbound/".length)
      const read = ok(yield* ada.withKey("GET", `/integrations/${integration.id}`))
      assert.notProperty(read, "address")
      assert.notInclude(JSON.stringify(ok(yield* ada.withKey("GET", "/integrations"))), token)
      const sql = yield* SqlClient.SqlClient
      const stored = yield* sql`SELECT to_jsonb(i)::text AS row FROM integrations i WHERE id = ${integration.id}`
      assert.notInclude(JSON.stringify(stored), token)
      assert.deepStrictEqual(ok(yield* post(firing("a"))), { received: 1 })

      const rotated = ok(yield* ada.withKey("POST", `/integrations/${integration.id}/rotate`))
      refused(yield* post(firing("a")), 404, "not_found")
      const next = rotated.address.slice(`${publicUrl}/api/v1/inbound/`.length)
      const bearer = yield* call("POST", "/inbound", firing("b"), { authorization: `Bearer ${next}` })
      assert.deepStrictEqual(ok(bearer), { received: 1 })
      refused(yield* call("POST", "/inbound", firing("b"), { authorization: `Bearer ${token}` }), 404, "not_found")
      refused(yield* call("POST", "/inbound", firing("b")), 404, "not_found")
      refused(yield* call("POST", "/inbound/short", firing("b")), 404, "not_found")
      const log = ok(yield* ada.withKey("GET", "/audit-log"))
      assert.notInclude(JSON.stringify(log), next)
    })
  )

  it.effect("is created, changed and deleted by editors, and names every field that is wrong", () =>
    Effect.gen(function* () {
      const { ada, integration, rule } = yield* integrated()
      const path = `/integrations/${integration.id}`
      const down = ok(yield* ada.withKey("POST", "/alert-rules", { name: "Down" }), 201)
      for (const [body, field] of [
        [{ name: "x", type: "generic", ruleId: down.id }, "ruleId"],
        [{ name: "x", type: "generic", ruleId: "rul_none" }, "ruleId"],
        [{ name: "x", type: "nagios", ruleId: rule.id }, "type"],
        [{ name: "x", type: "grafana", ruleId: rule.id, mapping: { key: "/id" } }, "mapping"],
        [{ name: "x", type: "generic", ruleId: rule.id, mapping: { key: "id" } }, "mapping.key"],
        [{ name: "x", type: "generic", ruleId: rule.id, resolveAfterMinutes: 0 }, "resolveAfterMinutes"],
        [{ name: "x", type: "generic", ruleId: rule.id, url: "y" }, "url"]
      ] as const) {
        const answer = refusal(yield* ada.withKey("POST", "/integrations", body), 422, "validation_failed")
        assert.deepStrictEqual(
          answer.errors?.map(({ path: at }: any) => at),
          [field],
          JSON.stringify(answer.errors)
        )
      }
      const changed = ok(yield* ada.withKey("PATCH", path, { name: "Renamed", quietAfterMinutes: 5, key: "sender" }))
      assert.deepInclude(changed, { name: "Renamed", quietAfterMinutes: 5, type: "generic", key: "sender" })
      assert.strictEqual(ok(yield* ada.withKey("PATCH", path, { quietAfterMinutes: null })).quietAfterMinutes, null)
      const again = { name: "x", type: "generic", ruleId: rule.id, key: "sender" }
      refused(yield* ada.withKey("POST", "/integrations", again), 409, "conflict")
      const eve = yield* person
      for (const [method, route] of [
        ["GET", path],
        ["PATCH", path],
        ["DELETE", path],
        ["POST", `${path}/rotate`],
        ["GET", `${path}/bodies`]
      ] as const)
        refused(yield* eve.withKey(method, route, method === "PATCH" ? {} : undefined), 404, "not_found")
      const bob = yield* join(ada, "responder")
      refused(yield* bob.withSession("DELETE", path, undefined, { "kanmon-project": ada.projectId }), 403, "forbidden")
      ok(yield* ada.withKey("DELETE", path))
      refused(yield* ada.withKey("GET", path), 404, "not_found")
    })
  )

  it.effect("keeps its rule from being deleted, and from becoming a rule for monitors", () =>
    Effect.gen(function* () {
      const { ada, integration, rule } = yield* integrated()
      const path = `/alert-rules/${rule.id}`
      assert.include(refusal(yield* ada.withKey("DELETE", path), 409, "conflict").detail, "Sender")
      refused(yield* ada.withKey("PATCH", path, { trigger: "monitor_down" }), 409, "conflict")
      for (const change of [{ triggers: ["external", "monitor_down"] }, { monitorIds: ["mon_x"] }, { tags: ["a"] }])
        refused(yield* ada.withKey("PATCH", path, change), 422, "validation_failed")
      ok(yield* ada.withKey("DELETE", `/integrations/${integration.id}`))
      ok(yield* ada.withKey("DELETE", path))
    })
  )

  it.effect("refuses what it cannot read with what it expected, and keeps the last twenty such bodies", () =>
    Effect.gen(function* () {
      const { ada, integration, post } = yield* integrated({ type: "alertmanager" })
      const answer = refusal(yield* post({ version: "3", alerts: [] }), 422, "validation_failed")
      assert.deepStrictEqual(answer.errors?.[0]?.path, "version")
      for (let index = 0; index < 24; index++)
        refused(yield* post({ version: "4", alerts: [{ index }] }), 422, "validation_failed")
      const good = { status: "firing", labels: { alertname: "Up" }, fingerprint: "good" }
      const mixed = ok(yield* post({ version: "4", alerts: [{}, good], truncatedAlerts: 3 }))
      assert.deepInclude(mixed, { received: 1 })
      assert.deepStrictEqual(
        mixed.warnings.map(({ path }: any) => path),
        ["truncatedAlerts", "alerts[0].fingerprint"]
      )
      const bodies = ok(yield* ada.withKey("GET", `/integrations/${integration.id}/bodies`))
      assert.lengthOf(bodies, 20)
      assert.deepInclude(bodies[0], { refused: false, truncated: false })
      assert.deepStrictEqual(JSON.parse(bodies[0].body).truncatedAlerts, 3)
      assert.deepInclude(bodies[1], { refused: true })
      assert.strictEqual(ok(yield* ada.withKey("GET", `/integrations/${integration.id}`)).rejected, 20)
      const viewer = yield* join(ada, "viewer")
      const path = `/integrations/${integration.id}/bodies`
      refused(yield* viewer.withSession("GET", path, undefined, { "kanmon-project": ada.projectId }), 403, "forbidden")
    })
  )

  it.effect("opens an alert once, refreshes it, and resolves it when its sender says so", () =>
    Effect.gen(function* () {
      const { ada, alerts, channel, integration, post, rule } = yield* integrated()
      const sent = firing("disk", {
        severity: "info",
        description: "4% are left",
        link: "https://example.org/d",
        labels: { host: "a" }
      })
      ok(yield* post(sent))
      const [alert] = yield* alerts()
      assert.deepInclude(alert, {
        monitorId: null,
        ruleId: rule.id,
        trigger: "external",
        severity: "info",
        state: "open",
        reason: "4% are left",
        source: {
          integrationId: integration.id,
          key: "disk",
          title: "Title of disk",
          link: "https://example.org/d",
          labels: { host: "a" }
        }
      })
      assert.deepInclude(alert.entries[0], { channelId: channel.id, status: "pending" })
      ok(yield* post({ ...sent, description: "3% are left" }))
      assert.deepInclude((yield* alerts())[0], { id: alert.id, reason: "3% are left" })
      assert.lengthOf(yield* alerts(), 1)
      const sql = yield* SqlClient.SqlClient
      const messages = () =>
        Effect.map(
          sql<{
            purpose: string
            notice: any
          }>`SELECT purpose, notice FROM deliveries WHERE subject_id = ${alert.id} ORDER BY id`,
          (rows) => rows
        )
      assert.lengthOf(yield* messages(), 1)
      ok(yield* post(resolved("disk")))
      const [over] = yield* alerts()
      assert.deepInclude(over, { id: alert.id, state: "resolved", resolvedBy: null })
      const told = yield* messages()
      assert.deepStrictEqual(
        told.map(({ purpose }) => purpose),
        ["open", "close"]
      )
      ok(yield* post(resolved("disk")))
      ok(yield* post(sent))
      assert.deepStrictEqual(
        (yield* alerts()).map(({ state }: any) => state),
        ["open", "resolved"]
      )
      const events = yield* AlertServer.events(ada.projectId)
      assert.deepStrictEqual(
        events.map(({ name }) => name),
        ["triggered", "resolved", "triggered"]
      )
      assert.notProperty(events[0]?.data, "monitorId")
      assert.deepInclude(events[0]?.data, { source: { integrationId: integration.id, key: "disk" } })
      const history = ok(yield* ada.withKey("GET", "/alert-history"))
      assert.deepInclude(history[0], { monitorId: null, type: "external" })
      assert.deepInclude(history[0].source, { integrationId: integration.id, key: "disk", title: "Title of disk" })
      assert.strictEqual(ok(yield* ada.withKey("GET", "/overview")).openAlerts, 1)
      const filtered = yield* alerts(`?integrationId=${integration.id}&state=open`)
      assert.lengthOf(filtered, 1)
    })
  )

  it.effect("takes the last statement about a key in a request, and never resolves what is absent", () =>
    Effect.gen(function* () {
      const { alerts, post } = yield* integrated()
      ok(yield* post([firing("a"), resolved("a"), resolved("b"), firing("b"), firing("b"), firing("c")]))
      const keys = () =>
        Effect.map(alerts("?state=open"), (open) => open.map(({ source }: any) => source.key).toSorted())
      assert.deepStrictEqual(yield* keys(), ["b", "c"])
      ok(yield* post([firing("d")]))
      assert.deepStrictEqual(yield* keys(), ["b", "c", "d"])
      ok(yield* post([]))
      assert.deepStrictEqual(yield* keys(), ["b", "c", "d"])
    })
  )

  it.effect("opens one alert over requests at the same time", () =>
    Effect.gen(function* () {
      const { alerts, post } = yield* integrated()
      const answers = yield* Effect.all(
        Array.from({ length: 20 }, () => post([firing("a"), firing("b")])),
        { concurrency: "unbounded" }
      )
      for (const answer of answers) ok(answer)
      assert.lengthOf(yield* alerts(), 2)
    })
  )

  it.effect("takes an acknowledgement back when the alert is more urgent, and leaves one of an alert that is not", () =>
    Effect.gen(function* () {
      const { ada, alerts, post } = yield* integrated({}, { severity: "warning" })
      ok(yield* post(firing("a")))
      const [{ id }] = yield* alerts()
      const acknowledge = ada.withKey("POST", `/alerts/${id}/acknowledge`)
      ok(yield* acknowledge)
      ok(yield* post(firing("a", { severity: "info" })))
      assert.deepInclude((yield* alerts())[0], { state: "acknowledged", severity: "warning" })
      ok(yield* post(firing("a", { severity: "critical" })))
      assert.deepInclude((yield* alerts())[0], { state: "open", severity: "critical", acknowledgedBy: null })
      const events = yield* AlertServer.events(ada.projectId)
      assert.deepInclude(events.at(-1)?.data, { by: { kind: "integration", name: "Sender" } })
      const line = ok(yield* ada.withKey("GET", `/alerts/${id}/timeline`))
      assert.deepInclude(line.at(-1), { type: "unacknowledged", by: { kind: "integration", name: "Sender" } })
      ok(yield* acknowledge)
      ok(yield* post(firing("a", { severity: "critical" })))
      assert.strictEqual((yield* alerts())[0].state, "acknowledged")
    })
  )

  it.effect("resolves an alert by hand, once, and never one of a monitor", () =>
    Effect.gen(function* () {
      const { ada, alerts, post } = yield* integrated()
      ok(yield* post(firing("a")))
      const [{ id }] = yield* alerts()
      const done = ok(
        yield* ada.withSession("POST", `/alerts/${id}/resolve`, undefined, { "kanmon-project": ada.projectId })
      )
      assert.deepInclude(done, { state: "resolved" })
      assert.strictEqual(done.resolvedBy.kind, "user")
      refused(yield* ada.withKey("POST", `/alerts/${id}/resolve`), 409, "conflict")
      const line = ok(yield* ada.withKey("GET", `/alerts/${id}/timeline`))
      assert.deepInclude(line.at(-1), { type: "resolved", by: done.resolvedBy })
      refused(yield* ada.withKey("POST", "/alerts/alt_none/resolve"), 404, "not_found")
      const other = yield* AlertServer.outage()
      yield* other.down()
      const [watched] = ok(yield* other.ada.withKey("GET", "/alerts"))
      refused(yield* other.ada.withKey("POST", `/alerts/${watched.id}/resolve`), 409, "conflict")
    })
  )

  it.effect("resolves an alert that is not sent any more, counted from when it was sent last", () =>
    Effect.gen(function* () {
      const { alerts, post } = yield* integrated({ resolveAfterMinutes: 10 })
      const { resolveDue } = yield* ExternalAlerts
      ok(yield* post([firing("a"), firing("b")]))
      const now = Date.now()
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE alerts SET resolve_at = resolve_at - interval '9 minutes' WHERE source_key = 'a'`
      yield* sql`UPDATE alerts SET resolve_at = resolve_at - interval '9 minutes' WHERE source_key = 'b'`
      ok(yield* post(firing("b")))
      yield* resolveDue.pipe(at(now + 5 * minute))
      assert.deepStrictEqual(
        (yield* alerts("?state=open")).map(({ source }: any) => source.key),
        ["b"]
      )
    })
  )

  it.effect("resolves all alerts that are due together, of any project, each with its own events", () =>
    Effect.gen(function* () {
      const ours = yield* integrated({ resolveAfterMinutes: 10 })
      const theirs = yield* integrated({ resolveAfterMinutes: 10 })
      const { resolveDue } = yield* ExternalAlerts
      ok(yield* ours.post([firing("a"), firing("b")]))
      ok(yield* theirs.post(firing("a")))
      yield* resolveDue.pipe(at(Date.now() + 11 * minute))
      for (const { ada, alerts, keys } of [
        { ...ours, keys: ["a", "b"] },
        { ...theirs, keys: ["a"] }
      ]) {
        assert.lengthOf(yield* alerts("?state=open"), 0)
        const resolutions = (yield* AlertServer.events(ada.projectId)).filter(({ name }) => name === "resolved")
        assert.deepStrictEqual(
          resolutions.map(({ data }) => data.source.key),
          keys
        )
        for (const { data } of resolutions) assert.strictEqual(data.projectId, ada.projectId)
      }
    })
  )

  it.effect("opens an alert when it falls silent, and ends it with the next body", () =>
    Effect.gen(function* () {
      const { ada, alerts, integration, post } = yield* integrated({ quietAfterMinutes: 5 })
      const { noticeSilence } = yield* Inbound
      const look = noticeSilence(publicUrl).pipe(at(Date.now() + 20 * minute))
      yield* look
      assert.lengthOf(yield* alerts(), 0)
      ok(yield* post([]))
      yield* look
      const [alert] = yield* alerts()
      assert.deepInclude(alert, { severity: "warning", state: "open" })
      assert.strictEqual(alert.source.title, "Sender is silent")
      assert.isTrue(ok(yield* ada.withKey("GET", `/integrations/${integration.id}`)).quiet)
      yield* look
      assert.lengthOf(yield* alerts(), 1)
      ok(yield* post([]))
      assert.strictEqual((yield* alerts())[0].state, "resolved")
      assert.isFalse(ok(yield* ada.withKey("GET", `/integrations/${integration.id}`)).quiet)
    })
  )

  it.effect("closes its open alerts without a message when it is deleted, and its history stays", () =>
    Effect.gen(function* () {
      const { ada, alerts, integration, post } = yield* integrated()
      ok(yield* post(firing("a")))
      ok(yield* ada.withKey("DELETE", `/integrations/${integration.id}`))
      const [alert] = yield* alerts()
      assert.deepInclude(alert, { state: "resolved" })
      assert.deepInclude(alert.source, { key: "a", integrationId: integration.id })
      refused(yield* post(firing("a")), 404, "not_found")
    })
  )

  it.effect("bounds hostile bodies: depth, length, number, names", () =>
    Effect.gen(function* () {
      const { ada, alerts, integration, post } = yield* integrated({ type: "alertmanager" })
      const deep = `${"[".repeat(2000)}${"]".repeat(2000)}`
      refused(yield* post(deep), 422, "validation_failed")
      refused(yield* post('{"version":"4","alerts":['), 422, "validation_failed")
      const many = Array.from({ length: 10_000 }, (_, index) => ({
        status: "firing",
        labels: {},
        fingerprint: `f${index}`
      }))
      const answer = ok(yield* post({ version: "4", alerts: many }))
      assert.strictEqual(answer.received, 1000)
      assert.include(JSON.stringify(answer.warnings), "9000 were left out")
      assert.strictEqual(ok(yield* ada.withKey("GET", `/integrations/${integration.id}`)).openAlerts, 1000)
      const odd = { status: "firing", labels: { alertname: "a\u0000b\u202e", __proto__: "x" }, fingerprint: "odd" }
      ok(yield* post({ version: "4", alerts: [odd] }))
      const found = (yield* alerts("?limit=1"))[0]
      assert.strictEqual(found.source.key, "odd")
      refused(yield* post(`"${"x".repeat(1_100_000)}"`), 413, "payload_too_large")
    })
  )
})
