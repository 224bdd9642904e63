/** A monitor fails and recovers, and notifications are sent, through the running product over HTTP. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { checkedAs, checkNow } from "../support/Checks.ts"
import { type Client, eventually } from "../support/Product.ts"
import * as Receiver from "../support/Receiver.ts"
import * as SharedProduct from "../support/SharedProduct.ts"
import * as WebTarget from "../support/WebTarget.ts"

const heard = (receiver: Receiver.Receiver, event: string) =>
  receiver.received.filter(({ body }) => body.event === event)

const channel = (client: Client, url: string, more: object = {}) =>
  client.call("POST", "/notification-channels", { name: "Hook", type: "webhook", config: { url, ...more } })

/** A monitor of the target, which was up once. */
const watched = (client: Client, { port }: WebTarget.WebTarget) =>
  Effect.tap(
    client.call("POST", "/monitors", { name: "Web", type: "http", url: `http://127.0.0.1:${port}/`, interval: 3600 }),
    ({ body }) => checkedAs(client, body.id, "up")
  )

describe("alerts", () => {
  it.live("sends one notification when an outage begins and one when it ends, and keeps a history", () =>
    Effect.gen(function* () {
      const web = yield* WebTarget.make
      const receiver = yield* Receiver.make
      const product = yield* SharedProduct.product
      const ada = yield* product.signUp

      const made = yield* channel(ada, receiver.url, { secret: "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3" })
      assert.strictEqual(made.status, 201, JSON.stringify(made.body))
      assert.strictEqual(made.body.config.secret, "••••NTY3")
      const tested = yield* ada.call("POST", `/notification-channels/${made.body.id}/test`)
      assert.strictEqual(tested.status, 200, JSON.stringify(tested.body))
      assert.strictEqual(receiver.received[0]!.body.event, "test")
      assert.match(receiver.received[0]!.headers["webhook-signature"]!, /^v1,/)

      const rule = yield* ada.call("POST", "/alert-rules", {
        name: "Down",
        monitorIds: [],
        channelIds: [made.body.id],
        trigger: "monitor_down",
        consecutiveFailures: 2
      })
      assert.strictEqual(rule.status, 201, JSON.stringify(rule.body))
      const monitor = yield* watched(ada, web)

      web.status = 503
      const [first] = yield* checkNow(ada, monitor.body.id)
      const [second] = yield* checkNow(ada, monitor.body.id)
      const down = yield* eventually(
        Effect.sync(() => heard(receiver, "monitor_down")),
        (all) => all.length > 0
      )
      const { body } = down[0]!
      assert.deepStrictEqual(body.monitor, {
        id: monitor.body.id,
        name: "Web",
        url: `http://127.0.0.1:${web.port}/`,
        type: "http",
        target: `http://127.0.0.1:${web.port}/`
      })
      assert.strictEqual(body.details.statusCode, 503)
      assert.strictEqual(body.details.region, "eu-west")
      assert.strictEqual(body.rule.name, "Down")
      assert.include(body.reason, "503")
      // Two failures in a row: it began with the first.
      assert.deepStrictEqual([body.startedAt, body.timestamp], [first!.checkedAt, second!.checkedAt])

      const [open] = (yield* ada.call("GET", "/alert-history")).body
      assert.strictEqual(open.type, "monitor_down")
      assert.strictEqual(open.resolvedAt, null)
      assert.strictEqual(open.channelId, made.body.id)

      // It leads to the dashboard, with the project.
      const opened = new URL(body.links.monitor)
      assert.strictEqual(`${opened.pathname}${opened.search}`, `/monitors/${monitor.body.id}?project=${ada.projectId}`)

      // The link of the message: shown, used once, refused again.
      const state = Effect.map(ada.call("GET", "/alerts"), (answer) => answer.body[0].state as string)
      assert.match(body.acknowledgeUrl, /^http:.*\/public\/acknowledgements\//)
      const page = yield* product.call("GET", body.acknowledgeUrl)
      assert.strictEqual(page.status, 200)
      assert.include(page.body, "<button>Acknowledge</button>")
      assert.strictEqual(yield* state, "open")
      const acknowledged = yield* product.call("POST", body.acknowledgeUrl)
      assert.strictEqual(acknowledged.status, 200, acknowledged.body)
      const [handled] = (yield* ada.call("GET", "/alerts?state=acknowledged")).body
      assert.deepStrictEqual(handled.acknowledgedBy, { kind: "link", name: "Hook" })
      const replayed = yield* product.call("POST", body.acknowledgeUrl)
      assert.strictEqual(replayed.status, 409)
      assert.include(replayed.body, "already used")

      web.status = 200
      const [recovered] = yield* checkNow(ada, monitor.body.id)
      const up = yield* eventually(
        Effect.sync(() => heard(receiver, "monitor_up")),
        (all) => all.length > 0
      )
      assert.strictEqual(up[0]!.body.startedAt, body.startedAt)
      assert.strictEqual(up[0]!.body.alertId, body.alertId)

      const [closed] = yield* eventually(
        Effect.map(ada.call("GET", "/alert-history"), (answer) => answer.body as ReadonlyArray<any>),
        ([entry]) => entry.status === "delivered" && entry.resolvedAt !== null
      )
      const ended = Date.parse(closed.resolvedAt)
      assert.strictEqual(up[0]!.body.durationSeconds, Math.round((ended - Date.parse(body.startedAt)) / 1000))
      // Later than the check where the monitor was judged between it and its arrival.
      assert.isAtLeast(ended, Date.parse(recovered!.checkedAt))
      const deliveries = (yield* ada.call("GET", `/alert-history/${closed.id}/deliveries`)).body
      assert.deepStrictEqual(
        deliveries.map((delivery: any) => [delivery.event, delivery.status, delivery.attempts.length]),
        [
          ["monitor_down", "delivered", 1],
          ["monitor_up", "delivered", 1]
        ]
      )
      assert.strictEqual(heard(receiver, "monitor_down").length, 1)
      const [shown] = (yield* ada.call("GET", "/notification-channels")).body
      assert.strictEqual(shown.lastDelivery.status, "delivered")
      assert.notInclude(product.output(), "whsec_")

      // A burst: while the first message waits for its answer, more alerts come than are sent one by one.
      yield* ada.call("POST", "/alert-rules", { name: "Jobs", tags: ["job"], channelIds: [made.body.id] })
      const jobs = yield* Effect.forEach(Array.from({ length: 14 }), (_, index) =>
        ada.call("POST", "/monitors", { name: `Job ${index}`, type: "heartbeat", interval: 600, tags: ["job"] })
      )
      const fail = (job: (typeof jobs)[number]) => product.call("POST", `${job.body.heartbeatUrl}/fail`)
      const before = receiver.received.length
      receiver.hold()
      yield* fail(jobs[0]!)
      yield* eventually(
        Effect.sync(() => receiver.received.length),
        (count) => count > before
      )
      yield* Effect.forEach(jobs.slice(1), fail, { concurrency: "unbounded" })
      yield* eventually(
        Effect.map(ada.call("GET", "/alerts?state=open"), (answer) => answer.body.length as number),
        (count) => count === jobs.length
      )
      receiver.answer(200)
      const burst = yield* eventually(
        Effect.sync(() => receiver.received.slice(before).find(({ body: one }) => one.alerts !== null)?.body),
        (one) => one !== undefined
      )
      const listed: Array<string> = burst.alerts.map((one: any) => one.monitor.name)
      assert.isAtLeast(listed.length, jobs.length - 1)
      assert.includeMembers(
        listed,
        jobs.slice(1).map((job) => job.body.name)
      )
      // Its link acknowledges all of them.
      assert.strictEqual((yield* product.call("POST", burst.acknowledgeUrl)).status, 200)
      const all = (yield* ada.call("GET", "/alerts?state=acknowledged")).body as Array<any>
      assert.includeMembers(
        all.map(({ monitorId }) => monitorId),
        burst.alerts.map((one: any) => one.monitor.id)
      )
    }).pipe(Effect.scoped)
  )

  it.live("reports an outage and its end in one message if the receiver was down", () =>
    Effect.gen(function* () {
      const web = yield* WebTarget.make
      const receiver = yield* Receiver.make
      const product = yield* SharedProduct.product
      const ada = yield* product.signUp
      yield* channel(ada, receiver.url)
      yield* ada.call("POST", "/alert-rules", { name: "Down", trigger: "monitor_down" })
      const gone = yield* Receiver.make
      gone.answer(410)
      const dead = yield* channel(ada, gone.url)
      const monitor = yield* watched(ada, web)

      receiver.answer(503)
      web.status = 500
      yield* checkedAs(ada, monitor.body.id, "down")
      const off = yield* eventually(
        Effect.map(ada.call("GET", `/notification-channels/${dead.body.id}`), ({ body }) => body),
        ({ disabledReason }) => disabledReason !== null
      )
      assert.include(off.disabledReason, "410")
      web.status = 200
      yield* checkedAs(ada, monitor.body.id, "up")
      receiver.answer(204)
      const up = yield* eventually(
        Effect.sync(() => receiver.received.map(({ body }) => body)),
        (all) => all.some(({ event }) => event === "monitor_up")
      )
      const downs = up.filter(({ event }) => event === "monitor_down").length
      assert.strictEqual(up.find(({ event }) => event === "monitor_up").overtakesOpening, downs === 0)
    }).pipe(Effect.scoped)
  )

  it.live("notifies a channel once if many rules fire, and names all of them", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.make
      const product = yield* SharedProduct.product
      const ada = yield* product.signUp
      yield* channel(ada, receiver.url)
      for (let index = 1; index <= 20; index++)
        yield* ada.call("POST", "/alert-rules", { name: `Down ${index}`, trigger: "monitor_down" })
      const job = yield* ada.call("POST", "/monitors", { name: "Job", type: "heartbeat", interval: 600 })
      const entries = (resolved: boolean) =>
        eventually(
          Effect.map(ada.call("GET", "/alert-history"), ({ body }) => body as ReadonlyArray<any>),
          (all) =>
            all.length === 20 &&
            all.every(({ resolvedAt, status }) => status === "delivered" && (resolvedAt !== null) === resolved)
        )
      yield* product.call("POST", `${job.body.heartbeatUrl}/fail`)
      yield* entries(false)
      yield* product.call("POST", job.body.heartbeatUrl)
      const all = yield* entries(true)
      const [down, up, ...more] = receiver.received.map(({ body }) => body)
      assert.deepStrictEqual([down.event, up.event, more.length], ["monitor_down", "monitor_up", 0])
      assert.strictEqual(down.alertId, up.alertId)
      for (const body of [down, up]) {
        const names = body.rules.map(({ name }: { readonly name: string }) => name)
        assert.sameMembers(
          names,
          Array.from({ length: 20 }, (_, index) => `Down ${index + 1}`)
        )
        assert.deepStrictEqual(body.rule, body.rules[0])
      }
      const told = yield* Effect.forEach(all, ({ id }) => ada.call("GET", `/alert-history/${id}/deliveries`))
      const openings = told.map(({ body }) => body[0])
      const carriers = openings.filter(({ sharedWith }) => sharedWith === null)
      assert.deepStrictEqual(
        carriers.map(({ id }) => id),
        [down.id]
      )
      for (const { attempts, sharedWith } of openings) {
        assert.lengthOf(attempts, 1)
        assert.include([null, down.id], sharedWith)
      }
    }).pipe(Effect.scoped)
  )
})
