/** The time line of an alert, the next step at once, and people who are asked for. */
import { assert, layer } from "@effect/vitest"
import type { ContactMethodId } from "@kanmon/domain/Ids"
import { pageReason } from "@kanmon/domain/PageReason"
import { toIso } from "@kanmon/domain/Timestamp"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { layerOf } from "../../support/OnCallBodies.ts"
import * as AlertServer from "./AlertServer.ts"
import { conclude, delivered, escalating, failed, minute, ok, options, pass, stage, work } from "./EscalationStage.ts"
import { refused } from "./Server.ts"
import { join, organizationOf, verify } from "./Team.ts"

/** The messages of an alert to contact methods, as `purpose status`. */
const toPeople = (alertId: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return yield* sql<{ id: ContactMethodId; userId: string; purpose: string; status: string }>`SELECT
      d.contact_method_id AS id, m.user_id AS "userId", d.purpose, d.status FROM deliveries d
      JOIN contact_methods m ON m.id = d.contact_method_id WHERE d.subject_id = ${alertId} ORDER BY d.created_at, d.id`
  })

const deliverToPeople = Effect.fnUntraced(function* (alertId: string) {
  for (const { id, status } of yield* toPeople(alertId)) if (status === "pending") yield* conclude(id, delivered)
  yield* work
})

const types = (entries: ReadonlyArray<{ type: string }>) => entries.map(({ type }) => type)

/** A person who can be paged. */
const joined = (ada: any) =>
  Effect.gen(function* () {
    const person = yield* join(ada, "responder")
    yield* verify(person)
    return person
  })

