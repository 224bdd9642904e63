/** The link in a notification that acknowledges: once, for a time, and only when somebody presses the button. */
import { assert, layer } from "@effect/vitest"
import { AcknowledgeLinks } from "@kanmon/monitoring/testing/alerts/AcknowledgeLinks.ts"
import { localInstant } from "@kanmon/domain/TimeZone"
import type { AlertId, ChannelId } from "@kanmon/domain/Ids"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { layer as alertServer, outage } from "./AlertServer.ts"
import { call } from "./Server.ts"

const live = { excludeTestServices: true } as const
const day = 86_400_000

/** An outage, and the address of the link in its only notification. */
const linked = (signedAt = Date.now()) =>
  Effect.gen(function* () {
    const made = yield* outage()
    yield* made.down()
    const sql = yield* SqlClient.SqlClient
    const links = yield* AcknowledgeLinks
    const [sent] = yield* sql<{ id: string; entryId: AlertId; targetId: ChannelId }>`SELECT id,
      entry_id AS "entryId", target_id AS "targetId" FROM deliveries WHERE project_id = ${made.ada.projectId}`
    const state = Effect.map(made.ada.withKey("GET", "/alerts"), ({ body }) => body[0].state as string)
    return { ...made, sent: sent!, path: `/public/acknowledgements/${links.tokenOf(sent!, signedAt)}`, state }
  })

