/** Acknowledging and snoozing alerts over HTTP. */
import { assert, layer } from "@effect/vitest"
import { OpenAlerts } from "@kanmon/monitoring/testing/alerts/OpenAlerts.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { at } from "../../support/Stage.ts"
import { events, layer as alertServer, outage } from "./AlertServer.ts"
import { type Call, person, refused } from "./Server.ts"

const live = { excludeTestServices: true } as const
const minute = 60_000

const only = (withKey: Call, query = "") =>
  Effect.gen(function* () {
    const { body } = yield* withKey("GET", `/alerts${query}`)
    assert.lengthOf(body, 1, JSON.stringify(body))
    return body[0]
  })

layer(alertServer(), live)("alerts", (it) => {
  it.effect("lists, filters and reads alerts, also by the id of a history entry", () =>
    Effect.gen(function* () {
      const { ada, channel, down, monitor, rule, up } = yield* outage()
      assert.deepStrictEqual((yield* ada.withKey("GET", "/alerts")).body, [])
      yield* down()
      const alert = yield* only(ada.withKey)
      assert.match(alert.id, /^alt_/)
      assert.deepInclude(alert, {
        projectId: ada.projectId,
        monitorId: monitor.id,
        ruleId: rule.id,
        trigger: "monitor_down",
        state: "open",
        reason: "too slow",
        acknowledgedBy: null,
        resolvedAt: null,
        silenced: false
      })
      assert.deepInclude(alert.entries[0], { channelId: channel.id, status: "pending" })
      for (const id of [alert.id, alert.entries[0].id])
        assert.deepStrictEqual((yield* ada.withKey("GET", `/alerts/${id}`)).body, alert)
      for (const [query, count] of [
        ["?state=open", 1],
        ["?state=resolved", 0],
        ["?state=acknowledged", 0],
        [`?monitorId=${monitor.id}&state=open`, 1],
        ["?state=acknowledged&state=open&state=snoozed", 1],
        ["?state=acknowledged&state=snoozed", 0],
        ["?monitorId=mon_other", 0]
      ] as const)
        assert.lengthOf((yield* ada.withKey("GET", `/alerts${query}`)).body, count, query)
      refused(yield* ada.withKey("GET", "/alerts?state=gone"), 400, "malformed_request")
      yield* up()
      assert.strictEqual((yield* only(ada.withKey, "?state=resolved")).state, "resolved")
      yield* down(2)
      const first = yield* ada.withKey("GET", "/alerts?limit=1")
      assert.strictEqual(first.body[0].state, "open")
      const cursor = /cursor=([^>&]+)/.exec(first.headers.get("link") ?? "")?.[1]
      const next = yield* ada.withKey("GET", `/alerts?limit=1&cursor=${cursor}`)
      assert.deepStrictEqual([next.body[0].id, next.headers.get("link")], [alert.id, null])
      const either = yield* ada.withKey("GET", "/alerts?state=open&state=resolved&limit=1")
      const link = new URL(/<([^>]+)>/.exec(either.headers.get("link") ?? "")![1]!)
      assert.deepStrictEqual(link.searchParams.getAll("state"), ["open", "resolved"])
    })
  )

  it.effect("ends the reminders of an acknowledged alert, sends its recovery, and alerts again afterwards", () =>
    Effect.gen(function* () {
      const { ada, down, monitor, up } = yield* outage({ rule: { resendEvery: 5 } })
      const openAlerts = yield* OpenAlerts
      const sql = yield* SqlClient.SqlClient
      yield* down()
      const { id } = yield* only(ada.withKey)
      yield* sql`UPDATE deliveries SET status = 'delivered'`
      const later = Date.now() + 60 * minute
      assert.strictEqual(yield* openAlerts.remind.pipe(at(later)), 1)
      const acknowledged = yield* ada.withKey("POST", `/alerts/${id}/acknowledge`, { note: "The disk is full" })
      assert.strictEqual(acknowledged.status, 200, JSON.stringify(acknowledged.body))
      assert.deepInclude(acknowledged.body, { state: "acknowledged", note: "The disk is full" })
      assert.deepStrictEqual(acknowledged.body.acknowledgedBy, { kind: "key", name: "Project API key" })
      const waiting = yield* sql`SELECT id FROM deliveries WHERE status = 'pending'`
      assert.lengthOf(waiting, 0, "the reminder that waited is not sent")
      assert.strictEqual(acknowledged.body.entries[0].status, "delivered")
      assert.strictEqual(yield* openAlerts.remind.pipe(at(later + 60 * minute)), 0)
      assert.strictEqual((yield* ada.withKey("GET", `/monitors/${monitor.id}`)).body.status, "down")

      yield* up()
      const closings = yield* sql<{ event: string }>`SELECT notice->>'event' AS event FROM deliveries
        WHERE status = 'pending'`
      assert.deepStrictEqual(closings, [{ event: "monitor_up" }])
      const after = yield* ada.withKey("POST", `/alerts/${id}/acknowledge`)
      refused(after, 409, "conflict")
      assert.match(after.body.detail, /^The alert was resolved at /)

      yield* down(2)
      const again = yield* only(ada.withKey, "?state=open")
      assert.notStrictEqual(again.id, id)
      const told = (yield* events(ada.projectId)).map(({ name }) => name)
      assert.deepStrictEqual(told, ["triggered", "acknowledged", "resolved", "triggered"])
      yield* ada.withKey("POST", `/alerts/${again.id}/acknowledge`)
    })
  )

  it.effect("lets one of two people acknowledge, and tells the other who did", () =>
    Effect.gen(function* () {
      const { ada, down } = yield* outage()
      yield* down()
      const { id } = yield* only(ada.withKey)
      const answers = yield* Effect.all(
        Array.from({ length: 8 }, () => ada.withKey("POST", `/alerts/${id}/acknowledge`, {})),
        { concurrency: "unbounded" }
      )
      const lost = answers.filter(({ status }) => status !== 200)
      assert.lengthOf(lost, 7)
      for (const answer of lost) {
        refused(answer, 409, "conflict")
        assert.include(answer.body.detail, "already acknowledged by the API key Project API key")
      }
      assert.lengthOf(
        (yield* events(ada.projectId)).filter(({ name }) => name === "acknowledged"),
        1
      )
      const until = new Date(Date.now() + minute).toISOString()
      const snoozed = yield* ada.withKey("POST", `/alerts/${id}/snooze`, { until })
      assert.deepInclude(snoozed.body, { state: "snoozed", acknowledgedAt: null })
      const back = yield* ada.withKey("POST", `/alerts/${id}/unacknowledge`)
      assert.deepInclude(back.body, { state: "open", acknowledgedAt: null, acknowledgedBy: null, note: null })
      // Nothing to take back: nothing happens.
      assert.strictEqual((yield* ada.withKey("POST", `/alerts/${id}/unacknowledge`)).status, 200)
      const told = (yield* events(ada.projectId)).map(({ name }) => name)
      assert.deepStrictEqual(told, ["triggered", "acknowledged", "snoozed", "unacknowledged"])
    })
  )

  it.effect("reminds once when a snooze ends, without a rule that asks for it", () =>
    Effect.gen(function* () {
      const { ada, down } = yield* outage()
      const openAlerts = yield* OpenAlerts
      const sql = yield* SqlClient.SqlClient
      yield* down()
      const { id } = yield* only(ada.withKey)
      yield* sql`UPDATE deliveries SET status = 'delivered'`
      const until = Date.now() + 30 * minute
      const snoozed = yield* ada.withKey("POST", `/alerts/${id}/snooze`, { until: new Date(until).toISOString() })
      assert.deepInclude(snoozed.body, { state: "snoozed", snoozedUntil: new Date(until).toISOString() })
      assert.strictEqual((yield* only(ada.withKey, "?state=snoozed")).id, id)
      assert.strictEqual(yield* openAlerts.remind.pipe(at(until - minute)), 0)
      assert.strictEqual(yield* openAlerts.remind.pipe(at(until + minute)), 1)
      assert.strictEqual(yield* openAlerts.remind.pipe(at(until + 2 * minute)), 0)
      assert.deepInclude(yield* only(ada.withKey), { state: "open", snoozedUntil: null })
      const [, { data, name }] = (yield* events(ada.projectId)) as [any, any]
      assert.strictEqual(name, "snoozed")
      assert.deepInclude(data, { until: new Date(until).toISOString(), note: null })
    })
  )

  it.effect("handles all open alerts of a monitor", () =>
    Effect.gen(function* () {
      const { ada, down, monitor } = yield* outage()
      yield* ada.withKey("POST", "/alert-rules", { name: "Second" })
      const route = `/monitors/${monitor.id}/alerts`
      assert.deepStrictEqual((yield* ada.withKey("POST", `${route}/acknowledge`)).body, [])
      yield* down()
      const [one, two] = (yield* ada.withKey("GET", "/alerts")).body
      yield* ada.withKey("POST", `/alerts/${one.id}/acknowledge`, { note: "mine" })
      const all = yield* ada.withKey("POST", `${route}/acknowledge`, { note: "all of it" })
      assert.deepStrictEqual(
        all.body.map(({ id, note, state }: any) => [id, state, note]),
        [
          [two.id, "acknowledged", "all of it"],
          [one.id, "acknowledged", "mine"]
        ]
      )
      const back = yield* ada.withKey("POST", `${route}/unacknowledge`)
      assert.isTrue(back.body.every(({ state }: any) => state === "open"))
      const until = new Date(Date.now() + minute).toISOString()
      const snoozed = yield* ada.withKey("POST", `${route}/snooze`, { until })
      assert.isTrue(snoozed.body.every(({ state }: any) => state === "snoozed"))
      refused(yield* ada.withKey("POST", "/monitors/mon_other/alerts/acknowledge"), 404, "not_found")
    })
  )

  it.effect("does not show or change the alerts of another project", () =>
    Effect.gen(function* () {
      const { ada, down, monitor } = yield* outage()
      const ben = yield* person
      yield* down()
      const alert = yield* only(ada.withKey)
      for (const id of [alert.id, alert.entries[0].id]) {
        refused(yield* ben.withKey("GET", `/alerts/${id}`), 404, "not_found")
        refused(yield* ben.withKey("POST", `/alerts/${id}/acknowledge`), 404, "not_found")
      }
      refused(yield* ben.withKey("POST", `/monitors/${monitor.id}/alerts/acknowledge`), 404, "not_found")
      assert.deepStrictEqual((yield* ben.withKey("GET", `/alerts?monitorId=${monitor.id}`)).body, [])
    })
  )

  it.effect.each([
    ["acknowledge", { note: "x".repeat(2001) }, "note"],
    ["acknowledge", { nota: "x" }, "nota"],
    ["acknowledge", { note: 7 }, "note"],
    ["snooze", {}, "until"],
    ["snooze", { until: "tomorrow" }, "until"],
    ["snooze", { until: "2020-01-01T00:00:00.000Z" }, "until"],
    ["snooze", { until: "2199-01-01T00:00:00.000Z" }, "until"]
  ] as const)("refuse a bad body: case %#", ([verb, body, path]) =>
    Effect.gen(function* () {
      const { ada, down } = yield* outage()
      yield* down()
      const { id } = yield* only(ada.withKey)
      refused(yield* ada.withKey("POST", `/alerts/${id}/${verb}`, body), 422, "validation_failed", path)
    })
  )
})