layer(stage(), options)("the time line of an alert", (it) => {
  it.effect("has each step, each page with its attempts, what people did, and the end", () =>
    Effect.gen(function* () {
      const { act, ada, channels, deliver, open, up } = yield* escalating()
      const alert = yield* open
      yield* work
      yield* deliver(failed)
      yield* deliver()
      ok(yield* act("POST", `/alerts/${alert.id}/acknowledge`, { note: "On it" }))
      yield* up()
      const entries = ok(yield* ada.withKey("GET", `/alerts/${alert.id}/timeline`))
      assert.deepStrictEqual(types(entries).toSorted(), [
        "acknowledged",
        "opened",
        "page",
        "page",
        "resolved",
        "step_ran",
        "step_ran"
      ])
      assert.deepStrictEqual(types(entries).slice(0, 2), ["opened", "step_ran"])
      const pages = entries.flatMap(({ page, ...entry }: any) => (page === null ? [] : [{ ...entry, ...page }]))
      assert.deepStrictEqual(
        pages.map(({ channelId, outcome, round, step, attempts }: any) => [
          channels.indexOf(channelId),
          outcome,
          round,
          step,
          attempts.length
        ]),
        [
          [0, "failed", 0, 0, 1],
          [1, "reached", 0, 1, 1]
        ]
      )
      const acknowledged = entries.find(({ type }: any) => type === "acknowledged")
      assert.deepInclude(acknowledged, { note: "On it", by: { kind: "user", name: acknowledged.by.name } })
      // By one of its entries in the history, too; and for no other project.
      const entry = alert["entries"][0].id
      assert.lengthOf(ok(yield* ada.withKey("GET", `/alerts/${entry}/timeline`)), entries.length)
      const other = yield* escalating()
      refused(yield* other.ada.withKey("GET", `/alerts/${alert.id}/timeline`), 404, "not_found")
    })
  )

  it.effect("runs the next step at once for all who saw the same one, and takes an acknowledgement back", () =>
    Effect.gen(function* () {
      const { act, ada, messages, open, sql } = yield* escalating({}, [0, 60])
      const from = yield* Clock.currentTimeMillis
      const alert = yield* open
      yield* work
      ok(yield* act("POST", `/alerts/${alert.id}/acknowledge`))
      const seen = ok(yield* ada.withKey("GET", `/alerts/${alert.id}`)).escalation
      assert.deepInclude(seen, { status: "acknowledged", nextStep: 1, step: 1, held: false, nextAt: null })
      const both = yield* Effect.all(
        [1, 2].map(() => act("POST", `/alerts/${alert.id}/escalate`, { step: seen.nextStep })),
        { concurrency: "unbounded" }
      )
      for (const answer of both) assert.deepInclude(ok(answer), { state: "open", acknowledgedBy: null })
      assert.deepStrictEqual((yield* messages(alert.id, from)).slice(1), ["0 2 open pending"])
      const entries = ok(yield* ada.withKey("GET", `/alerts/${alert.id}/timeline`))
      assert.lengthOf(
        entries.filter(({ type }: any) => type === "escalated"),
        1
      )
      const { escalation } = ok(yield* ada.withKey("GET", `/alerts/${alert.id}`))
      assert.deepInclude(escalation, { status: "open", nextStep: 2, step: null })
      const log = ok(yield* ada.withKey("GET", "/audit-log?action=alert.escalated"))
      assert.deepStrictEqual(
        log.map(({ after }: any) => after),
        [{ step: 1 }]
      )
      const told = yield* sql<{ data: any; name: string }>`SELECT (event->>'payload')::json AS data,
        reverse(split_part(reverse(event->>'subject'), '.', 1)) AS name FROM outbox
        WHERE event->>'subject' LIKE ${`kanmon.events.%.escalation.${alert.id}.%`} ORDER BY sequence`
      assert.deepStrictEqual(
        told.map(({ data, name }) => `${name} ${data.change ?? data.outcome} ${data.step}`),
        [
          "changed step_ran 0",
          "paged pending 0",
          "settled dropped 0",
          "changed escalated null",
          "changed step_ran 1",
          "paged pending 1"
        ]
      )
      const events = yield* AlertServer.events(ada.projectId)
      assert.strictEqual(events.at(-1)?.name, "unacknowledged")
      // With no step left, the policy begins again.
      ok(yield* act("POST", `/alerts/${alert.id}/escalate`, { step: 2 }))
      assert.deepStrictEqual((yield* messages(alert.id, from)).slice(2), ["0 1 repeat pending"])
    })
  )

  it.effect("refuses to escalate what is over, held, or without a policy", () =>
    Effect.gen(function* () {
      const { act, ada, monitor, open, rule, up } = yield* escalating()
      const alert = yield* open
      const route = `/alerts/${alert.id}/escalate`
      const until = toIso((yield* Clock.currentTimeMillis) + 60 * minute)
      const silence = ok(
        yield* ada.withKey("POST", "/silences", { monitorIds: [monitor.id], until, reason: "Moving" }),
        201
      )
      refused(yield* act("POST", route, { step: 0 }), 409, "conflict")
      ok(yield* ada.withKey("DELETE", `/silences/${silence.id}`))
      for (const body of [{}, { step: -1 }, { step: "1" }, { step: 0, more: 1 }])
        refused(yield* act("POST", route, body), 422, "validation_failed")
      yield* up()
      refused(yield* act("POST", route, { step: 0 }), 409, "conflict")
      ok(yield* ada.withKey("PATCH", `/alert-rules/${rule.id}`, { escalationPolicyId: null }))
      const plain = yield* escalating()
      ok(yield* plain.ada.withKey("PATCH", `/alert-rules/${plain.rule.id}`, { escalationPolicyId: null }))
      const other = yield* plain.open
      assert.isNull(other["escalation"])
      const refusal = yield* plain.act("POST", `/alerts/${other.id}/escalate`, { step: 0 })
      refused(refusal, 409, "conflict")
      assert.include(refusal.body.detail, "no escalation policy")
    })
  )

  it.effect("opens an alert again whose acknowledgement was followed by a snooze that ends", () =>
    Effect.gen(function* () {
      const { act, ada, messages, open } = yield* escalating()
      const from = yield* Clock.currentTimeMillis
      const alert = yield* open
      yield* work
      ok(yield* act("POST", `/alerts/${alert.id}/acknowledge`))
      const until = toIso(from + 30 * minute)
      assert.strictEqual(ok(yield* act("POST", `/alerts/${alert.id}/snooze`, { until })).state, "snoozed")
      yield* pass(31)
      assert.strictEqual(ok(yield* ada.withKey("GET", `/alerts/${alert.id}`)).state, "open")
      assert.lengthOf(yield* messages(alert.id, from), 1)
      yield* pass(10)
      assert.lengthOf(yield* messages(alert.id, from), 2)
    })
  )
})

