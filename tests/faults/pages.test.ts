/**
 * Kills the product again and again while alerts escalate: between a due step and its pages, between pages and their messages,
 * and in the middle of messages. Each target of each step is paged exactly once; a message whose answer was cut off is sent again
 * under the same id. After an acknowledgement no step follows.
 */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Client, eventually, make, type Product } from "../support/Product.ts"
import * as Receiver from "../support/Receiver.ts"

const count = 16

/** The ids of the messages that each alert got, without repetitions of the same message. */
const messagesOf = ({ received }: Receiver.Receiver): ReadonlyMap<string, ReadonlySet<string>> => {
  const told = new Map<string, Set<string>>()
  for (const { body } of received) {
    const ids = told.get(body.alertId) ?? new Set()
    told.set(body.alertId, ids.add(body.id))
  }
  return told
}

const heard = (receiver: Receiver.Receiver, alerts: number) =>
  eventually(
    Effect.sync(() => messagesOf(receiver).size),
    (size) => size >= alerts
  )

const restarted = (product: Product) =>
  Effect.gen(function* () {
    assert.strictEqual(yield* product.stop("SIGKILL"), "SIGKILL")
    yield* product.start
    yield* product.healthy
  })

/** A rule whose policy has two steps, each of which tells a channel of its own; the second waits for an hour. */
const escalating = Effect.fnUntraced(function* (
  product: Product,
  ada: Client & { readonly cookie: string },
  receivers: ReadonlyArray<Receiver.Receiver>
) {
  const channels: Array<string> = []
  for (const [index, { url }] of receivers.entries()) {
    const channel = { name: `Step ${index}`, type: "webhook", config: { url } }
    const made = yield* ada.call("POST", "/notification-channels", channel)
    assert.strictEqual(made.status, 201, JSON.stringify(made.body))
    channels.push(made.body.id)
  }
  const headers = { cookie: ada.cookie }
  const [{ id: organizationId }] = (yield* product.call("GET", "/organizations", undefined, headers)).body
  const steps = channels.map((channelId, step) => ({ afterMinutes: step * 60, notify: [{ channelId }] }))
  const path = `/organizations/${organizationId}/escalation-policies`
  const policy = yield* product.call("POST", path, { name: "Shop", steps }, headers)
  assert.strictEqual(policy.status, 201, JSON.stringify(policy.body))
  const rule = { name: "Down", trigger: "monitor_down", escalationPolicyId: policy.body.id }
  assert.strictEqual((yield* ada.call("POST", "/alert-rules", rule)).status, 201)
})

const pagesOf = (ada: Client, alertId: string) =>
  Effect.map(ada.call("GET", `/alerts/${alertId}/timeline`), ({ body }) =>
    (body as ReadonlyArray<any>).flatMap(({ page, round, step }) =>
      page === null ? [] : [`${round} ${step} ${page.outcome}`]
    )
  )

it.live("pages each target of each step once over kills at any moment, and none after an acknowledgement", () =>
  Effect.gen(function* () {
    const first = yield* Receiver.make
    const second = yield* Receiver.make
    // Each alert has a message of its own.
    const product = yield* make({ env: { KANMON_GROUP_ALERTS: "1000" } })
    yield* product.healthy
    const ada = yield* product.signUp
    yield* escalating(product, ada, [first, second])
    const jobs: Array<string> = []
    for (let index = 0; index < count; index++) {
      const job = yield* ada.call("POST", "/monitors", { name: `Job ${index}`, type: "heartbeat", interval: 600 })
      assert.strictEqual(job.status, 201, JSON.stringify(job.body))
      jobs.push(job.body.heartbeatUrl)
    }
    for (const url of jobs) assert.strictEqual((yield* product.call("POST", `${url}/fail`)).status, 200)
    // What is accepted is neither lost nor told twice, whatever the process was doing.
    yield* restarted(product)
    yield* heard(first, 1)
    yield* restarted(product)
    // A message is at its receiver, whose answer does not come any more.
    first.hold()
    const before = first.received.length
    if (messagesOf(first).size < count)
      yield* eventually(
        Effect.sync(() => first.received.length),
        (length) => length > before
      )
    yield* restarted(product)
    first.answer(200)
    yield* heard(first, count)

    const alerts = (yield* ada.call("GET", "/alerts?state=open&limit=100")).body as ReadonlyArray<any>
    assert.lengthOf(alerts, count)
    yield* Effect.forEach(alerts, ({ id }) => eventually(pagesOf(ada, id), ([page]) => page === "0 0 reached"), {
      discard: true
    })
    const acknowledged = alerts.slice(0, count / 2).map(({ id }) => id as string)
    const others = alerts.slice(count / 2).map(({ id }) => id as string)
    for (const id of acknowledged)
      assert.strictEqual((yield* ada.call("POST", `/alerts/${id}/acknowledge`)).status, 200)
    yield* restarted(product)
    for (const id of others) {
      const answer = yield* ada.call("POST", `/alerts/${id}/escalate`, { step: 1 })
      assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
    }
    yield* restarted(product)
    yield* heard(second, 1)
    yield* restarted(product)
    yield* heard(second, others.length)

    for (const id of others)
      assert.deepStrictEqual(yield* eventually(pagesOf(ada, id), (pages) => pages[1] === "0 1 reached"), [
        "0 0 reached",
        "0 1 reached"
      ])
    for (const id of acknowledged) assert.deepStrictEqual(yield* pagesOf(ada, id), ["0 0 reached"])
    assert.sameMembers(
      [...messagesOf(first).keys()],
      alerts.map(({ id }) => id)
    )
    assert.sameMembers([...messagesOf(second).keys()], others)
    for (const receiver of [first, second])
      for (const [alertId, ids] of messagesOf(receiver)) assert.strictEqual(ids.size, 1, alertId)
  }).pipe(Effect.scoped)
)
