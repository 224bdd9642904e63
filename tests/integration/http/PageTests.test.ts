/** Page tests over HTTP: a person pages themselves by their own rules, and acknowledges with the link of a page, or signed in. */
import { assert, layer } from "@effect/vitest"
import type { ContactMethodId } from "@kanmon/domain/Ids"
import { MessageSenders } from "@kanmon/monitoring/delivery"
import { PageTests } from "@kanmon/monitoring/page-tests"
import { Deliveries } from "@kanmon/monitoring/testing/delivery/Deliveries.ts"
import { Clock, Effect } from "effect"
import { tried } from "../../support/Attempts.ts"
import { telegram } from "../../support/OnCallBodies.ts"
import { MovedClock } from "../../support/MovedClock.ts"
import { delivered, escalating, failed, minute, ok, options, stage, work } from "./EscalationStage.ts"
import { call, person, refused } from "./Server.ts"
import { confirmMethod, join, verify } from "./Team.ts"

const path = "/account/page-tests"
const baseUrl = "https://kanmon.example"

/** A person with their e-mail at once, and a phone after five minutes. */
const tester = Effect.gen(function* () {
  const ada = yield* person
  yield* verify(ada)
  const phone = ok(yield* ada.withSession("POST", "/account/contact-methods", telegram), 201)
  yield* confirmMethod(phone.id)
  const [account] = ok(yield* ada.withSession("GET", "/account/contact-methods"))
  const critical = [
    { afterMinutes: 0, contactMethodId: account.id },
    { afterMinutes: 5, contactMethodId: phone.id }
  ]
  ok(yield* ada.withSession("PUT", "/account/notification-rules", { critical, info: [] }))
  const start = (severity = "critical") => ada.withSession("POST", path, { severity })
  const get = Effect.map(ada.withSession("GET", path), (answer) => ok(answer)[0])
  const words = Effect.map(get, ({ pages, state }: any) => [state, ...pages.map(({ status }: any) => status)])
  /** The next message to a method, which the provider accepts or refuses; undefined: there is none. */
  const send = Effect.fnUntraced(function* (id: string, outcome = delivered) {
    const deliveries = yield* Deliveries
    const due = yield* deliveries.next(id as ContactMethodId)
    if (due === undefined) return undefined
    yield* deliveries.begin(due)
    const word = outcome === delivered ? "delivered" : "failed"
    yield* deliveries.conclude(due, tried(yield* Clock.currentTimeMillis, word, "as told"), outcome)
    return due
  })
  const pass = Effect.fnUntraced(function* (minutes: number) {
    const clock = yield* MovedClock
    yield* clock.move(minutes * minute)
    yield* Effect.flatMap(PageTests, ({ runDue }) => runDue(baseUrl))
  })
  return { ada, account, phone, start, get, words, send, pass }
})