layer(stage(), options)("people who are asked for", (it) => {
  // The first ones let no time pass: members join while the clock is that of their sessions.
  it.effect("are named by exactly one field, are of the organization, and can be reached", () =>
    Effect.gen(function* () {
      const { act, ada, open } = yield* escalating()
      const other = yield* escalating()
      const viewer = yield* join(ada, "viewer")
      const away = yield* joined(ada)
      const alert = yield* open
      const route = `/alerts/${alert.id}/page`
      for (const body of [{}, { userId: ada.userId, teamId: "team_x" }, { note: "Help" }, { channelId: "ch_x" }])
        refused(yield* act("POST", route, body), 422, "validation_failed")
      for (const { userId } of [other.ada, viewer])
        refused(yield* act("POST", route, { userId }), 422, "validation_failed", "userId")
      refused(yield* act("POST", route, { teamId: "team_none" }), 422, "validation_failed", "teamId")
      refused(yield* act("POST", route, { scheduleId: "sch_none" }), 422, "validation_failed", "scheduleId")
      const now = yield* Clock.currentTimeMillis
      const days = [{ from: toIso(now - minute), to: toIso(now + 1440 * minute) }]
      ok(yield* away.withSession("PUT", "/account/away", days))
      refused(yield* act("POST", route, { userId: away.userId }), 409, "conflict")
      const organizationId = yield* organizationOf(ada)
      const team = ok(yield* ada.withSession("POST", `/organizations/${organizationId}/teams`, { name: "SRE" }), 201)
      refused(yield* act("POST", route, { teamId: team.id }), 409, "conflict")
      assert.isEmpty(yield* toPeople(alert.id))
    })
  )

  it.effect("are paged until their own answer, also about an alert that somebody else acknowledged", () =>
    Effect.gen(function* () {
      const { act, ada, open } = yield* escalating()
      const bob = yield* joined(ada)
      const alert = yield* open
      yield* work
      const [method] = ok(yield* bob.withSession("GET", "/account/contact-methods"))
      ok(
        yield* bob.withSession("PUT", "/account/notification-rules", {
          critical: [{ afterMinutes: 3, contactMethodId: method.id }]
        })
      )
      const answer = ok(yield* act("POST", `/alerts/${alert.id}/page`, { userId: bob.userId, note: "The gateway" }))
      assert.deepStrictEqual(answer, { userIds: [bob.userId], unreachable: [] })
      ok(yield* act("POST", `/alerts/${alert.id}/acknowledge`))
      yield* pass(4)
      assert.deepStrictEqual(
        (yield* toPeople(alert.id)).map(({ status, userId }) => [userId, status]),
        [[bob.userId, "pending"]]
      )
      const own = yield* bob.withSession(
        "POST",
        `/alerts/${alert.id}/acknowledge`,
        { note: "Me too" },
        {
          "kanmon-project": ada.projectId
        }
      )
      assert.strictEqual(
        ok(own).acknowledgedBy.name,
        ok(yield* ada.withKey("GET", `/alerts/${alert.id}`)).acknowledgedBy.name
      )
      assert.deepStrictEqual(
        (yield* toPeople(alert.id)).map(({ status }) => status),
        ["failed"]
      )
      const entries = ok(yield* ada.withKey("GET", `/alerts/${alert.id}/timeline`))
      const asked = entries.find(({ type }: any) => type === "asked")
      assert.deepInclude(asked, { note: "The gateway", round: null })
      const { page } = entries.find(({ page: one }: any) => one?.cause === "asked")
      assert.deepInclude(page, { userId: bob.userId, methodType: "email", outcome: "dropped" })
      const log = ok(yield* ada.withKey("GET", "/audit-log?action=alert.paged"))
      assert.deepStrictEqual(
        log.map(({ after }: any) => after),
        [{ userId: bob.userId, note: "The gateway" }]
      )
    })
  )

  it.effect("are paged about alerts without a policy, and hear of the recovery", () =>
    Effect.gen(function* () {
      const { act, ada, open, rule, sql, up } = yield* escalating()
      const bob = yield* joined(ada)
      ok(yield* ada.withKey("PATCH", `/alert-rules/${rule.id}`, { escalationPolicyId: null }))
      const alert = yield* open
      ok(yield* act("POST", `/alerts/${alert.id}/page`, { userId: bob.userId, note: "The gateway" }))
      const [sent] = yield* sql<{ reason: string; why: ReadonlyArray<object> }>`SELECT notice->>'reason' AS reason,
        notice->'why' AS why FROM deliveries WHERE subject_id = ${alert.id} AND contact_method_id IS NOT NULL`
      const entries = ok(yield* ada.withKey("GET", `/alerts/${alert.id}/timeline`))
      const { by } = entries.find(({ type }: any) => type === "asked")
      const why = pageReason("asked", { name: by.name, note: "The gateway" })
      assert.deepStrictEqual(entries.find(({ page }: any) => page !== null).page.reason, why)
      assert.deepStrictEqual(sent, { reason: alert["reason"], why: [why] })
      assert.deepInclude(ok(yield* ada.withKey("GET", `/alerts/${alert.id}`)).escalation, { policyId: null })
      yield* deliverToPeople(alert.id)
      for (const route of ["acknowledge", "unacknowledge"]) ok(yield* act("POST", `/alerts/${alert.id}/${route}`))
      yield* pass(30)
      yield* up()
      assert.deepStrictEqual(
        (yield* toPeople(alert.id)).map(({ purpose, status, userId }) => [userId, purpose, status]).toSorted(),
        [
          // That somebody has it, which was taken back before it was sent.
          [bob.userId, "close", "failed"],
          [bob.userId, "close", "pending"],
          [bob.userId, "open", "delivered"]
        ]
      )
    })
  )
})