layer(alertServer(), live)("the link of a notification", (it) => {
  it.effect("acknowledges once, without signing in, and names the channel", () =>
    Effect.gen(function* () {
      const { ada, path, state } = yield* linked()
      const page = yield* call("GET", path)
      assert.strictEqual(page.status, 200)
      assert.include(page.body, "<button>Acknowledge</button>")
      assert.include(page.body, "Shop: too slow")
      assert.strictEqual(page.headers.get("cache-control"), "no-store")
      assert.strictEqual(yield* state, "open")
      const done = yield* call("POST", path)
      assert.strictEqual(done.status, 200, done.body)
      const { body } = yield* ada.withKey("GET", "/alerts?state=acknowledged")
      assert.deepStrictEqual(body[0].acknowledgedBy, { kind: "link", name: "On call" })
      const [entry] = (yield* ada.withKey("GET", "/audit-log?action=alert.*")).body
      assert.deepInclude(entry, { action: "alert.acknowledged", address: "127.0.0.1" })
      assert.deepStrictEqual(entry.actor, { kind: "person", id: null, name: "the link sent to On call" })
      const replayed = yield* call("POST", path)
      assert.strictEqual(replayed.status, 409)
      assert.include(replayed.body, "already used")
      // Also after the acknowledgement was taken back.
      yield* ada.withKey("POST", `/alerts/${body[0].id}/unacknowledge`)
      assert.strictEqual((yield* call("POST", path)).status, 409)
      assert.strictEqual(yield* state, "open")
      assert.notInclude((yield* call("GET", path)).body, "<button>")
    })
  )

  it.effect("does nothing for mail scanners and browsers that load it ahead", () =>
    Effect.gen(function* () {
      const { path, state } = yield* linked()
      for (const [method, headers] of [
        ["HEAD", {}],
        ["GET", {}],
        ["GET", { "sec-purpose": "prefetch" }],
        ["GET", { "sec-purpose": "prefetch;prerender" }],
        ["GET", { purpose: "prefetch" }],
        ["POST", { "sec-purpose": "prefetch" }]
      ] as const) {
        const answer = yield* call(method, path, undefined, headers)
        assert.isBelow(answer.status, 500, method)
        assert.strictEqual(yield* state, "open", `${method} ${JSON.stringify(headers)}`)
      }
      assert.strictEqual((yield* call("POST", path)).status, 200, "it still works for a person")
    })
  )

  it.effect("is refused when it is too old, changed, or of another channel", () =>
    Effect.gen(function* () {
      const old = yield* linked(Date.now() - 8 * day)
      const other = yield* linked()
      const links = yield* AcknowledgeLinks
      const swapped = links.tokenOf({ ...other.sent, targetId: old.sent.targetId }, Date.now())
      const [body, expires, code] = other.path.split("/").at(-1)!.split(".") as [string, string, string]
      const later = (Number.parseInt(expires, 36) + 1).toString(36)
      for (const path of [
        old.path,
        `/public/acknowledgements/${swapped}`,
        `/public/acknowledgements/${body}.${later}.${code}`,
        `/public/acknowledgements/${body}.${expires}.${"A".repeat(22)}`,
        `/public/acknowledgements/${old.sent.id.slice(4)}.${expires}.${code}`,
        "/public/acknowledgements/nonsense"
      ]) {
        for (const method of ["GET", "POST"]) {
          const answer = yield* call(method, path)
          assert.strictEqual(answer.status, 404, `${method} ${path}`)
        }
      }
      assert.strictEqual(yield* old.state, "open")
      assert.strictEqual(yield* other.state, "open")
    })
  )

  it.effect("says who was first, and that an alert is over", () =>
    Effect.gen(function* () {
      const first = yield* linked()
      yield* first.ada.withKey("POST", `/monitors/${first.monitor.id}/alerts/acknowledge`)
      const late = yield* call("POST", first.path)
      assert.strictEqual(late.status, 409)
      assert.include(late.body, "already acknowledged by the API key Project API key")
      const over = yield* linked()
      yield* over.up()
      const answer = yield* call("POST", over.path)
      assert.strictEqual(answer.status, 409)
      assert.include(answer.body, "The alert was resolved at")
    })
  )

  it.effect("shows the present state and the next step after it was used", () =>
    Effect.gen(function* () {
      const { ada, path, up } = yield* linked()
      const id = (yield* ada.withKey("GET", "/alerts")).body[0].id as string
      const shown = (what: string) =>
        Effect.map(call("GET", path), ({ body, status }) => {
          assert.strictEqual(status, 200)
          assert.include(body, "This link was already used")
          assert.include(body, what)
          assert.include(body, `/alerts/${id}?project=`)
          assert.notInclude(body, "<button>")
        })
      const done = yield* call("POST", path)
      assert.include(done.body, "Acknowledged by the link sent to On call at")
      yield* shown("Acknowledged by the link sent to On call at")
      const again = yield* call("POST", path)
      assert.include(again.body, "Acknowledged by the link sent to On call at")
      yield* ada.withKey("POST", `/alerts/${id}/unacknowledge`)
      yield* shown("not acknowledged")
      yield* shown("use the link of the next reminder, or sign in")
      const until = new Date(Date.now() + 3_600_000).toISOString()
      yield* ada.withKey("POST", `/alerts/${id}/snooze`, { until })
      yield* shown("Snoozed by the API key Project API key until")
      yield* up()
      yield* shown("Resolved at")
      yield* shown("nothing left to do")
    })
  )

  it.effect("says since when and until when in the time zone of the project", () =>
    Effect.gen(function* () {
      const { ada, path, up } = yield* linked()
      const zone = { timezone: "Asia/Tokyo" }
      assert.strictEqual((yield* ada.withSession("PATCH", `/projects/${ada.projectId}`, zone)).status, 200)
      const [alert] = (yield* ada.withKey("GET", "/alerts")).body
      const shown = (words: string, at: string) =>
        Effect.map(call("GET", path), ({ body }) =>
          assert.include(body, `${words} ${localInstant(Math.floor(Date.parse(at) / 1000) * 1000, "Asia/Tokyo")}`)
        )
      yield* shown("Open since", alert.openedAt)
      assert.strictEqual((yield* call("POST", path)).status, 200)
      const [acknowledged] = (yield* ada.withKey("GET", "/alerts")).body
      yield* shown("at", acknowledged.acknowledgedAt)
      yield* up()
      const [resolved] = (yield* ada.withKey("GET", "/alerts?state=resolved")).body
      yield* shown("Resolved at", resolved.resolvedAt)
      assert.notInclude((yield* call("GET", path)).body, " UTC<")
    })
  )

  it.effect("says who acknowledged before the button was pressed, instead of asking", () =>
    Effect.gen(function* () {
      const { ada, monitor, path } = yield* linked()
      yield* ada.withKey("POST", `/monitors/${monitor.id}/alerts/acknowledge`, { note: "on <it>" })
      const { body } = yield* call("GET", path)
      assert.include(body, "Already acknowledged")
      assert.include(body, "Acknowledged by the API key Project API key at")
      assert.include(body, "on &lt;it&gt;")
      assert.notInclude(body, "<button>")
    })
  )

  it.effect("works for one of many who press at once", () =>
    Effect.gen(function* () {
      const { path } = yield* linked()
      const answers = yield* Effect.all(
        Array.from({ length: 8 }, () => call("POST", path)),
        {
          concurrency: "unbounded"
        }
      )
      assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [200, ...Array<number>(7).fill(409)])
    })
  )
})