layer(stage(), options)("a page test", (it) => {
  it.effect("pages by the person's rules and delays, and ends when the link of a page is used", () =>
    Effect.gen(function* () {
      const { account, ada, get, pass, phone, send, start, words } = yield* tester
      const made = ok(yield* start(), 201)
      assert.deepInclude(made, { severity: "critical", state: "running", endedAt: null })
      assert.deepStrictEqual(yield* words, ["running", "sending", "waiting"])
      refused(yield* start(), 409, "conflict")
      const first = (yield* send(account.id))!
      assert.deepInclude(first.notice, { event: "test", severity: "critical", alertId: made.id })
      assert.deepStrictEqual(yield* words, ["running", "delivered", "waiting"])
      assert.isUndefined(yield* send(phone.id))
      yield* pass(5)
      assert.deepStrictEqual(yield* words, ["running", "delivered", "sending"])
      const second = (yield* send(phone.id))!
      assert.isUndefined(yield* send(phone.id))

      const senders = yield* MessageSenders
      const link = senders.get("pageTest")!.answerPath(second)!.slice("/api/v1".length)
      const shown = yield* call("GET", link)
      assert.strictEqual(shown.status, 200)
      assert.include(shown.body, "Acknowledge this test?")
      assert.deepStrictEqual(yield* words, ["running", "delivered", "delivered"])
      const used = yield* call("POST", link)
      assert.strictEqual(used.status, 200)
      assert.include(used.body, "The test is acknowledged")
      const { endedAt, pages, state } = yield* get
      assert.strictEqual(state, "acknowledged")
      assert.isNotNull(endedAt)
      assert.deepStrictEqual(
        pages.map(({ contactMethodId, isAnswered }: any) => [contactMethodId, isAnswered]),
        [
          [account.id, false],
          [phone.id, true]
        ]
      )
      assert.strictEqual((yield* call("POST", link)).status, 409)
      refused(yield* ada.withSession("POST", `${path}/${made.id}/acknowledge`), 409, "conflict")
    })
  )

  it.effect("sends nothing further when it is acknowledged in the dashboard, and is seen by its person alone", () =>
    Effect.gen(function* () {
      const { account, ada, pass, phone, send, start, words } = yield* tester
      const { id } = ok(yield* start(), 201)
      const eve = yield* person
      refused(yield* eve.withSession("GET", `${path}/${id}`), 404, "not_found")
      refused(yield* eve.withSession("POST", `${path}/${id}/acknowledge`), 404, "not_found")
      assert.deepStrictEqual(ok(yield* eve.withSession("GET", path)), [])
      assert.strictEqual(ok(yield* ada.withSession("POST", `${path}/${id}/acknowledge`)).state, "acknowledged")
      assert.deepStrictEqual(yield* words, ["acknowledged", "dropped", "dropped"])
      yield* pass(10)
      assert.isUndefined(yield* send(account.id))
      assert.isUndefined(yield* send(phone.id))
    })
  )

  it.effect("says that no page reached the person, or that they did not answer", () =>
    Effect.gen(function* () {
      const { account, pass, phone, send, start, words } = yield* tester
      ok(yield* start(), 201)
      yield* send(account.id, failed)
      yield* pass(5)
      yield* send(phone.id, failed)
      yield* pass(0)
      assert.deepStrictEqual(yield* words, ["unreached", "failed", "failed"])
      ok(yield* start(), 201)
      yield* send(account.id)
      yield* pass(5)
      yield* pass(29)
      assert.deepStrictEqual(yield* words, ["running", "delivered", "sending"])
      yield* pass(1)
      assert.deepStrictEqual(yield* words, ["unanswered", "delivered", "dropped"])
      assert.isUndefined(yield* send(phone.id))
    })
  )

  it.effect("is refused where no method would be used, and after five of a day", () =>
    Effect.gen(function* () {
      const { ada, start } = yield* tester
      refused(yield* start("info"), 409, "conflict")
      refused(yield* start("loud"), 422, "validation_failed", "severity")
      for (let count = 0; count < 5; count++) {
        const { id } = ok(yield* start(), 201)
        ok(yield* ada.withSession("POST", `${path}/${id}/acknowledge`))
      }
      const answer = yield* start()
      refused(answer, 429, "rate_limited")
      assert.include(answer.body.detail, "5 page tests a day for one account")
      assert.lengthOf(ok(yield* ada.withSession("GET", path)), 5)
    })
  )
})

// With a clock that no other test has moved.
layer(stage(), options)("a page test beside an alert", (it) => {
  it.effect("is in no message with a real page, and makes none wait", () =>
    Effect.gen(function* () {
      const { ada, open, paging } = yield* escalating()
      const bob = yield* join(ada, "responder")
      yield* verify(bob)
      yield* paging(bob, 60)
      ok(yield* bob.withSession("POST", path, {}), 201)
      const [method] = ok(yield* bob.withSession("GET", "/account/contact-methods"))
      const deliveries = yield* Deliveries
      const next = deliveries.next(method.id as ContactMethodId)
      const test = (yield* next)!
      assert.strictEqual(test.about.kind, "pageTest")
      yield* open
      yield* work
      assert.deepStrictEqual((yield* next)!.group, [])
      yield* deliveries.conclude(test, tried(yield* Clock.currentTimeMillis, "delivered", "as told"), delivered)
      const page = (yield* next)!
      assert.deepStrictEqual([page.about.kind, page.group], ["page", []])
    })
  )
})
