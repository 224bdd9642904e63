/** Drills: the whole chain for real, marked in every message, in no list and no figure, with a report that says who was reached. */
import { assert, layer } from "@effect/vitest"
import type { ChannelId, ContactMethodId } from "@kanmon/domain/Ids"
import { toIso } from "@kanmon/domain/Timestamp"
import { Drills } from "@kanmon/monitoring/drills"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as MovedClock from "../../support/MovedClock.ts"
import { Deliveries } from "@kanmon/monitoring/testing/delivery/Deliveries.ts"
import { conclude, delivered, escalating, failed, minute, ok, options, pass, stage, work } from "./EscalationStage.ts"
import { person, publicUrl, refused } from "./Server.ts"
import { join, organizationOf, verify } from "./Team.ts"

/** Begins and ends what is due. */
const drill = Effect.flatMap(Drills, ({ runDue }) => runDue(publicUrl))

/** A policy that pages Bob at once, and Carl 10 minutes later. */
const team = Effect.gen(function* () {
  // Accounts sign in by the machine's clock, and somebody who signed in long ago may not change much.
  yield* MovedClock.set(Date.now())
  const ada = yield* person
  const bob = yield* join(ada, "responder")
  const carl = yield* join(ada, "responder")
  const methods: Array<ContactMethodId> = []
  for (const one of [bob, carl]) {
    yield* verify(one)
    const [method] = ok(yield* one.withSession("GET", "/account/contact-methods"))
    methods.push(method.id)
  }
  const route = `/organizations/${yield* organizationOf(ada)}/escalation-policies`
  const steps = [bob, carl].map(({ userId }, step) => ({ afterMinutes: step * 10, notify: [{ userId }] }))
  const policy = ok(yield* ada.withSession("POST", route, { name: "People", steps }), 201)
  const start = (body: object = {}) =>
    Effect.map(ada.withKey("POST", "/drills", { policyId: policy.id, ...body }), (answer) => ok(answer, 201))
  const report = (id: string) => Effect.map(ada.withKey("GET", `/drills/${id}`), (answer) => ok(answer))
  return { ada, bob, carl, methods: methods as [ContactMethodId, ContactMethodId], policy, report, start }
})

/** The notices to a target, oldest first. */
const noticesTo = (id: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ notice: any; status: string; kind: string; topic: string }>`SELECT notice, status,
      subject_kind AS kind, topic FROM deliveries WHERE target_id = ${id} ORDER BY created_at, id`
    return rows
  })

const eventsOf = (projectId: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ subject: string; payload: string }>`SELECT event->>'subject' AS subject,
      event->>'payload' AS payload FROM outbox WHERE event->>'subject' LIKE ${`kanmon.events.${projectId}.%`} ORDER BY sequence`
    return rows.map(({ payload, subject }) => ({ name: subject.split(".").slice(3), data: JSON.parse(payload) }))
  })

