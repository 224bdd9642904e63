/** On-call duty when people are away, leave, lose their role or delete their account; and the calendars that they read. */
import { assert, layer } from "@effect/vitest"
import { Handoffs } from "@kanmon/monitoring/on-call"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as MovedClock from "../../support/MovedClock.ts"
import { layerOf } from "../../support/OnCallBodies.ts"
import { join, organizationOf } from "./Team.ts"
import { call, layer as server, password, person, refused } from "./Server.ts"

const noon = Date.parse("2026-03-10T12:00:00Z")

const stage = () => Layer.provideMerge(server(), MovedClock.layer)
const options = { timeout: "2 minutes", excludeTestServices: true } as const

/** Two layers of one person each: bob has the turn, and ada would have it without him. */
const duty = Effect.gen(function* () {
  yield* MovedClock.set(noon)
  const ada = yield* person
  const bob = yield* join(ada, "responder")
  const organizationId = yield* organizationOf(ada)
  const made = yield* ada.withSession("POST", `/organizations/${organizationId}/schedules`, {
    name: "Shop",
    timezone: "UTC",
    layers: [layerOf("Backup", [ada.userId]), layerOf("Primary", [bob.userId])]
  })
  assert.strictEqual(made.status, 201, JSON.stringify(made.body))
  const path = `/organizations/${organizationId}/schedules/${made.body.id}`
  const onCall = Effect.map(
    ada.withSession("GET", `/organizations/${organizationId}/on-call`),
    ({ body }) => body[0].userId as string | null
  )
  /** Who was on call one after the other since the schedule was created. */
  const past = Effect.map(
    ada.withSession("GET", `${path}/shifts?from=2026-03-10T12:30:00Z&to=2026-03-12T00:00:00Z`),
    ({ body }) => body.shifts.map(({ userId }: { userId: string | null }) => userId)
  )
  const warnings = Effect.map(ada.withSession("GET", path), ({ body }) =>
    // How people are reached is in `NotificationRules.test.ts`.
    body.warnings.flatMap(({ code }: { code: string }) => (/unreachable|email/.test(code) ? [] : code))
  )
  return { ada, bob, organizationId, path, onCall, past, warnings, scheduleId: made.body.id as string }
})