layer(alertServer(), live)("silences", (it) => {
  const tomorrow = () => new Date(Date.now() + 1440 * minute).toISOString()

  it.effect("are created, listed newest first in pages, and ended", () =>
    Effect.gen(function* () {
      const { ada, monitor } = yield* outage()
      const until = tomorrow()
      const first = yield* ada.withKey("POST", "/silences", {
        monitorIds: [monitor.id, monitor.id],
        until,
        reason: "Move"
      })
      assert.strictEqual(first.status, 201, JSON.stringify(first.body))
      const { createdAt, id, ...silence } = first.body
      assert.match(createdAt, /^\d{4}-.*Z$/)
      assert.deepStrictEqual(silence, {
        projectId: ada.projectId,
        monitorIds: [monitor.id],
        tags: [],
        until,
        reason: "Move",
        createdBy: { kind: "key", name: "Project API key" }
      })
      const second = yield* ada.withSession(
        "POST",
        "/silences",
        { tags: ["db", "db"], until, reason: "Upgrade" },
        { "kanmon-project": ada.projectId }
      )
      assert.deepInclude(second.body, { monitorIds: [], tags: ["db"] })
      assert.strictEqual(second.body.createdBy.kind, "user")
      const page = yield* ada.withKey("GET", "/silences?limit=1")
      assert.deepStrictEqual(page.body, [second.body])
      const cursor = /cursor=([^>&]+)/.exec(page.headers.get("link") ?? "")?.[1]
      const rest = yield* ada.withKey("GET", `/silences?limit=1&cursor=${cursor}`)
      assert.deepStrictEqual([rest.body, rest.headers.get("link")], [[first.body], null])
      assert.deepStrictEqual((yield* ada.withKey("DELETE", `/silences/${id}`)).body, { id, deleted: true })
      refused(yield* ada.withKey("DELETE", `/silences/${id}`), 404, "not_found")
      assert.deepStrictEqual((yield* ada.withKey("GET", "/silences")).body, [second.body])
    })
  )

  it.effect("keep back notifications, and not the alert or the status", () =>
    Effect.gen(function* () {
      const { ada, down, monitor } = yield* outage()
      const { body } = yield* ada.withKey("POST", "/silences", {
        monitorIds: [monitor.id],
        until: tomorrow(),
        reason: "Move"
      })
      yield* down()
      const alert = yield* only(ada.withKey, "?state=open")
      assert.isTrue(alert.silenced)
      assert.strictEqual((yield* ada.withKey("GET", `/monitors/${monitor.id}`)).body.status, "down")
      const sql = yield* SqlClient.SqlClient
      const waiting = sql`SELECT id FROM deliveries WHERE project_id = ${ada.projectId}`
      assert.isEmpty(yield* waiting)
      yield* ada.withKey("DELETE", `/silences/${body.id}`)
      yield* (yield* OpenAlerts).release.pipe(at(Date.now()))
      assert.lengthOf(yield* waiting, 1)
      assert.isFalse((yield* only(ada.withKey)).silenced)
    })
  )

  it.effect("end by themselves, and are created once for one idempotency key", () =>
    Effect.gen(function* () {
      const { ada, monitor } = yield* outage()
      const silence = { monitorIds: [monitor.id], until: tomorrow(), reason: "Move" }
      const send = (body: object) => ada.withKey("POST", "/silences", body, { "idempotency-key": "move" })
      const once = yield* send(silence)
      assert.strictEqual((yield* send(silence)).body.id, once.body.id)
      refused(yield* send({ ...silence, reason: "Other" }), 422, "validation_failed")
      assert.lengthOf((yield* ada.withKey("GET", "/silences")).body, 1)
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE silences SET until = now() - interval '1 second' WHERE id = ${once.body.id}`
      assert.isEmpty((yield* ada.withKey("GET", "/silences")).body)
    })
  )

  it.effect("belong to their project", () =>
    Effect.gen(function* () {
      const { ada, monitor } = yield* outage()
      const ben = yield* person
      const silence = { monitorIds: [monitor.id], until: tomorrow(), reason: "Move" }
      refused(yield* ben.withKey("POST", "/silences", silence), 422, "validation_failed", "monitorIds[0]")
      const { body } = yield* ada.withKey("POST", "/silences", silence)
      assert.isEmpty((yield* ben.withKey("GET", "/silences")).body)
      refused(yield* ben.withKey("DELETE", `/silences/${body.id}`), 404, "not_found")
      assert.lengthOf((yield* ada.withKey("GET", "/silences")).body, 1)
    })
  )

  it.effect.each([
    [{}, "monitorIds"],
    [{ tags: ["Bad Tag"] }, "tags[0]"],
    [{ monitorIds: ["mon_none"] }, "monitorIds[0]"],
    [{ tags: ["db"], until: "2020-01-01T00:00:00.000Z" }, "until"],
    [{ tags: ["db"], until: "2199-01-01T00:00:00.000Z" }, "until"],
    [{ tags: ["db"], until: "soon" }, "until"],
    [{ tags: ["db"], reason: 7 }, "reason"],
    [{ tags: ["db"], ends: "soon" }, "ends"]
  ] as const)("refuse a bad body: case %#", ([body, path]) =>
    Effect.gen(function* () {
      const ada = yield* person
      const answer = yield* ada.withKey("POST", "/silences", { until: tomorrow(), reason: "Move", ...body })
      refused(answer, 422, "validation_failed", path)
      assert.isEmpty((yield* ada.withKey("GET", "/silences")).body)
    })
  )
})
