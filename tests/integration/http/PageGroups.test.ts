/** Pages to one person: the first at once, the others of the same minute in one message, each alert in exactly one. */
import { assert, layer } from "@effect/vitest"
import type { ContactMethodId, MonitorId, ProjectId } from "@kanmon/domain/Ids"
import { Deliveries } from "@kanmon/monitoring/testing/delivery/Deliveries.ts"
import { Clock, Effect } from "effect"
import { tried } from "../../support/Attempts.ts"
import { telegram } from "../../support/OnCallBodies.ts"
import * as MovedClock from "../../support/MovedClock.ts"
import { evaluateBatch, noon, observed } from "../../support/Stage.ts"
import { delivered, escalating, minute, ok, options, stage, work } from "./EscalationStage.ts"
import { confirmMethod, join, verify } from "./Team.ts"
import { shop } from "./Server.ts"

layer(stage(), options)("pages of many alerts at once", (it) => {
  it.effect("are one message, and what follows is one more when a minute has passed", () =>
    Effect.gen(function* () {
      const { ada, paging, sql } = yield* escalating()
      const bob = yield* join(ada, "responder")
      yield* verify(bob)
      yield* paging(bob, 60)
      const [method] = ok(yield* bob.withSession("GET", "/account/contact-methods"))
      const target = method.id as ContactMethodId
      const monitors: Array<{ readonly id: MonitorId; readonly projectId: ProjectId }> = []
      for (let index = 0; index < 12; index++) {
        const made = ok(yield* ada.withKey("POST", "/monitors", { ...shop, name: `Shop ${index}` }), 201)
        monitors.push({ id: made.id, projectId: ada.projectId as ProjectId })
      }
      const at = Math.floor((Date.now() - noon) / minute)
      const fail = (from: number, to: number) =>
        Effect.andThen(evaluateBatch(monitors.slice(from, to).map((monitor) => observed(monitor, at, "down"))), work)
      const deliveries = yield* Deliveries
      const clock = yield* MovedClock.MovedClock
      /** Sends the next message; returns the number of its alerts, 0 when nothing is due. */
      const send = Effect.gen(function* () {
        const due = yield* deliveries.next(target)
        if (due === undefined) return 0
        yield* deliveries.begin(due)
        yield* deliveries.conclude(due, tried(yield* Clock.currentTimeMillis, "delivered", "as told"), delivered)
        return 1 + due.group.length
      })
      yield* fail(0, 1)
      assert.strictEqual(yield* send, 1)
      yield* fail(1, 5)
      assert.strictEqual(yield* send, 0)
      yield* fail(5, 12)
      assert.strictEqual(yield* send, 0)
      yield* clock.move(minute)
      assert.strictEqual(yield* send, 11)
      assert.strictEqual(yield* send, 0)
      yield* work

      const alerts = ok(yield* ada.withKey("GET", "/alerts?state=open&limit=100"))
      assert.lengthOf(alerts, 12)
      const told: Array<number> = []
      for (const { id } of alerts) {
        const pages = ok(yield* ada.withKey("GET", `/alerts/${id}/timeline`)).flatMap(({ page }: any) => page ?? [])
        assert.deepStrictEqual(
          pages.map(({ outcome, userId }: any) => [outcome, userId]),
          [["reached", bob.userId]]
        )
        told.push(pages[0].alerts)
      }
      assert.deepStrictEqual(
        told.toSorted((one, other) => one - other),
        [1, ...Array.from({ length: 11 }, () => 11)]
      )
      const [row] = yield* sql<{ count: number }>`SELECT count(*)::int AS count FROM deliveries
        WHERE contact_method_id = ${target}`
      assert.strictEqual(row!.count, 12)
    })
  )
})

layer(stage(), options)("calls to one number", (it) => {
  it.effect("are three in a quarter of an hour, whoever has the number, and the next one is about all that waits", () =>
    Effect.gen(function* () {
      const { act, ada, path, rule } = yield* escalating()
      const people = [yield* join(ada, "responder"), yield* join(ada, "responder")]
      const targets: Array<ContactMethodId> = []
      for (const one of people) {
        const phone = ok(yield* one.withSession("POST", "/account/contact-methods", telegram), 201)
        yield* confirmMethod(phone.id)
        const critical = [{ afterMinutes: 0, contactMethodId: phone.id }]
        ok(yield* one.withSession("PUT", "/account/notification-rules", { critical }))
        targets.push(phone.id)
      }
      const steps = [{ afterMinutes: 0, notify: [{ userId: people[0]!.userId }] }]
      const policy = ok(yield* ada.withSession("POST", path, { name: "Calls", steps, repeatAfterMinutes: 600 }), 201)
      ok(yield* ada.withKey("PATCH", `/alert-rules/${rule.id}`, { escalationPolicyId: policy.id }))
      const monitors: Array<{ readonly id: MonitorId; readonly projectId: ProjectId }> = []
      for (let index = 0; index < 6; index++) {
        const made = ok(yield* ada.withKey("POST", "/monitors", { ...shop, name: `Shop ${index}` }), 201)
        monitors.push({ id: made.id, projectId: ada.projectId as ProjectId })
      }
      const at = Math.floor((Date.now() - noon) / minute)
      const deliveries = yield* Deliveries
      const clock = yield* MovedClock.MovedClock
      const fail = (index: number) => Effect.andThen(evaluateBatch([observed(monitors[index]!, at, "down")]), work)
      /** Calls, if that may be; returns the number of alerts. */
      const ring = Effect.gen(function* () {
        const due = yield* deliveries.next(targets[0]!, undefined, null, "call")
        if (due === undefined) return 0
        yield* deliveries.begin(due)
        yield* deliveries.conclude(due, tried(yield* Clock.currentTimeMillis, "delivered", "as told"), delivered)
        return 1 + due.group.length
      })
      for (let index = 0; index < 3; index++) {
        yield* fail(index)
        assert.strictEqual(yield* ring, 1)
        yield* clock.move(minute)
      }
      yield* fail(3)
      yield* fail(4)
      assert.strictEqual(yield* ring, 0)
      // The other person's calls go to the same number.
      const [alert] = ok(yield* ada.withKey("GET", "/alerts?state=open&limit=1"))
      ok(yield* act("POST", `/alerts/${alert.id}/page`, { userId: people[1]!.userId }))
      assert.isUndefined(yield* deliveries.next(targets[1]!, undefined, null, "call"))
      yield* clock.move(12 * minute)
      assert.strictEqual(yield* ring, 2)
      assert.isUndefined(yield* deliveries.next(targets[1]!, undefined, null, "call"))
      yield* clock.move(minute)
      assert.isDefined(yield* deliveries.next(targets[1]!, undefined, null, "call"))
    })
  )
})