layer(stage(), options)("a page", (it) => {
  it.effect(
    "says why the person gets it, with the names as they were, also when they change, and for a shared one",
    () =>
      Effect.gen(function* () {
        const { ada, open, path, paging, sql } = yield* escalating()
        const bob = yield* joined(ada)
        const organizationId = yield* organizationOf(ada)
        const schedules = `/organizations/${organizationId}/schedules`
        const body = { name: "Primary", timezone: "UTC", layers: [layerOf("Days", [bob.userId, ada.userId])] }
        const schedule = ok(yield* ada.withSession("POST", schedules, body), 201)
        const [turn] = ok(yield* ada.withSession("GET", `/organizations/${organizationId}/on-call`))
        const policy = yield* paging(bob, 60)
        const notify = [
          { scheduleId: schedule.id, position: turn.userId === bob.userId ? "now" : "next" },
          { userId: bob.userId }
        ]
        const steps = [{ afterMinutes: 0, notify }]
        ok(yield* ada.withSession("PATCH", `${path}/${policy.id}`, { steps }))
        ok(
          yield* ada.withKey("POST", "/alert-rules", {
            name: "Other",
            trigger: "monitor_down",
            channelIds: [],
            escalationPolicyId: policy.id
          }),
          201
        )
        yield* open
        yield* work
        ok(yield* ada.withSession("PATCH", `${schedules}/${schedule.id}`, { name: "Renamed" }))
        ok(yield* ada.withSession("PATCH", `${path}/${policy.id}`, { name: "Renamed" }))
        const alerts = ok(yield* ada.withKey("GET", "/alerts?state=open"))
        assert.lengthOf(alerts, 2)
        for (const { id } of alerts) {
          const { page } = ok(yield* ada.withKey("GET", `/alerts/${id}/timeline`)).find((one: any) => one.page !== null)
          assert.deepInclude(page.reason, { name: "Primary", policy: "People", step: 0 })
          const isNow = turn.userId === bob.userId
          assert.deepInclude(
            page.reason,
            isNow ? { kind: "on_call", until: turn.until } : { kind: "next_on_call", from: turn.next.from }
          )
        }
        const sent = yield* sql<{ why: ReadonlyArray<object> }>`SELECT notice->'why' AS why FROM deliveries d
        JOIN contact_methods m ON m.id = d.contact_method_id WHERE m.user_id = ${bob.userId}`
        assert.strictEqual(sent.length, 1)
        assert.deepInclude(sent[0]!.why[0], { name: "Primary", policy: "People" })
      })
  )

  it.effect(
    "goes to owners at the end of a policy with the reason that no one was reached, or that no one answered",
    () =>
      Effect.gen(function* () {
        const reasons: Array<object> = []
        for (const outcome of [failed, delivered]) {
          const { ada, deliver, open } = yield* escalating({ repeatAfterMinutes: 5 }, [0])
          const alert = yield* open
          yield* verify(ada)
          yield* work
          yield* deliver(outcome)
          yield* pass(20)
          const entries = ok(yield* ada.withKey("GET", `/alerts/${alert.id}/timeline`))
          reasons.push(...entries.flatMap(({ page }: any) => (page?.cause === "exhausted" ? [page.reason] : [])))
          assert.isNull(entries.find(({ page }: any) => page?.channelId != null).page.reason)
        }
        assert.deepStrictEqual(reasons, [
          pageReason("no_one_reached", { policy: "Shop" }),
          pageReason("no_one_answered", { policy: "Shop" })
        ])
      })
  )
})
