/** Figures about on-call duty: of people, alerts and monitors, for the person and for administrators. */
import { assert, layer } from "@effect/vitest"
import type { ContactMethodId } from "@kanmon/domain/Ids"
import { Clock, Effect } from "effect"
import { MovedClock } from "../../support/MovedClock.ts"
import { layerOf } from "../../support/OnCallBodies.ts"
import { conclude, delivered, escalating, minute, ok, options, stage, work } from "./EscalationStage.ts"
import { person, refused } from "./Server.ts"
import { join, organizationOf, verify } from "./Team.ts"

layer(stage(), options)("figures about on-call duty", (it) => {
  it.effect("tell what people did, to themselves and to administrators, and which monitor paged", () =>
    Effect.gen(function* () {
      const { act, ada, open, paging, monitor, up } = yield* escalating()
      const organizationId = yield* organizationOf(ada)
      const [bob, eve] = [yield* join(ada, "responder"), yield* join(ada, "viewer")]
      yield* verify(bob)
      yield* paging(bob, 60)
      const now = yield* Clock.currentTimeMillis
      const startsOn = new Date(now - 3 * 24 * 60 * minute).toISOString().slice(0, 10)
      const schedule = { name: "Primary", timezone: "UTC", layers: [layerOf("Primary", [bob.userId], { startsOn })] }
      ok(yield* ada.withSession("POST", `/organizations/${organizationId}/schedules`, schedule), 201)
      const clock = yield* MovedClock
      yield* clock.move(90 * minute)

      const alert = yield* open
      yield* work
      const [method] = ok(yield* bob.withSession("GET", "/account/contact-methods"))
      assert.isTrue(yield* conclude(method.id as ContactMethodId, delivered))
      yield* work
      yield* clock.move(2 * minute)
      ok(yield* act("POST", `/alerts/${alert.id}/acknowledge`))
      yield* clock.move(3 * minute)
      yield* up()
      yield* clock.move(minute)

      const path = `/organizations/${organizationId}/analytics/on-call`
      const figures = ok(yield* ada.withSession("GET", path))
      const [row, ...others] = figures.people
      assert.lengthOf(others, 0)
      assert.deepInclude(row, { userId: bob.userId, pages: 1 })
      // The duty that was done since the schedule was made, a time that the test moved by an hour and a half and more.
      assert.isAtLeast(row.onCallSeconds, 90 * 60)
      assert.deepStrictEqual(figures.timeToAcknowledge.alerts, 1)
      assert.isAtLeast(figures.timeToAcknowledge.p50, 120)
      assert.isAtLeast(figures.timeToResolve.p90, figures.timeToAcknowledge.p50)
      assert.strictEqual(figures.timeToResolve.alerts, 1)
      assert.deepStrictEqual(figures.noisiestMonitors, [
        { monitorId: monitor.id, name: monitor.name, alerts: 1, pages: 1 }
      ])
      const [own, ...rest] = ok(yield* bob.withSession("GET", path)).people
      assert.deepStrictEqual([own.userId, own.pages, rest], [bob.userId, 1, []])
      assert.deepStrictEqual(ok(yield* eve.withSession("GET", path)).people, [])
      const table = yield* ada.withSession("GET", path, undefined, { accept: "text/csv" })
      assert.match(String(table.body), new RegExp(`^userId,name,onCallHours,pages,interruptedNights\r\n${bob.userId},`))

      assert.deepInclude(ok(yield* ada.withSession("GET", `${path}?from=2020-01-01&to=2020-02-01`)), {
        people: [],
        timeToResolve: { alerts: 0, p50: null, p90: null },
        noisiestMonitors: []
      })
      refused(yield* ada.withSession("GET", `${path}?from=2020-01-01`), 400, "malformed_request")
      const stranger = yield* person
      assert.strictEqual((yield* stranger.withSession("GET", path)).status, 404)
    })
  )
})
