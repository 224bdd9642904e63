/** Everything that a running product tells is what its own AsyncAPI document says: every type of event, over NATS and HTTP. */
import { createServer } from "node:net"
import { assert, it } from "@effect/vitest"
import { jetstreamManager } from "@nats-io/jetstream"
import type { NatsConnection } from "@nats-io/transport-node"
import { dayMillis, toIso } from "@kanmon/domain/Timestamp"
import { Clock, Effect } from "effect"
import * as EventContract from "../support/EventContract.ts"
import * as EventReader from "../support/EventReader.ts"
import { layerOf } from "../support/OnCallBodies.ts"
import * as NatsServer from "../support/NatsServer.ts"
import { type Client, eventually, freePort, make } from "../support/Product.ts"
import { join } from "../support/ProductNats.ts"
import * as Receiver from "../support/Receiver.ts"
import * as WebTarget from "../support/WebTarget.ts"

/** What the probe asks when it doubts its network connection. It does not answer until it listens. */
const referenceTarget = Effect.gen(function* () {
  const server = createServer((socket) => void socket.destroy())
  const port = yield* freePort
  yield* Effect.addFinalizer(() => Effect.sync(() => void server.close()))
  return { port, listen: Effect.sync(() => void server.listen(port, "127.0.0.1")) }
})

/** Everything that is told from now on. */
const listen = (connection: NatsConnection) =>
  Effect.promise(async () => {
    const told: Array<EventContract.BusMessage> = []
    for (const subject of ["kanmon.checks.>", "kanmon.events.>"])
      connection.subscribe(subject, {
        callback: (_error, message) => {
          const headers = Object.fromEntries([...message.headers!].map(([name, values]) => [name, values.join()]))
          told.push({ subject: message.subject, headers, payload: message.string() })
        }
      })
    await connection.flush()
    return told
  })

const hook = (client: Client, url: string) =>
  client.call("POST", "/notification-channels", { name: "Hook", type: "webhook", config: { url } })

/** What a person does with an alert that is open. */
const respond = (ada: Client) =>
  Effect.gen(function* () {
    const { body: open } = yield* ada.call("GET", "/alerts?state=open")
    const until = toIso((yield* Clock.currentTimeMillis) + dayMillis)
    for (const [action, body] of [
      ["acknowledge", { note: "Looking at it" }],
      ["unacknowledge", undefined],
      ["snooze", { until }]
    ] as const) {
      const answer = yield* ada.call("POST", `/alerts/${open[0].id}/${action}`, body)
      assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
    }
  })

/** An alert that other software sends: one channel gets it, one does not, people answer, and its sender resolves it. */
const alertsFromElsewhere = (ada: Client, policy: string) =>
  Effect.gen(function* () {
    const [good, gone] = [yield* Receiver.make, yield* Receiver.make]
    gone.answer(410)
    const channelIds = [(yield* hook(ada, good.url)).body.id, (yield* hook(ada, gone.url)).body.id]
    const draft = { name: "Elsewhere", trigger: "external", escalationPolicyId: policy, channelIds }
    const rule = yield* ada.call("POST", "/alert-rules", draft)
    const body = { name: "Sender", type: "generic", ruleId: rule.body.id }
    const made = yield* ada.call("POST", "/integrations", body)
    assert.strictEqual(made.status, 201, JSON.stringify(made.body))
    const { address, id } = made.body
    const post = (status: string) => ada.call("POST", address, { key: "disk", status, title: "The disk is full" })
    assert.strictEqual((yield* post("firing")).status, 200)
    const alert = Effect.map(ada.call("GET", `/alerts?integrationId=${id}`), (answer) => answer.body[0])
    const { id: alertId } = yield* eventually(alert, ({ entries }) =>
      entries.every(({ status }: { readonly status: string }) => status !== "pending")
    )
    const line = Effect.map(ada.call("GET", `/alerts/${alertId}/timeline`), (answer) => answer.body)
    yield* eventually(line, (entries) =>
      entries.some(({ page }: { readonly page: { readonly outcome: string } | null }) => page?.outcome === "reached")
    )
    yield* respond(ada)
    assert.strictEqual((yield* post("resolved")).status, 200)
  })

/** A drill that somebody acknowledges. */
const practice = (ada: Client, policyId: string) =>
  Effect.gen(function* () {
    const made = yield* ada.call("POST", "/drills", { policyId })
    assert.strictEqual(made.status, 201, JSON.stringify(made.body))
    const report = Effect.map(ada.call("GET", `/drills/${made.body.id}`), ({ body }) => body)
    const { alertIds } = yield* eventually(report, ({ channels }) => channels.length > 0)
    assert.strictEqual((yield* ada.call("POST", `/alerts/${alertIds[0]}/acknowledge`)).status, 200)
    yield* eventually(report, ({ status }) => status === "acknowledged")
  })

