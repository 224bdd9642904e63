/** An acknowledgement tells the others who were paged, in one message for everything that it takes. */
import { assert, layer } from "@effect/vitest"
import type { ContactMethodId, MonitorId, ProjectId } from "@kanmon/domain/Ids"
import { MessageSenders } from "@kanmon/monitoring/delivery"
import { Deliveries } from "@kanmon/monitoring/testing/delivery/Deliveries.ts"
import { Clock, Effect } from "effect"
import { tried } from "../../support/Attempts.ts"
import * as MovedClock from "../../support/MovedClock.ts"
import { evaluateBatch, noon, observed } from "../../support/Stage.ts"
import { delivered, escalating, minute, ok, options, stage, work } from "./EscalationStage.ts"
import { call, shop } from "./Server.ts"
import { join, verify } from "./Team.ts"

/** Three people who were paged for three alerts: for the first alone, and for the others in one message. */
const paged = Effect.gen(function* () {
  const { act, ada, path, rule } = yield* escalating()
  const people = [yield* join(ada, "responder"), yield* join(ada, "responder"), yield* join(ada, "responder")]
  yield* verify(...people)
  const steps = [{ afterMinutes: 0, notify: people.map(({ userId }) => ({ userId })) }]
  const policy = ok(yield* ada.withSession("POST", path, { name: "Three", steps, repeatAfterMinutes: 600 }), 201)
  ok(yield* ada.withKey("PATCH", `/alert-rules/${rule.id}`, { escalationPolicyId: policy.id }))
  const targets: Array<ContactMethodId> = []
  for (const one of people) {
    const [method] = ok(yield* one.withSession("GET", "/account/contact-methods"))
    targets.push(method.id)
  }
  const monitors: Array<{ readonly id: MonitorId; readonly projectId: ProjectId }> = []
  for (let index = 0; index < 3; index++) {
    const made = ok(yield* ada.withKey("POST", "/monitors", { ...shop, name: `Shop ${index}` }), 201)
    monitors.push({ id: made.id, projectId: ada.projectId as ProjectId })
  }
  const at = Math.floor((Date.now() - noon) / minute)
  const deliveries = yield* Deliveries
  const clock = yield* MovedClock.MovedClock
  const send = Effect.fnUntraced(function* (target: ContactMethodId) {
    const due = yield* deliveries.next(target)
    if (due === undefined) return undefined
    yield* deliveries.begin(due)
    yield* deliveries.conclude(due, tried(yield* Clock.currentTimeMillis, "delivered", "as told"), delivered)
    return due
  })
  const page = Effect.fnUntraced(function* (from: number, to: number) {
    yield* evaluateBatch(monitors.slice(from, to).map((monitor) => observed(monitor, at, "down")))
    yield* work
    return yield* Effect.forEach(targets, send)
  })
  yield* page(0, 1)
  yield* clock.move(minute)
  const [link] = yield* page(1, 3)
  yield* work
  const senders = yield* MessageSenders
  /** Uses the link of the first person's message about two alerts. */
  const acknowledge = Effect.gen(function* () {
    const address = senders.get("page")!.answerPath(link!)!.slice("/api/v1".length)
    assert.strictEqual((yield* call("POST", address)).status, 200)
  })
  const words = (due: Effect.Success<ReturnType<typeof send>>) =>
    due === undefined ? undefined : senders.get(due.about.kind)!.wordsOf?.(due.notice, due.shared.length).text
  const open = Effect.map(ada.withKey("GET", "/alerts?limit=10"), ok)
  return { act, acknowledge, open, people, send, targets, words }
})

layer(stage(), options)("an acknowledgement", (it) => {
  it.effect("is told to the others who were paged, as one message about all of its alerts", () =>
    Effect.gen(function* () {
      const { acknowledge, send, targets, words } = yield* paged
      yield* acknowledge
      assert.isUndefined(yield* send(targets[0]!))
      for (const target of targets.slice(1)) {
        const told = yield* send(target)
        assert.deepInclude(told, { purpose: "close", group: [] })
        assert.match(words(told)!, /^.+ has it: Shop 1 is down and 1 more\. You need not answer\.$/)
        assert.isUndefined(yield* send(target))
      }
    })
  )

  it.effect("is not told any more when it is taken back", () =>
    Effect.gen(function* () {
      const { acknowledge, act, open, send, targets } = yield* paged
      yield* acknowledge
      const handled = (yield* open).filter(({ state }: any) => state === "acknowledged")
      assert.lengthOf(handled, 2)
      for (const { id } of handled) ok(yield* act("POST", `/alerts/${id}/unacknowledge`))
      for (const target of targets) assert.isUndefined(yield* send(target))
    })
  )
})