layer(stage(), options)("a drill", (it) => {
  it.effect("pages the people of the policy until one answers, and reports who was reached after how long", () =>
    Effect.gen(function* () {
      const { ada, bob, methods, report, start } = yield* team
      const clock = yield* MovedClock.MovedClock
      const made = yield* start()
      assert.strictEqual(made.status, "running")
      yield* work
      yield* clock.move(5000)
      assert.isTrue(yield* conclude(methods[0], delivered))
      yield* work
      yield* drill
      const running = yield* report(made.id)
      assert.strictEqual(running.status, "running")
      const [alertId] = running.alertIds
      yield* clock.move(minute)
      const inProject = { "kanmon-project": ada.projectId }
      ok(yield* bob.withSession("POST", `/alerts/${alertId}/acknowledge`, undefined, inProject))
      yield* drill
      const ended = yield* report(made.id)
      assert.deepInclude(ended, { status: "acknowledged", detail: null })
      assert.strictEqual(ended.acknowledgedBy.kind, "user")
      assert.lengthOf(ended.people, 1)
      const [reached] = ended.people
      assert.deepInclude(reached, { userId: bob.userId, reachedBy: "email", failed: [], dropped: 0 })
      assert.isAtLeast(reached.reachedAfterSeconds, 5)
      assert.includeMembers(
        ended.timeline.map(({ type }: any) => type),
        ["opened", "step_ran", "page", "acknowledged", "resolved"]
      )
      yield* pass(30)
      assert.strictEqual((yield* report(made.id)).people.length, 1)
      assert.isFalse(yield* conclude(methods[1], delivered))
      // The person who was paged hears that it is over.
      const told = yield* noticesTo(methods[0])
      assert.strictEqual(told.at(-1)!.notice.event, "external_resolved")
      for (const { notice } of told.filter(({ kind }) => kind !== "acknowledgement")) {
        assert.match(notice.monitor.name, /^DRILL: People$/)
        assert.match(notice.reason, /^DRILL: /)
        assert.isTrue(notice.drill)
      }
    })
  )

  it.effect("is in no list, no figure, no event of alerts and no history, and has events of its own", () =>
    Effect.gen(function* () {
      const { ada, methods, report, start } = yield* team
      const made = yield* start()
      yield* work
      yield* conclude(methods[0], delivered)
      yield* work
      const organization = yield* organizationOf(ada)
      const look = Effect.gen(function* () {
        assert.deepStrictEqual(ok(yield* ada.withKey("GET", "/alerts")), [])
        assert.deepStrictEqual(ok(yield* ada.withKey("GET", "/alert-history")), [])
        assert.strictEqual(ok(yield* ada.withKey("GET", "/overview")).openAlerts, 0)
        const day = 86_400_000
        const now = yield* Clock.currentTimeMillis
        const window = `from=${toIso(now - day)}&to=${toIso(now + day)}`
        const figures = ok(yield* ada.withSession("GET", `/organizations/${organization}/analytics/on-call?${window}`))
        assert.strictEqual(
          figures.people.reduce((sum: number, one: any) => sum + (one.pages ?? 0), 0),
          0
        )
        assert.deepStrictEqual(figures.noisiestMonitors, [])
      })
      yield* look
      const [alertId] = (yield* report(made.id)).alertIds
      const alert = ok(yield* ada.withKey("GET", `/alerts/${alertId}`))
      assert.deepInclude(alert, { drillId: made.id, monitorId: null, source: null, ruleId: null })
      ok(yield* ada.withKey("POST", `/alerts/${alertId}/acknowledge`))
      yield* drill
      yield* look
      const events = (yield* eventsOf(ada.projectId)).filter(({ name }) => /alert|escalation|drill/.test(name[0]!))
      assert.deepStrictEqual(
        events.map(({ name }) => [name[0], name[2]]),
        [
          ["drill", "started"],
          ["drill", "ended"]
        ]
      )
      assert.deepInclude(events[1]!.data, { drillId: made.id, status: "acknowledged" })
    })
  )

  it.effect("ends where no one answers, after everyone was tried, and names what failed", () =>
    Effect.gen(function* () {
      const { ada, carl, bob, methods, report, start } = yield* team
      yield* verify(ada)
      const made = yield* start()
      yield* work
      assert.isTrue(yield* conclude(methods[0], failed))
      yield* work
      // Nobody was reached, so the next step runs at once.
      assert.isTrue(yield* conclude(methods[1], delivered))
      yield* work
      yield* drill
      yield* pass(10)
      yield* drill
      const trying = yield* report(made.id)
      assert.strictEqual(trying.status, "running")
      // The last step has had its ten minutes: the owner is paged as well.
      assert.strictEqual(trying.people.length, 3)
      assert.notInclude([bob.userId, carl.userId], trying.people.at(-1).userId)
      const sql = yield* SqlClient.SqlClient
      const rest = yield* sql<{ target: ContactMethodId }>`SELECT target_id AS target FROM deliveries
        WHERE notice->'monitor'->>'id' = ${made.id} AND status = 'pending'`
      for (const { target } of rest) yield* conclude(target, delivered)
      yield* work
      yield* drill
      const ended = yield* report(made.id)
      assert.strictEqual(ended.status, "exhausted")
      assert.strictEqual(ended.acknowledgedBy, null)
      const [first, second] = ended.people
      assert.deepStrictEqual(first.failed, [{ methodType: "email", detail: "as told" }])
      assert.strictEqual(first.reachedAfterSeconds, null)
      assert.isNotNull(second.reachedAfterSeconds)
    })
  )

  it.effect("makes no real page wait, and is in no message with one", () =>
    Effect.gen(function* () {
      const { ada, bob, methods, start } = yield* team
      yield* start()
      yield* work
      assert.isTrue(yield* conclude(methods[0], delivered))
      const route = `/organizations/${yield* organizationOf(ada)}/escalation-policies`
      const steps = [{ afterMinutes: 0, notify: [{ userId: bob.userId }] }]
      const policy = ok(yield* ada.withSession("POST", route, { name: "Real", steps }), 201)
      const draft = { name: "Elsewhere", trigger: "external", escalationPolicyId: policy.id }
      const rule = ok(yield* ada.withKey("POST", "/alert-rules", draft), 201)
      const sender = { name: "Sender", type: "generic", ruleId: rule.id }
      const { address } = ok(yield* ada.withKey("POST", "/integrations", sender), 201)
      const firing = { key: "a", status: "firing", title: "A", severity: "critical" }
      ok(yield* ada.withKey("POST", address.slice(`${publicUrl}/api/v1`.length), firing))
      yield* work
      assert.isTrue(yield* conclude(methods[0], delivered))
      const told = yield* noticesTo(methods[0])
      assert.deepStrictEqual(
        told.map(({ kind, status }) => [kind, status]),
        [
          ["drill", "delivered"],
          ["page", "delivered"]
        ]
      )
      assert.notInclude(JSON.stringify(told[1]!.notice), "DRILL")
    })
  )

  it.effect("of a rule tells its channels, and those of no other rule; one of a monitor tries all its rules", () =>
    Effect.gen(function* () {
      const { ada, channels, monitor, rule } = yield* escalating()
      ok(yield* ada.withKey("PATCH", `/alert-rules/${rule.id}`, { channelIds: [channels[1]] }))
      const third = { name: "Third", type: "webhook", config: { url: "https://example.org/third" } }
      const other = ok(yield* ada.withKey("POST", "/notification-channels", third), 201)
      ok(yield* ada.withKey("POST", "/alert-rules", { name: "Other", channelIds: [other.id] }), 201)
      const made = ok(yield* ada.withKey("POST", "/drills", { ruleId: rule.id }), 201)
      yield* work
      // The channel of the rule, and that of the first step; both say what they are.
      for (const id of channels) {
        const [first] = yield* noticesTo(id)
        assert.match(first!.notice.monitor.name, /^DRILL: /)
      }
      assert.deepStrictEqual(yield* noticesTo(other.id), [])
      const again = yield* ada.withKey("POST", "/drills", { ruleId: rule.id })
      refused(again, 409, "conflict")
      ok(yield* ada.withKey("DELETE", `/drills/${made.id}`))
      const stopped = ok(yield* ada.withKey("GET", `/drills/${made.id}`))
      assert.strictEqual(stopped.status, "stopped")
      assert.match(stopped.detail, /^Stopped by /)
      refused(yield* ada.withKey("DELETE", `/drills/${made.id}`), 409, "conflict")
      const whole = ok(yield* ada.withKey("POST", "/drills", { monitorId: monitor.id }), 201)
      yield* work
      assert.strictEqual(ok(yield* ada.withKey("GET", `/drills/${whole.id}`)).alertIds.length, 2)
      assert.notDeepEqual(yield* noticesTo(other.id), [])
      assert.strictEqual(ok(yield* ada.withKey("GET", `/monitors/${monitor.id}`)).status, monitor.status)
    })
  )

  it.effect("is in no group of a channel with real alerts", () =>
    Effect.gen(function* () {
      const { ada, channels, rule } = yield* escalating()
      ok(yield* ada.withKey("PATCH", `/alert-rules/${rule.id}`, { channelIds: [channels[1]] }))
      const draft = { name: "Elsewhere", trigger: "external", channelIds: [channels[1]] }
      const external = ok(yield* ada.withKey("POST", "/alert-rules", draft), 201)
      const sender = { name: "Sender", type: "generic", ruleId: external.id }
      const { address } = ok(yield* ada.withKey("POST", "/integrations", sender), 201)
      const post = (key: string) =>
        ada.withKey("POST", address.slice(`${publicUrl}/api/v1`.length), { key, status: "firing", title: key })
      ok(yield* post("a"))
      ok(yield* ada.withKey("POST", "/drills", { ruleId: rule.id }), 201)
      ok(yield* post("b"))
      ok(yield* post("c"))
      const deliveries = yield* Deliveries
      const sent: Array<ReadonlyArray<string>> = []
      for (;;) {
        const due = yield* deliveries.next(channels[1] as ChannelId, 1)
        if (due === undefined) break
        sent.push([due.notice.monitor.name, ...due.group.map(({ notice }) => notice.monitor.name)])
        yield* conclude(channels[1] as ChannelId, delivered)
      }
      const drills = sent.filter((names) => names.some((name) => name.startsWith("DRILL")))
      assert.deepStrictEqual(
        drills.map((names) => names.length),
        [1]
      )
    })
  )

  it.effect("is repeated at its time, and not begun where it is more than an hour late", () =>
    Effect.gen(function* () {
      const { ada, report, start } = yield* team
      const clock = yield* MovedClock.MovedClock
      const now = yield* Clock.currentTimeMillis
      const startsAt = now + 30 * minute
      const made = yield* start({ startsAt: toIso(startsAt), every: "week", timezone: "Europe/Berlin" })
      assert.strictEqual(made.status, "scheduled")
      yield* drill
      assert.strictEqual((yield* report(made.id)).status, "scheduled")
      yield* clock.move(30 * minute)
      yield* drill
      assert.strictEqual((yield* report(made.id)).status, "running")
      const list = Effect.map(ada.withKey("GET", "/drills"), (answer) => ok(answer) as ReadonlyArray<any>)
      const [next] = yield* list
      assert.deepInclude(next, { status: "scheduled", every: "week", timezone: "Europe/Berlin" })
      const week = 7 * 24 * 60 * minute
      assert.isAtMost(Math.abs(Date.parse(next.startsAt) - startsAt - week), 60 * minute)
      ok(yield* ada.withKey("DELETE", `/drills/${made.id}`))
      // Kanmon stands still for nine days.
      yield* clock.move(week + 2 * 24 * 60 * minute)
      yield* drill
      const [later] = yield* list
      assert.strictEqual((yield* report(next.id)).status, "skipped")
      assert.isAbove(Date.parse(later.startsAt), yield* Clock.currentTimeMillis)
      ok(yield* ada.withKey("DELETE", `/drills/${later.id}`))
      refused(yield* ada.withKey("GET", `/drills/${later.id}`), 404, "not_found")
      assert.isFalse((yield* list).some(({ status }) => status === "scheduled"))
    })
  )

  it.effect("needs one target that pages somebody, of the own project, at a time that is to come", () =>
    Effect.gen(function* () {
      const { ada, policy, start } = yield* team
      const eve = yield* person
      const quiet = ok(yield* ada.withKey("POST", "/alert-rules", { name: "Quiet" }), 201)
      const now = yield* Clock.currentTimeMillis
      const bodies: ReadonlyArray<readonly [object, string]> = [
        [{}, "policyId"],
        [{ policyId: policy.id, ruleId: quiet.id }, "policyId"],
        [{ ruleId: quiet.id }, "ruleId"],
        [{ monitorId: "mon_01m7xsj7t4c8b2v6k9wq3e5rzy" }, "monitorId"],
        [{ policyId: policy.id, startsAt: toIso(now - 60 * minute) }, "startsAt"],
        [{ policyId: policy.id, startsAt: toIso(now + 3 * 366 * 24 * 60 * minute) }, "startsAt"],
        [{ policyId: policy.id, every: "year" }, "every"],
        [{ policyId: policy.id, timezone: "Mars/Olympus" }, "timezone"]
      ]
      for (const [body, path] of bodies) {
        const answer = yield* ada.withKey("POST", "/drills", body)
        refused(answer, 422, "validation_failed")
        assert.strictEqual(answer.body.errors[0].path, path, JSON.stringify(body))
      }
      refused(yield* eve.withKey("POST", "/drills", { policyId: policy.id }), 422, "validation_failed")
      const made = yield* start()
      refused(yield* eve.withKey("GET", `/drills/${made.id}`), 404, "not_found")
      refused(yield* eve.withKey("DELETE", `/drills/${made.id}`), 404, "not_found")
      assert.deepStrictEqual(ok(yield* eve.withKey("GET", "/drills")), [])
    })
  )
})