/** A job that succeeds, degrades, fails and recovers; two channels receive notifications, one fails. */
const monitorsAndAlerts = (
  ada: Client,
  escalationPolicy: (channelId: string) => Effect.Effect<string, unknown>,
  status: (id: string, expected: string) => Effect.Effect<unknown>
) =>
  Effect.gen(function* () {
    const [good, gone] = [yield* Receiver.make, yield* Receiver.make]
    gone.answer(410)
    const told = yield* hook(ada, good.url)
    yield* hook(ada, gone.url)
    yield* ada.call("POST", "/alert-rules", { name: "Down", trigger: "monitor_down" })
    const policy = yield* escalationPolicy(told.body.id)
    const escalated = { name: "Escalated", trigger: "monitor_down", escalationPolicyId: policy }
    assert.strictEqual((yield* ada.call("POST", "/alert-rules", escalated)).status, 201)
    const job = yield* ada.call("POST", "/monitors", {
      name: "Backup",
      type: "heartbeat",
      interval: 3600,
      metricRules: [{ metric: "rows", op: ">", value: 0 }]
    })
    const { heartbeatUrl, id } = job.body
    for (const [signal, expected] of [
      ["", "up"],
      ["?m.rows=0", "degraded"],
      ["/fail", "down"],
      ["", "up"]
    ]) {
      yield* ada.call("GET", `${heartbeatUrl}${signal}`)
      yield* status(id, expected!)
      if (expected === "down") yield* respond(ada)
    }
    yield* alertsFromElsewhere(ada, policy)
    yield* practice(ada, policy)
    yield* ada.call("PATCH", `/monitors/${id}`, { name: "Nightly backup" })
    yield* ada.call("PATCH", `/monitors/${id}`, { paused: true })
    yield* ada.call("PATCH", `/monitors/${id}`, { paused: false })
    yield* ada.call("DELETE", `/monitors/${id}`)
  })

const incidentsAndPages = (ada: Client, monitorId: string) =>
  Effect.gen(function* () {
    const opened = yield* ada.call("POST", "/incidents", {
      title: "The shop is slow",
      monitorIds: [monitorId],
      message: "We see it too."
    })
    assert.strictEqual(opened.status, 201, JSON.stringify(opened.body))
    const incident = `/incidents/${opened.body.id}`
    yield* ada.call("PATCH", incident, { status: "identified", message: "A disk is full." })
    yield* ada.call("PATCH", incident, { status: "resolved", message: "It is empty again." })
    yield* ada.call("DELETE", incident)
    const planned = yield* ada.call("POST", "/incidents", {
      title: "A bigger disk",
      message: "The shop is away for a while.",
      maintenance: true,
      scheduledStart: "2090-01-01T00:00:00Z",
      scheduledEnd: "2090-01-01T01:00:00Z"
    })
    assert.strictEqual(planned.status, 201, JSON.stringify(planned.body))
    const made = yield* ada.call("POST", "/status-pages", { name: "Shop", slug: "contract" })
    const page = `/status-pages/${made.body.id}`
    yield* ada.call("PATCH", page, { name: "The shop", monitorIds: [monitorId] })
    yield* ada.call("DELETE", page)
  })

/** An operation on many monitors, to its end. */
const longWork = (ada: Client, monitorId: string) =>
  Effect.gen(function* () {
    const started = yield* ada.call("POST", "/operations", { action: "update", ids: [monitorId], addTags: ["seen"] })
    assert.strictEqual(started.status, 201, JSON.stringify(started.body))
    const get = Effect.map(ada.call("GET", `/operations/${started.body.id}`), ({ body }) => body.status as string)
    yield* eventually(get, (status) => status === "completed")
  })

/** A policy with one step, which tells a channel. */
const policyFor = (product: Pick<Client, "call">, cookie: string) => (channelId: string) =>
  Effect.gen(function* () {
    const [organization] = (yield* product.call("GET", "/organizations", undefined, { cookie })).body
    const policy = { name: "Shop", steps: [{ afterMinutes: 0, notify: [{ channelId }] }] }
    const path = `/organizations/${organization.id}/escalation-policies`
    const made = yield* product.call("POST", path, policy, { cookie })
    assert.strictEqual(made.status, 201, JSON.stringify(made.body))
    return made.body.id as string
  })

