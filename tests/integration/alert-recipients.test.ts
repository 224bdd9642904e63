/** Recipients of alerts: only people who consented, and fewer messages over the limits. */
import { assert, layer } from "@effect/vitest"
import { Channels } from "@kanmon/monitoring/testing/channels/Channels.ts"
import { Monitors } from "@kanmon/monitoring/testing/monitors/Monitors.ts"
import * as Targets from "@kanmon/testkit/Targets"
import { Context, Effect, Layer } from "effect"
import { deliveriesWhen } from "../support/DeliveriesWhen.ts"
import * as Deliverer from "../support/Deliverer.ts"
import { at, environment, history, evaluate, minute, noon, stage } from "../support/Stage.ts"

const live = { excludeTestServices: true } as const

/** The forms that were sent to Twilio. */
class Messages extends Context.Service<Messages, () => ReadonlyArray<string>>()("@kanmon/tests/Messages") {}

/** What the deliverer takes for the time; its pauses are real. */
let now = noon + 10 * minute

const delivering = Layer.unwrap(
  Effect.gen(function* () {
    const target: Targets.HttpTarget = yield* Targets.http(
      Targets.answer({ status: 201, body: JSON.stringify({ sid: "SM1", status: "queued" }) })
    )
    const settings = {
      TWILIO_ACCOUNT_SID: `AC${"0123456789abcdef".repeat(2)}`,
      TWILIO_AUTH_TOKEN: "token",
      TWILIO_FROM: "+15005550006",
      TWILIO_API_BASE: target.url
    }
    return Deliverer.layer({
      now: () => now,
      operator: new Map([["sms", settings]]),
      recipients: { confirm: true, phonePrefixes: ["+49"], perHour: { email: 100, phone: 3 } }
    }).pipe(
      Layer.merge(
        Layer.succeed(Messages, () =>
          target.requests.map(({ body }) => new URLSearchParams(body).get("Body") ?? "no text")
        )
      )
    )
  })
).pipe(Layer.provideMerge(environment))

const sms = (phoneNumber: string) => ({ name: "Pager", type: "sms", config: { phoneNumber } })

layer(delivering, live)("an alert to a phone", (it) => {
  it.effect.each([
    ["has not confirmed", "+4915112345678", "pending", "has not confirmed"],
    ["is out of the operator's countries", "+33612345678", "confirmed", "KANMON_SMS_COUNTRIES"]
  ] as const)("is not sent to a recipient who %s, and records the reason", ([, number, confirmation, words]) =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({ channels: 0 })
      const channels = yield* Channels
      const channel = yield* channels.create(project.id, { ...sms(number), confirmation })
      yield* evaluate(monitor, 0, "up", "down")
      const [failed] = yield* deliveriesWhen(project.id, ([one]) => one?.status === "failed")
      assert.include(failed!.error!, words)
      const { lastDelivery } = yield* channels.get(project.id, channel.id)
      assert.deepInclude(lastDelivery, { status: "failed", detail: failed!.error! })
      assert.strictEqual((yield* history(project.id))[0]!.error, failed!.error)
    })
  )

  it.effect("waits above the rate limit, and is not sent if its outage has ended", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({ channels: 0 })
      const channels = yield* Channels
      const monitors = yield* Monitors
      const channel = yield* channels.create(project.id, { ...sms("+4915199999999"), confirmation: "confirmed" })
      const messages = yield* Messages
      const before = messages().length
      // Down, up and down again are three messages; the outage ends and another one of another monitor begins.
      yield* evaluate(monitor, 0, "up", "down", "up", "down")
      yield* deliveriesWhen(project.id, (all) => all.filter(({ status }) => status === "delivered").length === 3)
      const sent = messages().slice(before)
      assert.strictEqual(sent.length, 3)
      assert.notInclude(sent[1]!, "Too many messages")
      assert.match(sent[2]!, /Too many messages: the next one comes at \d\d:\d\d UTC or later\./)

      yield* evaluate(monitor, 4, "up", "down", "up")
      const database = {
        name: "Database",
        type: "tcp",
        interval: 60,
        timeout: 5,
        regions: [],
        paused: false,
        config: { host: "db.example", port: 5432 }
      }
      const other = yield* monitors.create(project.id, database).pipe(at(noon))
      yield* evaluate(other, 8, "up", "down")
      const all = yield* deliveriesWhen(
        project.id,
        (every) => every.filter(({ status }) => status === "failed").length === 2
      )
      const missed = all.filter(({ status }) => status === "failed")
      assert.deepStrictEqual(
        missed.map(({ event }) => event),
        ["monitor_down", "monitor_up"]
      )
      for (const { error } of missed) assert.include(error!, "began and ended while")
      const held = all.filter(({ status }) => status === "pending")
      assert.deepStrictEqual(
        held.map(({ event }) => event),
        ["monitor_up", "monitor_down"]
      )
      assert.match(held[0]!.error!, /Held until \d\d:\d\d UTC: .* at most 3 messages an hour \(KANMON_SMS_PER_HOUR\)/)
      assert.include((yield* channels.get(project.id, channel.id)).lastDelivery!.detail, "Held until")
      assert.strictEqual(messages().length, before + 3)

      // The oldest that still matters comes first, one in twenty minutes.
      now += 20 * minute
      yield* deliveriesWhen(project.id, (every) => every.filter(({ status }) => status === "pending").length === 1)
      now += 20 * minute
      yield* deliveriesWhen(project.id, (every) => every.every(({ status }) => status !== "pending"))
      assert.strictEqual(messages().length, before + 5)
      assert.include(messages().at(-1)!, "Database")
    })
  )

  it.effect("waits above the rate limit of all numbers of the account, over its organizations", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({ channels: 0 })
      const channels = yield* Channels
      for (let number = 0; number < 32; number++)
        yield* channels.create(project.id, { ...sms(`+49151${10_000_000 + number}`), confirmation: "confirmed" })
      yield* evaluate(monitor, 0, "up", "down")
      const all = yield* deliveriesWhen(
        project.id,
        (every) => every.every(({ error, status }) => status === "delivered" || error !== null) && every.length === 32
      )
      const waiting = all.filter(({ status }) => status === "pending")
      assert.strictEqual(waiting.length, 2)
      for (const { error } of waiting) assert.include(error!, "of the account together get at most 30 messages an hour")
    })
  )
})
