/** Quiet hours of channels and people over HTTP, and what they mean for escalations. */
import { assert, layer } from "@effect/vitest"
import { type ContactMethodId, UserId } from "@kanmon/domain/Ids"
import { PersonalQuietHours } from "@kanmon/monitoring/contact-methods"
import { Deliveries } from "@kanmon/monitoring/testing/delivery/Deliveries.ts"
import { Clock, Effect } from "effect"
import { tried } from "../../support/Attempts.ts"
import { MovedClock } from "../../support/MovedClock.ts"
import { delivered, escalating, minute, ok, options, stage, work } from "./EscalationStage.ts"
import { person, refused } from "./Server.ts"
import { join, verify } from "./Team.ts"

const always = [{ weekdays: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], from: "00:00", to: "24:00" }]
const hours = { timezone: "Asia/Tokyo", windows: always, holdBelow: "warning" }
const path = "/account/quiet-hours"

/** A person who can be paged, their method, and a rule that pages them alone. */
const paged = Effect.fnUntraced(function* (severity: string) {
  const made = yield* escalating()
  const bob = yield* join(made.ada, "responder")
  yield* verify(bob)
  yield* made.paging(bob, 60)
  ok(yield* made.ada.withKey("PATCH", `/alert-rules/${made.rule.id}`, { severity }))
  const [method] = ok(yield* bob.withSession("GET", "/account/contact-methods"))
  const target = method.id as ContactMethodId
  /** The next message to the method, in the quiet hours that the person has now. */
  const next = Effect.gen(function* () {
    const userId = UserId.make(bob.userId)
    const people = yield* PersonalQuietHours
    const own = (yield* people.ofUsers([userId])).get(userId) ?? null
    return yield* Effect.flatMap(Deliveries, (deliveries) => deliveries.next(target, undefined, own))
  })
  const pages = (alertId: string) =>
    Effect.map(made.ada.withKey("GET", `/alerts/${alertId}/timeline`), (answer) =>
      ok(answer).flatMap(({ page }: any) => page ?? [])
    )
  return { ...made, bob, next, pages, target }
})

layer(stage(), options)("quiet hours", (it) => {
  it.effect("of a channel are set, changed and taken away, and compared with a file", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const body = { name: "Ops", type: "webhook", config: { url: "https://example.org/ops" } }
      const { id, quietHours } = ok(yield* ada.withKey("POST", "/notification-channels", body), 201)
      assert.isNull(quietHours)
      const change = (fields: object) => ada.withKey("PATCH", `/notification-channels/${id}`, fields)
      assert.deepStrictEqual(ok(yield* change({ quietHours: hours })).quietHours, hours)
      assert.deepStrictEqual(ok(yield* change({ name: "Operations" })).quietHours, hours)
      const compare = `/notification-channels/${id}/compare`
      const wanted = { ...hours, holdBelow: "critical" }
      assert.deepStrictEqual(ok(yield* ada.withKey("POST", compare, { quietHours: hours })).differing, [])
      assert.deepStrictEqual(ok(yield* ada.withKey("POST", compare, { quietHours: wanted })).differing, ["quietHours"])
      assert.isNull(ok(yield* change({ quietHours: null })).quietHours)
      refused(
        yield* change({ quietHours: { ...hours, timezone: "Mars/Base" } }),
        422,
        "validation_failed",
        "quietHours.timezone"
      )
      refused(yield* change({ quietHours: { ...hours, windows: [] } }), 422, "validation_failed", "quietHours.windows")
    })
  )

  it.effect("of a person are theirs alone, and not a field of a contact method", () =>
    Effect.gen(function* () {
      const [ada, bob] = [yield* person, yield* person]
      assert.deepStrictEqual(ok(yield* ada.withSession("GET", path)), { quietHours: null })
      assert.deepStrictEqual(ok(yield* ada.withSession("PUT", path, { quietHours: hours })), { quietHours: hours })
      assert.deepStrictEqual(ok(yield* ada.withSession("GET", path)), { quietHours: hours })
      assert.deepStrictEqual(ok(yield* bob.withSession("GET", path)), { quietHours: null })
      refused(yield* ada.withSession("PUT", path, {}), 422, "validation_failed", "quietHours")
      const broken = { quietHours: { ...hours, holdBelow: "loud" } }
      refused(yield* ada.withSession("PUT", path, broken), 422, "validation_failed", "quietHours.holdBelow")
      const method = { name: "Chat", type: "ntfy", config: { topic: "ada" }, quietHours: hours }
      refused(
        yield* ada.withSession("POST", "/account/contact-methods", method),
        422,
        "validation_failed",
        "quietHours"
      )
      assert.strictEqual((yield* ada.withKey("GET", path)).status, 403)
      const copy = ok(yield* ada.withSession("GET", "/account/export"))
      assert.lengthOf(copy.onCall.quietHours, 1)
    })
  )

  it.effect("hold pages of a person, which count as reached, and the preview says so", () =>
    Effect.gen(function* () {
      const { act, ada, bob, next, open, pages, path: policies } = yield* paged("info")
      ok(yield* bob.withSession("PUT", path, { quietHours: hours }))
      const policy = ok(yield* ada.withSession("GET", policies)).find(({ name }: any) => name === "People")
      const preview = ok(yield* ada.withSession("POST", `${policies}/${policy.id}/preview?severity=info`, {}))
      const foreseen = preview.entries.find(({ type }: any) => type === "page")
      assert.isNotNull(foreseen.heldUntil)
      const urgent = ok(yield* ada.withSession("POST", `${policies}/${policy.id}/preview?severity=warning`, {}))
      assert.isNull(urgent.entries.find(({ type }: any) => type === "page").heldUntil)

      const alert = yield* open
      yield* work
      assert.isUndefined(yield* next)
      yield* work
      const [page] = yield* pages(alert.id)
      assert.strictEqual(page.outcome, "pending")
      assert.isNotNull(page.heldUntil)
      const timeline = ok(yield* ada.withKey("GET", `/alerts/${alert.id}/timeline`))
      assert.notInclude(
        timeline.map(({ type }: any) => type),
        "nobody_reached"
      )
      ok(yield* act("POST", `/alerts/${alert.id}/acknowledge`))
      assert.deepInclude((yield* pages(alert.id))[0], { outcome: "dropped", heldUntil: null })
      assert.isUndefined(yield* next)
    })
  )

  it.effect("let urgent pages through, and what they hold goes when they are taken away", () =>
    Effect.gen(function* () {
      const { bob, next, open, pages } = yield* paged("info")
      ok(yield* bob.withSession("PUT", path, { quietHours: hours }))
      const alert = yield* open
      yield* work
      assert.isUndefined(yield* next)
      ok(yield* bob.withSession("PUT", path, { quietHours: null }))
      yield* Effect.flatMap(MovedClock, (clock) => clock.move(5 * minute))
      const due = yield* next
      const deliveries = yield* Deliveries
      yield* deliveries.conclude(due!, tried(yield* Clock.currentTimeMillis, "delivered", "as told"), delivered)
      yield* work
      assert.deepInclude((yield* pages(alert.id))[0], { outcome: "reached", heldUntil: null })
    })
  )
})