layer(stage(), options)("somebody on call", (it) => {
  it.effect("who leaves has been on call until then, and is not any more", () =>
    Effect.gen(function* () {
      const { ada, bob, onCall, organizationId, past, path, scheduleId, warnings } = yield* duty
      assert.strictEqual(yield* onCall, bob.userId)
      yield* MovedClock.moveHours(3)
      const left = yield* ada.withSession("DELETE", `/organizations/${organizationId}/members/${bob.userId}`)
      assert.strictEqual(left.status, 200)
      assert.strictEqual(yield* onCall, ada.userId)
      assert.deepStrictEqual(yield* warnings, ["participant_left"])
      // Nothing else is asked of who left: the schedule can be edited and keeps them until somebody takes them out.
      assert.strictEqual((yield* ada.withSession("PATCH", path, { name: "Shop 2" })).status, 200)
      yield* MovedClock.moveHours(5)
      yield* Effect.flatMap(Handoffs, ({ recordDue }) => recordDue)
      yield* MovedClock.moveHours(30)
      assert.deepStrictEqual((yield* past).slice(0, 2), [bob.userId, ada.userId])
      const sql = yield* SqlClient.SqlClient
      const events = yield* sql<{ event: { payload: string } }>`SELECT event FROM outbox
        WHERE event->>'subject' = ${`kanmon.events.${organizationId}.on-call.${scheduleId}.changed`} ORDER BY sequence`
      assert.deepStrictEqual(
        events.map(({ event }) => {
          const { previousUserId, userId } = JSON.parse(event.payload)
          return [previousUserId, userId]
        }),
        [
          [null, bob.userId],
          [bob.userId, ada.userId]
        ]
      )
    })
  )

  it.effect("whose role is lowered is replaced, and is back with the role", () =>
    Effect.gen(function* () {
      const { ada, bob, onCall, organizationId, past, warnings } = yield* duty
      const member = `/organizations/${organizationId}/members/${bob.userId}`
      yield* MovedClock.moveHours(2)
      assert.strictEqual((yield* ada.withSession("PATCH", member, { role: "viewer" })).status, 200)
      assert.strictEqual(yield* onCall, ada.userId)
      assert.deepStrictEqual(yield* warnings, ["participant_may_not_respond"])
      yield* MovedClock.moveHours(2)
      assert.strictEqual((yield* ada.withSession("PATCH", member, { role: "responder" })).status, 200)
      assert.strictEqual(yield* onCall, bob.userId)
      yield* MovedClock.moveHours(2)
      assert.deepStrictEqual(yield* past, [bob.userId, ada.userId, bob.userId])
    })
  )

  it.effect("who is on call sees their next shifts, of every organization, until they leave it", () =>
    Effect.gen(function* () {
      const { ada, bob, organizationId } = yield* duty
      const own = (who: typeof bob) => Effect.map(who.withSession("GET", "/account/shifts"), ({ body }) => body)
      const shifts = yield* own(bob)
      assert.isNotEmpty(shifts)
      assert.isAtMost(shifts.length, 20)
      assert.deepInclude(shifts[0], { organizationId, scheduleName: "Shop" })
      assert.match(shifts[0].from, /^2026-03-10T12:00:/)
      // It goes on for longer than is looked at.
      assert.isNull(shifts.at(-1).to)
      assert.deepStrictEqual(
        shifts.map(({ from }: any) => from),
        shifts.map(({ from }: any) => from).toSorted()
      )
      assert.deepStrictEqual(yield* own(ada), [])
      assert.strictEqual((yield* ada.withKey("GET", "/account/shifts")).status, 403)
      const away = { from: "2026-03-10T13:00:00.000Z", to: "2026-03-20T00:00:00.000Z" }
      yield* bob.withSession("PUT", "/account/away", [away])
      assert.deepInclude((yield* own(bob))[0], { to: away.from })
      assert.deepInclude((yield* own(ada))[0], away)
      yield* ada.withSession("DELETE", `/organizations/${organizationId}/members/${bob.userId}`)
      assert.deepStrictEqual(yield* own(bob), [])
    })
  )

  it.effect("who is away is replaced meanwhile", () =>
    Effect.gen(function* () {
      const { ada, bob, onCall, past, path, warnings } = yield* duty
      const away = [
        { from: "2026-03-10T14:00:00.000Z", to: "2026-03-10T16:00:00.000Z" },
        { from: "2026-03-10T15:00:00.000Z", to: "2026-03-10T18:00:00.000Z" }
      ]
      const set = yield* bob.withSession("PUT", "/account/away", away)
      const joined = [{ from: "2026-03-10T14:00:00.000Z", to: "2026-03-10T18:00:00.000Z" }]
      assert.deepStrictEqual([set.status, set.body], [200, joined])
      yield* bob.withSession("POST", "/account/calendar")
      const { onCall: own } = (yield* bob.withSession("GET", "/account/export")).body
      assert.deepStrictEqual([own.away.length, own.overrides, own.calendars.length], [1, [], 1])
      assert.notInclude(JSON.stringify(own), "token_hash")
      const { owned } = (yield* ada.withSession("GET", "/account/export")).body
      assert.deepStrictEqual(owned.schedules, [])
      assert.deepStrictEqual((yield* bob.withSession("GET", "/account/away")).body, joined)
      assert.strictEqual(yield* onCall, bob.userId)
      const coming = yield* ada.withSession("GET", `${path}/shifts?from=2026-03-10T13:00:00Z&to=2026-03-10T20:00:00Z`)
      assert.deepStrictEqual(
        coming.body.shifts.map(({ from, userId }: any) => [from.slice(11, 16), userId]),
        [
          ["13:00", bob.userId],
          ["14:00", ada.userId],
          ["18:00", bob.userId]
        ]
      )
      yield* MovedClock.moveHours(3)
      assert.strictEqual(yield* onCall, ada.userId)
      assert.deepStrictEqual(yield* warnings, ["participant_away"])
      // Back early: the hour that is over stays as it was.
      assert.strictEqual((yield* bob.withSession("PUT", "/account/away", [])).status, 200)
      assert.strictEqual(yield* onCall, bob.userId)
      assert.deepStrictEqual(yield* past, [bob.userId, ada.userId, bob.userId])
      const wrong = yield* bob.withSession("PUT", "/account/away", [
        { from: "2026-03-11T14:00:00Z", to: "2026-03-11T13:00:00Z" },
        { from: "2026-03-01T14:00:00Z", to: "2026-03-02T13:00:00Z" }
      ])
      refused(wrong, 422, "validation_failed")
      assert.deepStrictEqual(
        wrong.body.errors.map(({ path }: { path: string }) => path),
        ["[0].to", "[1].to"]
      )
    })
  )

  it.effect("who deletes their account leaves a turn that is nobody's", () =>
    Effect.gen(function* () {
      const { ada, bob, onCall, organizationId, past, path, warnings } = yield* duty
      yield* MovedClock.moveHours(1)
      const schedule = yield* ada.withSession("GET", path)
      const alone = { layers: [schedule.body.layers[1]] }
      assert.strictEqual((yield* ada.withSession("PATCH", path, alone)).status, 200)
      assert.strictEqual((yield* bob.withSession("DELETE", "/account", { password })).status, 200)
      assert.isNull(yield* onCall)
      assert.deepStrictEqual(yield* warnings, ["participant_left"])
      yield* MovedClock.moveHours(2)
      assert.deepStrictEqual(yield* past, [bob.userId, null])
      const now = yield* ada.withSession("GET", `/organizations/${organizationId}/on-call`)
      assert.deepInclude(now.body[0], { userId: null, until: null, next: null })
    })
  )
})

