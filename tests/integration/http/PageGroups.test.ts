/** Pages to one person: the first at once, the others of the same minute in one message, each alert in exactly one. */
import { assert, layer } from "@effect/vitest"
import type { ContactMethodId, MonitorId, ProjectId } from "@kanmon/domain/Ids"
import { Deliveries } from "@kanmon/monitoring/testing/delivery/Deliveries.ts"
import { Clock, Effect } from "effect"
import { tried } from "../../support/Attempts.ts"
import * as MovedClock from "../../support/MovedClock.ts"
import { evaluateBatch, noon, observed } from "../../support/Stage.ts"
import { delivered, escalating, minute, ok, options, stage, work } from "./EscalationStage.ts"
import { join, verify } from "./Team.ts"
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
