/** The clients of the API before the real server: every group, and what only a real server does. */
import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { MonitorId } from "@kanmon/domain/Ids"
import * as Client from "@kanmon/protocol/Client"
import * as Kanmon from "@kanmon/protocol/Kanmon"
import { Effect, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import * as Receiver from "../support/Receiver.ts"
import * as SharedProduct from "../support/SharedProduct.ts"

const failureOf = (promise: PromiseLike<unknown>): Promise<Kanmon.KanmonError> =>
  Promise.resolve(promise).then(
    () => assert.fail("it did not fail"),
    (error: unknown) => {
      assert.instanceOf(error, Kanmon.KanmonError)
      return error as Kanmon.KanmonError
    }
  )

/** What a person's script does, with a key and with a session. */
const withPromises = async (base: string, apiKey: string, session: string, hook: string): Promise<void> => {
  const kanmon = Kanmon.make({ baseUrl: base, apiKey })

  const channel = await kanmon.notificationChannels.create({
    name: "Operations",
    type: "webhook",
    config: { url: hook }
  })
  assert.isTrue((await kanmon.notificationChannels.test(channel.id)).delivered)
  const body = { name: "Shop", type: "http", url: hook, interval: 10, paused: true } as const
  const monitor = await kanmon.monitors.create(body, { idempotencyKey: "shop" })
  assert.strictEqual((await kanmon.monitors.create(body, { idempotencyKey: "shop" })).id, monitor.id)
  assert.strictEqual(monitor.type === "http" && monitor.url, hook)
  assert.isNull((await kanmon.monitors.stats(monitor.id)).avgResponseTime)
  assert.deepStrictEqual(await kanmon.monitors.dailyUptime(monitor.id, { from: "2026-11-01", to: "2026-11-20" }), [])
  const rule = await kanmon.alertRules.create({ name: "Down", monitorIds: [monitor.id], channelIds: [channel.id] })
  assert.strictEqual((await kanmon.alertRules.update(rule.id, { consecutiveFailures: 3 })).consecutiveFailures, 3)
  const incident = await kanmon.incidents.create({ title: "Slow", message: "We look into it." })
  const resolved = await kanmon.incidents.update(incident.id, { status: "resolved", message: "It is over." })
  assert.lengthOf(resolved.updates, 2)
  const page = await kanmon.statusPages.create({ name: "Acme", slug: "acme-of-the-clients", monitorIds: [monitor.id] })
  assert.strictEqual(page.customDomainStatus, "none")
  assert.deepStrictEqual(await kanmon.alertHistory.list({ limit: 10 }), [])
  assert.isAbove((await kanmon.plugins.list()).length, 10)
  assert.strictEqual((await kanmon.health.check()).status, "ok")
  assert.isAbove((await Kanmon.make({ baseUrl: base }).billing.plans()).length, 1)

  for (const name of ["Two", "Three"]) await kanmon.monitors.create({ ...body, name })
  assert.lengthOf(await kanmon.monitors.list({ limit: 1 }), 1)
  const names: Array<string> = []
  for await (const { name } of kanmon.monitors.list({ limit: 1 })) names.push(name)
  assert.deepStrictEqual(names, ["Three", "Two", "Shop"])

  const person = Kanmon.make({ baseUrl: base, session })
  const project = await person.projects.create({ name: "Second" })
  assert.deepStrictEqual(await person.projects.remove(project.id), { id: project.id, deleted: true })
  assert.strictEqual((await person.billing.subscription()).monitorsUsed, 3)
}

const refusals = async (base: string, apiKey: string): Promise<void> => {
  const kanmon = Kanmon.make({ baseUrl: base, apiKey })
  const misspelt = { name: "Shop", type: "http", url: "shop", intervall: 60 } as const
  const invalid = await failureOf(kanmon.monitors.create(misspelt))
  assert.deepInclude({ ...invalid }, { code: "validation_failed", status: 422 })
  assert.sameMembers(
    invalid.errors.map(({ path }) => path),
    ["url", "intervall"]
  )
  assert.isString(invalid.requestId)
  assert.strictEqual((await failureOf(kanmon.monitors.get("mon_nowhere"))).code, "not_found")
  const stranger = await failureOf(Kanmon.make({ baseUrl: base, apiKey: "km_wrong" }).monitors.list())
  assert.deepInclude({ ...stranger }, { code: "unauthorized", status: 401 })
  assert.notInclude(inspect(stranger, { depth: 10 }), "km_wrong")
}

/** The same contract, decoded: timestamps are numbers, ids are told apart. */
const withEffect = (base: string, apiKey: string) =>
  Effect.gen(function* () {
    const client = yield* Client.make({ baseUrl: base, apiKey })
    const names = yield* Stream.runCollect(
      Stream.map(Client.every(client.monitors.list, { limit: 2 }), ({ name }) => name)
    )
    assert.deepStrictEqual([...names], ["Three", "Two", "Shop"])
    const [incident] = yield* client.incidents.list({ query: { status: "resolved" } })
    assert.isAtLeast(incident!.resolvedAt!, incident!.startedAt)
    const gone = client.monitors.get({ params: { monitorId: MonitorId.make("mon_nowhere") } })
    const code = yield* Effect.catchTag(gone, "KanmonError", ({ code }) => Effect.succeed(code))
    assert.strictEqual(code, "not_found")
  }).pipe(Effect.provide(FetchHttpClient.layer))

/** 120 changes a minute are allowed. */
const limits = async (base: string, apiKey: string): Promise<void> => {
  const kanmon = Kanmon.make({ baseUrl: base, apiKey, retries: 0 })
  const many = Array.from({ length: 130 }, () => failureOf(kanmon.notificationChannels.update("ch_nowhere", {})))
  const limited = (await Promise.all(many)).find(({ code }) => code === "rate_limited")
  assert.isAtLeast(limited?.retryAfter ?? 0, 1)
}

describe("the clients", () => {
  it.live("calls every endpoint of the server", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.make
      const product = yield* SharedProduct.product
      const ada = yield* product.signUp
      yield* Effect.promise(() => withPromises(product.base, ada.key, ada.cookie, receiver.url))
      yield* Effect.promise(() => refusals(product.base, ada.key))
      yield* withEffect(product.base, ada.key)
      yield* Effect.promise(() => limits(product.base, ada.key))
    }).pipe(Effect.scoped)
  )
})