const eventsOf = (text: string): ReadonlyArray<string> =>
  text
    .replaceAll("\r\n ", "")
    .split("\r\n")
    .filter((line) => line.startsWith("SUMMARY:"))

const feed = Effect.fnUntraced(function* (url: string) {
  const { body, headers, status } = yield* call("GET", url.slice(url.indexOf("/calendars/")))
  return { body: body as string, type: headers.get("content-type"), status }
})

layer(stage(), options)("a calendar", (it) => {
  it.effect("of a schedule has its shifts, can be rotated and ended, and says when it was used", () =>
    Effect.gen(function* () {
      const { ada, bob, path } = yield* duty
      refused(yield* ada.withSession("GET", `${path}/calendar`), 404, "not_found")
      refused(yield* bob.withSession("POST", `${path}/calendar`), 403, "forbidden")
      const made = yield* ada.withSession("POST", `${path}/calendar`)
      assert.strictEqual(made.status, 201, JSON.stringify(made.body))
      assert.match(made.body.url, /\/api\/v1\/calendars\/[0-9A-Za-z]{43}\.ics$/)
      const read = yield* feed(made.body.url)
      assert.deepStrictEqual([read.status, read.type], [200, "text/calendar; charset=utf-8"])
      assert.isTrue(read.body.startsWith("BEGIN:VCALENDAR\r\n") && read.body.endsWith("END:VCALENDAR\r\n"))
      assert.deepStrictEqual([...new Set(eventsOf(read.body))], ["SUMMARY:Ada: Shop"])
      const uids = (text: string) => text.match(/^UID:.*$/gm)
      assert.deepStrictEqual(uids((yield* feed(made.body.url)).body), uids(read.body))
      const used = yield* ada.withSession("GET", `${path}/calendar`)
      assert.isString(used.body.lastUsedAt)
      assert.notProperty(used.body, "url")

      const again = yield* ada.withSession("POST", `${path}/calendar`)
      assert.strictEqual((yield* feed(made.body.url)).status, 404)
      assert.strictEqual((yield* feed(again.body.url)).status, 200)
      assert.strictEqual((yield* ada.withSession("DELETE", `${path}/calendar`)).status, 200)
      assert.strictEqual((yield* feed(again.body.url)).status, 404)
      for (const name of ["x.ics", `${"a".repeat(43)}.ics`, "a".repeat(43), `${"a".repeat(99)}`])
        refused(yield* call("GET", `/calendars/${name}`), 404, "not_found")
    })
  )

  it.effect("is kept as a hash alone, and its names cannot add lines", () =>
    Effect.gen(function* () {
      const { ada, bob, path } = yield* duty
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE users SET name = ${"Bob\r\nATTENDEE:mailto:eve@example.org; x, y"} WHERE id = ${bob.userId}`
      const { url } = (yield* ada.withSession("POST", `${path}/calendar`)).body
      const token = url.split("/").at(-1).slice(0, -4)
      const rows = yield* sql<{ token_hash: string }>`SELECT token_hash FROM calendar_tokens`
      assert.isTrue(rows.every(({ token_hash }) => !token_hash.includes(token)))
      const lines = (yield* feed(url)).body.replaceAll("\r\n ", "").split("\r\n")
      assert.isFalse(lines.some((line) => line.startsWith("ATTENDEE")))
      assert.isTrue(lines.includes(String.raw`SUMMARY:Bob\nATTENDEE:mailto:eve@example.org\; x\, y: Shop`))
    })
  )

  it.effect("loses an organization with the person who leaves it, and shared ones end then", () =>
    Effect.gen(function* () {
      const { ada, bob, organizationId, path } = yield* duty
      const shared = (yield* ada.withSession("POST", `${path}/calendar`)).body.url
      const own = yield* bob.withSession("POST", "/account/calendar")
      assert.strictEqual(own.status, 201, JSON.stringify(own.body))
      assert.isNotEmpty(eventsOf((yield* feed(own.body.url)).body))
      yield* ada.withSession("DELETE", `/organizations/${organizationId}/members/${bob.userId}`)
      const after = yield* feed(own.body.url)
      assert.deepStrictEqual([after.status, eventsOf(after.body)], [200, []])
      assert.strictEqual((yield* feed(shared)).status, 404)
      assert.strictEqual((yield* bob.withSession("GET", "/account/calendar")).status, 200)
      assert.strictEqual((yield* bob.withSession("DELETE", "/account/calendar")).status, 200)
      refused(yield* bob.withSession("DELETE", "/account/calendar"), 404, "not_found")
    })
  )
})