/** A schedule whose only participant is away from now on: nobody is on call any more. */
const onCall = (product: Pick<Client, "call">, cookie: string) =>
  Effect.gen(function* () {
    const session = (method: string, route: string, body?: unknown) => product.call(method, route, body, { cookie })
    const { user } = (yield* session("GET", "/auth/get-session")).body
    const [organization] = (yield* session("GET", "/organizations")).body
    const now = yield* Clock.currentTimeMillis
    const made = yield* session("POST", `/organizations/${organization.id}/schedules`, {
      name: "Primary",
      timezone: "UTC",
      layers: [
        layerOf("Primary", [user.id], {
          handoff: { time: "00:00" },
          startsOn: toIso(now - dayMillis).slice(0, 10)
        })
      ]
    })
    assert.strictEqual(made.status, 201, JSON.stringify(made.body))
    const away = yield* session("PUT", "/account/away", [{ from: toIso(now), to: toIso(now + dayMillis) }])
    assert.strictEqual(away.status, 200, JSON.stringify(away.body))
  })

it.live.skipIf(NatsServer.skipped)(
  `publishes exactly the events that the AsyncAPI document describes${NatsServer.note}`,
  () =>
    Effect.gen(function* () {
      const landmark = yield* referenceTarget
      const web = yield* WebTarget.make
      const product = yield* make({ env: { KANMON_REFERENCE_TARGETS: `127.0.0.1:${landmark.port}` } })
      yield* product.healthy
      const document = yield* product.call("GET", "/asyncapi.json")
      assert.strictEqual(document.status, 200)
      const contract = EventContract.make(document.body)
      const connection = yield* join(product)
      const told = yield* listen(connection)

      const ada = yield* product.signUp
      const status = (id: string, expected: string) =>
        eventually(
          Effect.map(ada.call("GET", `/monitors/${id}`), ({ body }) => body.status as string),
          (found) => found === expected
        )
      const connectivity = (expected: string) =>
        eventually(
          Effect.map(product.call("GET", "/health"), ({ body }) => body.connectivity as string),
          (found) => found === expected
        )
      const shop = yield* ada.call("POST", "/monitors", {
        name: "Shop",
        type: "http",
        url: `http://127.0.0.1:${web.port}/`,
        interval: 10,
        timeout: 1
      })
      yield* status(shop.body.id, "up")
      web.status = 503
      yield* monitorsAndAlerts(ada, policyFor(product, ada.cookie), status)
      yield* incidentsAndPages(ada, shop.body.id)
      yield* longWork(ada, shop.body.id)
      yield* onCall(product, ada.cookie)
      yield* connectivity("offline")
      const record = Effect.map(ada.call("GET", `/monitors/${shop.body.id}`), ({ body }) => body)
      yield* eventually(record, ({ stale }) => stale)
      const { body: health } = yield* product.call("GET", "/health")
      assert.deepInclude(health, { status: "ok", stale: 1 })
      yield* landmark.listen
      yield* connectivity("ok")
      yield* status(shop.body.id, "down")

      const types = () => [...new Set(told.map(({ headers }) => headers["ce-type"]!))].sort()
      yield* eventually(Effect.sync(types), (seen) => seen.length >= contract.types.length)
      assert.deepStrictEqual(types(), [...contract.types].sort())
      for (const message of told) assert.deepStrictEqual(contract.faults(message), [], message.payload)

      const ofProject = told.filter(({ subject }) => subject.startsWith(`kanmon.events.${ada.projectId}.`))
      // Core NATS subscribers receive repeats; the stream keeps only the first.
      const ids = [...new Set(ofProject.map(({ headers }) => headers["ce-id"]))]
      const stream = yield* EventReader.open(`${product.base}/events?types=kanmon.*`, {
        "x-api-key": ada.key,
        "last-event-id": "0"
      })
      const events = yield* stream.take(ids.length)
      for (const { event } of events) assert.deepStrictEqual(contract.faultsOverHttp(event), [])
      assert.sameMembers(
        events.map(({ event }) => event.id),
        ids
      )

      const manager = yield* Effect.promise(() => jetstreamManager(connection))
      for (const { maxAgeSeconds, stream, subjects } of contract.streams) {
        const { config } = yield* Effect.promise(() => manager.streams.info(stream))
        assert.deepStrictEqual([config.subjects, config.max_age / 1e9], [subjects, maxAgeSeconds])
      }
    }).pipe(Effect.scoped)
)