const many = 1000

layer(stage(), options)("a thousand alerts at once on a policy of three people", (it) => {
  it.effect("are two messages to each: the first alert at once, all others together, and each of them once", () =>
    Effect.gen(function* () {
      const { act, ada, path, rule, sql } = yield* escalating()
      const people = [yield* join(ada, "responder"), yield* join(ada, "responder"), yield* join(ada, "responder")]
      yield* verify(...people)
      const notify = people.map(({ userId }) => ({ userId }))
      const steps = [{ afterMinutes: 0, notify }]
      const policy = ok(yield* ada.withSession("POST", path, { name: "Three", steps, repeatAfterMinutes: 60 }), 201)
      ok(yield* ada.withKey("PATCH", `/alert-rules/${rule.id}`, { escalationPolicyId: policy.id }))
      const targets: Array<ContactMethodId> = []
      for (const one of people) {
        const [method] = ok(yield* one.withSession("GET", "/account/contact-methods"))
        targets.push(method.id)
      }
      const monitors = yield* Effect.forEach(Array.from({ length: many }), (_, index) =>
        Effect.map(ada.withKey("POST", "/monitors", { ...shop, name: `Shop ${index}` }), (answer) => ({
          id: ok(answer, 201).id as MonitorId,
          projectId: ada.projectId as ProjectId
        }))
      )
      const at = Math.floor((Date.now() - noon) / minute)
      const fail = (from: number, to: number) =>
        Effect.andThen(evaluateBatch(monitors.slice(from, to).map((monitor) => observed(monitor, at, "down"))), work)
      const deliveries = yield* Deliveries
      const clock = yield* MovedClock.MovedClock
      /** Sends what is due to each person; returns the number of alerts in each message. */
      const sendAll = Effect.forEach(targets, (target) =>
        Effect.gen(function* () {
          const due = yield* deliveries.next(target)
          if (due === undefined) return 0
          yield* deliveries.begin(due)
          yield* deliveries.conclude(due, tried(yield* Clock.currentTimeMillis, "delivered", "as told"), delivered)
          return 1 + due.group.length
        })
      )
      yield* fail(0, 1)
      assert.deepStrictEqual(yield* sendAll, [1, 1, 1])
      yield* fail(1, many)
      yield* clock.move(minute)
      assert.deepStrictEqual(yield* sendAll, [many - 1, many - 1, many - 1])
      assert.deepStrictEqual(yield* sendAll, [0, 0, 0])
      yield* work

      const ofPeople = sql`contact_method_id = ANY(${targets}::text[])`
      const [told] =
        yield* sql`SELECT count(*)::int AS pages, count(DISTINCT (subject_id, contact_method_id))::int AS "alertsOfPeople",
          count(*) FILTER (WHERE grouped_with IS NULL)::int AS messages, count(*) FILTER (WHERE status = 'delivered')::int AS delivered
        FROM deliveries WHERE ${ofPeople}`
      assert.deepStrictEqual(
        { ...told },
        { pages: 3 * many, alertsOfPeople: 3 * many, messages: 6, delivered: 3 * many }
      )
      const [paged] = yield* sql`SELECT count(*)::int AS pages, count(DISTINCT (alert_id, user_id))::int AS once
        FROM escalation_pages WHERE method_id = ANY(${targets}::text[]) AND outcome = 'reached'`
      assert.deepStrictEqual({ ...paged }, { pages: 3 * many, once: 3 * many })

      // An acknowledgement ends an alert for all of them: each is told who has it, and no one is paged for it again.
      const [first] = ok(yield* ada.withKey("GET", "/alerts?state=open&limit=1"))
      ok(yield* act("POST", `/alerts/${first.id}/acknowledge`, {}))
      yield* work
      assert.deepStrictEqual(yield* sendAll, [1, 1, 1])
      const [word] = yield* sql`SELECT count(*)::int AS words FROM deliveries
        WHERE ${ofPeople} AND subject_kind = 'acknowledgement' AND status = 'delivered'`
      assert.deepStrictEqual({ ...word }, { words: 3 })
      assert.deepStrictEqual(yield* sendAll, [0, 0, 0])
    })
  )
})
