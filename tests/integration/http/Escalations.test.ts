/** Escalations of alerts: steps over time, acts of people, silences, and everything that happens at the same time. */
import { assert, layer } from "@effect/vitest"
import { Escalations } from "@kanmon/monitoring/escalation"
import type { DeliveryOutcome } from "@kanmon/monitoring/testing/delivery/Deliveries.ts"
import { AcknowledgeLinks } from "@kanmon/monitoring/testing/alerts/AcknowledgeLinks.ts"
import type { AlertId, ChannelId, ContactMethodId } from "@kanmon/domain/Ids"
import { toIso } from "@kanmon/domain/Timestamp"
import { Clock, Effect } from "effect"
import { telegram } from "../../support/OnCallBodies.ts"
import * as AlertServer from "./AlertServer.ts"
import { conclude, delivered, escalating, failed, minute, ok, options, pass, stage, work } from "./EscalationStage.ts"
import { confirmMethod, join, verify } from "./Team.ts"
import { call, refused } from "./Server.ts"

layer(stage(), options)("an escalation", (it) => {
  it.effect("runs its steps and rounds until it is exhausted, and tells of the recovery", () =>
    Effect.gen(function* () {
      const { deliver, messages, open, up } = yield* escalating({ repeat: 1, repeatAfterMinutes: 5 })
      const from = yield* Clock.currentTimeMillis
      const alert = yield* open
      yield* work
      yield* deliver()
      yield* Effect.replicateEffect(Effect.andThen(pass(1), deliver()), 50, { discard: true })
      assert.deepStrictEqual(yield* messages(alert.id, from), [
        "0 1 open delivered",
        "10 2 open delivered",
        "15 1 repeat delivered",
        "25 2 repeat delivered"
      ])
      yield* up()
      yield* deliver()
      const closings = (yield* messages(alert.id, from)).filter((message) => message.includes("close"))
      assert.deepStrictEqual(closings.map((message) => message.replace(/^-?\d+ /, "")).toSorted(), [
        "1 close delivered",
        "2 close delivered"
      ])
    })
  )

  it.effect("goes on at once when every page of a step has failed for good", () =>
    Effect.gen(function* () {
      const { deliver, messages, open } = yield* escalating({}, [0, 60])
      const from = yield* Clock.currentTimeMillis
      const alert = yield* open
      yield* work
      assert.strictEqual(yield* deliver(failed), 1)
      assert.strictEqual(yield* deliver(failed), 1)
      assert.deepStrictEqual(yield* messages(alert.id, from), ["0 1 open failed", "0 2 open failed"])
    })
  )

  it.effect("stops at an acknowledgement, and goes on with the step that was next when it is taken back", () =>
    Effect.gen(function* () {
      const { act, deliver, messages, open } = yield* escalating()
      const from = yield* Clock.currentTimeMillis
      const alert = yield* open
      yield* work
      ok(yield* act("POST", `/alerts/${alert.id}/acknowledge`))
      assert.strictEqual(yield* deliver(), 0)
      yield* pass(30)
      assert.deepStrictEqual(yield* messages(alert.id, from), ["0 1 open failed"])
      ok(yield* act("POST", `/alerts/${alert.id}/unacknowledge`))
      yield* pass(9)
      assert.strictEqual(yield* deliver(), 0)
      yield* pass(1)
      assert.deepStrictEqual((yield* messages(alert.id, from)).slice(1), ["40 2 open pending"])
    })
  )

  it.effect("is named by the page behind the link of a message, before and after it has stopped", () =>
    Effect.gen(function* () {
      const { open, sql } = yield* escalating({ acknowledgeTimeoutMinutes: 20 })
      const alert = yield* open
      yield* work
      const [sent] = yield* sql<{ id: string; entryId: AlertId; targetId: ChannelId }>`SELECT id, entry_id AS "entryId",
        target_id AS "targetId" FROM deliveries WHERE subject_id = ${alert.id}`
      const links = yield* AcknowledgeLinks
      const path = `/public/acknowledgements/${links.tokenOf(sent!, yield* Clock.currentTimeMillis)}`
      const before = yield* call("GET", path)
      assert.include(before.body, "Reminders and the escalation stop: no one else is woken.")
      assert.notInclude(before.body, "Nothing else changes")
      const after = yield* call("POST", path)
      assert.include(after.body, "Reminders and the escalation have stopped: no one else is woken.")
      for (const { body } of [before, after])
        assert.include(body, "still open 20 minutes after the acknowledgement, the escalation goes on")
    })
  )

  it.effect("opens an alert again whose acknowledgement has run out", () =>
    Effect.gen(function* () {
      const { act, ada, messages, open } = yield* escalating({ acknowledgeTimeoutMinutes: 20 })
      const from = yield* Clock.currentTimeMillis
      const alert = yield* open
      yield* work
      ok(yield* act("POST", `/alerts/${alert.id}/acknowledge`))
      yield* pass(19)
      const acknowledged = ok(yield* ada.withKey("GET", `/alerts/${alert.id}`))
      assert.strictEqual(acknowledged.state, "acknowledged")
      yield* pass(2)
      assert.strictEqual(ok(yield* ada.withKey("GET", `/alerts/${alert.id}`)).state, "open")
      const events = yield* AlertServer.events(ada.projectId)
      const last = events.findLast(({ name }) => name === "unacknowledged")
      assert.isTrue(last?.data.ranOut)
      assert.deepStrictEqual(last?.data.by, acknowledged.acknowledgedBy)
      yield* pass(10)
      assert.deepStrictEqual((yield* messages(alert.id, from)).slice(1), ["30 2 open pending"])
    })
  )

  it.effect("is frozen by a snooze, and what remained runs on at its end", () =>
    Effect.gen(function* () {
      const { act, deliver, messages, open } = yield* escalating()
      const from = yield* Clock.currentTimeMillis
      const alert = yield* open
      yield* work
      yield* deliver()
      yield* pass(4)
      const until = toIso((yield* Clock.currentTimeMillis) + 60 * minute)
      ok(yield* act("POST", `/alerts/${alert.id}/snooze`, { until }))
      yield* pass(65)
      assert.lengthOf(yield* messages(alert.id, from), 1)
      yield* pass(2)
      assert.deepStrictEqual((yield* messages(alert.id, from)).slice(1), ["70 2 open pending"])
    })
  )

  it.effect("is held by a silence, and begins from its first step when that ends", () =>
    Effect.gen(function* () {
      const { ada, messages, monitor, open } = yield* escalating()
      const from = yield* Clock.currentTimeMillis
      const alert = yield* open
      yield* work
      yield* pass(2)
      const silence = ok(
        yield* ada.withKey("POST", "/silences", {
          monitorIds: [monitor.id],
          until: toIso(from + 300 * minute),
          reason: "Moving"
        }),
        201
      )
      yield* pass(30)
      assert.deepStrictEqual(yield* messages(alert.id, from), ["0 1 open failed"])
      ok(yield* ada.withKey("DELETE", `/silences/${silence.id}`))
      yield* pass(11)
      assert.deepStrictEqual((yield* messages(alert.id, from)).slice(1), ["33 1 repeat pending", "43 2 open pending"])
    })
  )

  it.effect("ends with the deletion of its monitor, and sends nothing about it", () =>
    Effect.gen(function* () {
      const { ada, deliver, monitor, open, sql } = yield* escalating()
      const alert = yield* open
      yield* work
      ok(yield* ada.withKey("DELETE", `/monitors/${monitor.id}`))
      assert.strictEqual(yield* deliver(), 0)
      yield* pass(15)
      assert.isEmpty(yield* sql`SELECT FROM deliveries WHERE subject_id = ${alert.id} AND status = 'pending'`)
    })
  )

  it.effect("goes on when the contact method of a page is deleted before it is sent", () =>
    Effect.gen(function* () {
      const { deliver, messages, open, sql } = yield* escalating({}, [0, 60])
      const from = yield* Clock.currentTimeMillis
      const alert = yield* open
      yield* work
      yield* sql`DELETE FROM deliveries WHERE subject_id = ${alert.id}`
      yield* pass(1)
      assert.deepStrictEqual(yield* messages(alert.id, from), ["1 2 open pending"])
      yield* deliver()
    })
  )

  it.effect("sends one message for an outage however many rules have the policy", () =>
    Effect.gen(function* () {
      const { ada, channels, deliver, made, open, sql } = yield* escalating({ repeat: 1, repeatAfterMinutes: 5 })
      const other = {
        name: "Also down",
        trigger: "monitor_down",
        channelIds: [channels[0]],
        escalationPolicyId: made.id
      }
      ok(yield* ada.withKey("POST", "/alert-rules", other), 201)
      yield* open
      yield* work
      yield* deliver()
      yield* Effect.replicateEffect(Effect.andThen(pass(1), deliver()), 16, { discard: true })
      const sent = yield* sql<{ channel_id: string; count: number }>`SELECT channel_id, count(*)::int AS count
        FROM deliveries WHERE channel_id = ANY(${channels}::text[]) AND status = 'delivered' AND shared_with IS NULL
        GROUP BY 1`
      const counts = new Map(sent.map(({ channel_id, count }) => [channel_id, count]))
      assert.deepStrictEqual([counts.get(channels[0]!), counts.get(channels[1]!)], [2, 1])
    })
  )

  it.effect("acknowledged by two people at once has one of them, and runs nothing more", () =>
    Effect.gen(function* () {
      const { act, ada, messages, open } = yield* escalating()
      const from = yield* Clock.currentTimeMillis
      const alert = yield* open
      const both = yield* Effect.all(
        [
          act("POST", `/alerts/${alert.id}/acknowledge`),
          ada.withKey("POST", `/alerts/${alert.id}/acknowledge`),
          Effect.as(work, undefined)
        ],
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(both.flatMap((answer) => answer?.status ?? []).toSorted(), [200, 409])
      yield* pass(30)
      assert.isFalse((yield* messages(alert.id, from)).some((message) => message.endsWith("pending")))
    })
  )

  it.effect("is claimed once, also by many engines at once and after a stop between due row and delivery", () =>
    Effect.gen(function* () {
      const { messages, open } = yield* escalating()
      const from = yield* Clock.currentTimeMillis
      const alert = yield* open
      const { runDue } = yield* Escalations
      // A stop before the commit leaves nothing behind.
      yield* Effect.timeoutOption(runDue, 0)
      yield* Effect.all(
        Array.from({ length: 8 }, () => runDue),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(yield* messages(alert.id, from), ["0 1 open pending"])
    })
  )

  it.effect("belongs to a policy of the rule's organization, which is not deleted before the rule gives it up", () =>
    Effect.gen(function* () {
      const one = yield* escalating()
      const other = yield* escalating()
      const rule = `/alert-rules/${one.rule.id}`
      const foreign = yield* one.ada.withKey("PATCH", rule, { escalationPolicyId: other.made.id })
      refused(foreign, 422, "validation_failed", "escalationPolicyId")
      const policy = `${one.path}/${one.made.id}`
      const inUse = yield* one.ada.withSession("DELETE", policy)
      refused(inUse, 409, "conflict")
      assert.include(inUse.body.detail, "the alert rule Down")
      assert.isNull(ok(yield* one.ada.withKey("PATCH", rule, { escalationPolicyId: null })).escalationPolicyId)
      ok(yield* one.ada.withSession("DELETE", policy))
    })
  )

  it.effect("keeps the steps of an alert as they were when it opened", () =>
    Effect.gen(function* () {
      const { ada, channels, made, messages, open, path } = yield* escalating()
      const from = yield* Clock.currentTimeMillis
      const alert = yield* open
      yield* work
      ok(
        yield* ada.withSession("PATCH", `${path}/${made.id}`, {
          steps: [{ afterMinutes: 0, notify: [{ channelId: channels[0] }] }]
        })
      )
      yield* pass(11)
      assert.deepStrictEqual((yield* messages(alert.id, from)).slice(1), ["10 2 open pending"])
    })
  )
})

// The last one lets time pass: members join while the clock is that of their sessions.
layer(stage(), options)("an escalation to people", (it) => {
  it.effect("pages people by their account's verified address, and owners at the end when no one was reached", () =>
    Effect.gen(function* () {
      const { ada, open, paging, sql, up } = yield* escalating()
      const bob = yield* join(ada, "responder")
      yield* verify(ada, bob)
      yield* paging(bob, 5)
      const alert = yield* open
      yield* work
      const paged = Effect.map(
        sql<{
          user_id: string
          purpose: string
          status: string
        }>`SELECT m.user_id, d.purpose, d.status FROM deliveries d
          JOIN contact_methods m ON m.id = d.contact_method_id WHERE d.subject_id = ${alert.id}
          ORDER BY d.created_at, d.id`,
        (rows) => rows.map((row) => `${row.user_id === bob.userId ? "bob" : "ada"} ${row.purpose} ${row.status}`)
      )
      assert.deepStrictEqual(yield* paged, ["bob open pending"])
      const concludeAll = Effect.fnUntraced(function* (outcome: DeliveryOutcome) {
        const rows = yield* sql<{ id: ContactMethodId }>`SELECT contact_method_id AS id FROM deliveries
          WHERE subject_id = ${alert.id} AND status = 'pending'`
        for (const { id } of rows) assert.isTrue(yield* conclude(id, outcome))
        yield* work
      })
      yield* concludeAll(failed)
      assert.deepStrictEqual(yield* paged, ["bob open failed", "ada open pending"])
      yield* concludeAll(delivered)
      yield* up()
      assert.deepStrictEqual(
        (yield* paged).filter((one) => one.includes("close")),
        ["ada close pending"]
      )
    })
  )

  it.effect("pages people by their own rules for the severity of the alert, until one of them answers", () =>
    Effect.gen(function* () {
      const { act, ada, open, paging, path, sql } = yield* escalating()
      const bob = yield* join(ada, "responder")
      yield* verify(bob)
      const chat = ok(yield* bob.withSession("POST", "/account/contact-methods", telegram), 201)
      yield* confirmMethod(chat.id)
      const [account] = ok(yield* bob.withSession("GET", "/account/contact-methods"))
      const rules = {
        critical: [
          { afterMinutes: 0, contactMethodId: chat.id },
          { afterMinutes: 5, contactMethodId: account.id }
        ],
        warning: [{ afterMinutes: 2, contactMethodId: account.id }]
      }
      ok(yield* bob.withSession("PUT", "/account/notification-rules", rules))
      const made = yield* paging(bob, 60)

      const preview = (severity: string) =>
        Effect.map(
          ada.withSession("POST", `${path}/${made.id}/preview?at=2027-03-10T12:00:00Z&severity=${severity}`, {}),
          (answer) =>
            ok(answer)
              .entries.filter(({ type, userId }: any) => type === "page" && userId === bob.userId)
              .map(({ at }: any) => at.slice(11, 16))
        )
      assert.deepStrictEqual(yield* preview("critical"), ["12:00", "12:05"])
      assert.deepStrictEqual(yield* preview("warning"), ["12:02"])

      const from = yield* Clock.currentTimeMillis
      const alert = yield* open
      yield* work
      yield* pass(6)
      ok(yield* act("POST", `/alerts/${alert.id}/acknowledge`))
      yield* pass(10)
      const rows = yield* sql<{
        id: string
        created_at: Date
      }>`SELECT contact_method_id AS id, created_at FROM deliveries
        WHERE subject_id = ${alert.id} ORDER BY created_at, id`
      assert.deepStrictEqual(
        rows.map(({ created_at, id }) => [id, Math.floor((created_at.getTime() - from) / minute)]),
        [
          [chat.id, 0],
          [account.id, 5]
        ]
      )
    })
  )
})
