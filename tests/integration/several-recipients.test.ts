/** A channel with several recipients on a real PostgreSQL and a real mail server: each is settled by itself. */
import { eventually } from "@kanmon/testkit/Eventually"
import { assert, layer } from "@effect/vitest"
import { recipientsOf } from "@kanmon/core/Recipient"
import { attempt, type Tried } from "@kanmon/monitoring/testing/delivery/DeliveryRecords.ts"
import { Deliveries } from "@kanmon/monitoring/testing/delivery/Deliveries.ts"
import { Channels } from "@kanmon/monitoring/testing/channels/Channels.ts"
import { Confirmations } from "@kanmon/monitoring/testing/channels/Confirmations.ts"
import { Context, Effect, Layer } from "effect"
import * as MailWorld from "../../plugins/notify-email/test/MailWorld.ts"
import { deliveriesWhen } from "../support/DeliveriesWhen.ts"
import * as Deliverer from "../support/Deliverer.ts"
import { at, environment, evaluate, minute, noon, stage } from "../support/Stage.ts"

const live = { excludeTestServices: true } as const

const [ada, ben, cleo] = ["ada@example.test", "ben@example.test", "cleo@example.test"] as const
const three = { name: "Team", type: "email", config: { address: ada, additionalAddresses: [ben, cleo] } }

/** The mail server, and what it is asked: ben is unknown there, cleo has to come again. */
class Mails extends Context.Service<
  Mails,
  {
    readonly to: (address: string) => ReturnType<MailWorld.MailDestination["mails"]>
    /** The addresses that were named to it, in order. */
    readonly named: Array<string>
  }
>()("@kanmon/tests/Mails") {}

/** What the deliverer takes for the time; its pauses are real. */
let now = noon + 10 * minute

let isCleoWelcome = true

const delivering = Layer.unwrap(
  Effect.gen(function* () {
    const named: Array<string> = []
    const refusal = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode })
    const mail = yield* MailWorld.start({
      server: {
        onRcptTo: ({ address }, _session, done) => {
          named.push(address)
          if (address === ben) return done(refusal(550, "5.1.1 No such user"))
          if (address === cleo && !isCleoWelcome) return done(refusal(451, "4.7.1 Greylisted"))
          return done()
        }
      }
    })
    return Deliverer.layer({
      now: () => now,
      operator: new Map([["email", mail.settings]]),
      recipients: { confirm: true, phonePrefixes: [], perHour: { email: 500, phone: 20 } }
    }).pipe(
      Layer.merge(
        Layer.succeed(Mails, {
          named,
          to: (address) => mail.mails().filter(({ envelope }) => envelope.to.includes(address))
        })
      )
    )
  })
).pipe(Layer.provideMerge(environment))

layer(delivering, live)("an alert to several addresses", (it) => {
  it.effect("reaches each once: one is refused for good, another one for now", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({ channels: 0 })
      const channels = yield* Channels
      const channel = yield* channels.create(project.id, { ...three, confirmation: "confirmed" })
      const mails = yield* Mails
      isCleoWelcome = false
      yield* evaluate(monitor, 0, "up", "down")
      const [waiting] = yield* deliveriesWhen(project.id, ([one]) => one?.attempts.length === 3)
      assert.strictEqual(waiting!.status, "pending")
      assert.deepStrictEqual(
        waiting!.attempts.map(({ outcome, recipient }) => [recipient, outcome]),
        [
          [ada, "delivered"],
          [ben, "failed"],
          [cleo, "retrying"]
        ]
      )
      const standing = yield* eventually(
        channels.get(project.id, channel.id),
        ({ lastDelivery }) => lastDelivery !== null
      )
      assert.strictEqual(standing.lastDelivery!.status, "retrying")
      assert.match(standing.lastDelivery!.detail, /^b…@.*No such user; c…@.*Greylisted$/)

      isCleoWelcome = true
      now += minute
      const [over] = yield* deliveriesWhen(project.id, ([one]) => one?.status !== "pending")
      assert.strictEqual(over!.status, "failed")
      assert.match(over!.error!, /^b…@example\.test: .*No such user$/)
      assert.deepStrictEqual(mails.named, [ada, ben, cleo, cleo])
      assert.deepStrictEqual(
        [ada, ben, cleo].map((one) => mails.to(one).length),
        [1, 0, 1]
      )

      // The recovery answers the mail that each has got; who has got none learns of the outage with it.
      yield* evaluate(monitor, 5, "up")
      yield* deliveriesWhen(project.id, (all) => all.length === 2 && all.every(({ status }) => status !== "pending"))
      for (const address of [ada, cleo]) {
        const [down, up] = mails.to(address).map(({ parsed }) => parsed)
        assert.strictEqual(up!.inReplyTo, down!.messageId, address)
      }
      assert.notStrictEqual(mails.to(ada)[0]!.parsed.messageId, mails.to(cleo)[0]!.parsed.messageId)
      assert.isNull((yield* channels.get(project.id, channel.id)).disabledReason)
    })
  )

  it.effect("waits for no address that has not confirmed, and sends it nothing", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({ channels: 0 })
      const channels = yield* Channels
      const confirmations = yield* Confirmations
      const [, second] = recipientsOf({ recipient: email }, three.config)
      yield* channels.create(project.id, {
        ...three,
        config: { address: ada, additionalAddresses: [ben] },
        confirmation: "confirmed",
        recipients: { [confirmations.identityOf(second!)]: { confirmation: "pending", confirmedAt: null } }
      })
      const mails = yield* Mails
      const before = mails.named.length
      yield* evaluate(monitor, 0, "up", "down")
      const [sent] = yield* deliveriesWhen(project.id, ([one]) => one?.status !== undefined && one.status !== "pending")
      assert.strictEqual(sent!.status, "delivered", sent!.error ?? "")
      assert.deepStrictEqual(mails.named.slice(before), [ada])
    })
  )
})

const email = { field: "address", more: "additionalAddresses", kind: "email" } as const

/** What is stored after ada got a notice: the engine is killed, or the others wait. */
const reached = (delivery: { readonly progress: Tried["progress"] }, millis: number): Tried => ({
  attempt: attempt(millis, millis + 5, "delivered", "queued", ada),
  progress: [
    ...delivery.progress,
    { recipient: `email:${ada}`, outcome: "delivered", attempts: 1, dueAt: null, detail: "queued" }
  ],
  detail: "queued",
  at: millis
})

layer(environment, live)("a delivery to several recipients", (it) => {
  it.effect("knows after a crash who has got it", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({ channels: 0 })
      const channel = yield* Effect.flatMap(Channels, (channels) => channels.create(project.id, three))
      yield* evaluate(monitor, 0, "up", "down")
      const queue = yield* Deliveries
      const due = (yield* queue.next(channel.id).pipe(at(now)))!
      assert.deepStrictEqual(due.progress, [])
      yield* queue.begin(due)
      yield* queue.conclude(due, reached(due, now), { _tag: "Continue" }).pipe(at(now))
      const again = (yield* queue.next(channel.id).pipe(at(now)))!
      assert.strictEqual(again.id, due.id)
      assert.deepStrictEqual(
        again.progress.map(({ recipient }) => recipient),
        [`email:${ada}`]
      )
    })
  )

  it.effect("tells those of the opening in the recovery who have not got it, and no others", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({ channels: 0 })
      const channel = yield* Effect.flatMap(Channels, (channels) => channels.create(project.id, three))
      yield* evaluate(monitor, 0, "up", "down")
      const queue = yield* Deliveries
      const due = (yield* queue.next(channel.id).pipe(at(now)))!
      yield* queue.conclude(due, reached(due, now), { _tag: "Continue" }).pipe(at(now))
      yield* evaluate(monitor, 3, "up")
      // The opening waits for its next attempt.
      const later = { _tag: "Retry", at: now + 60 * minute, restUntil: null, isFailure: false } as const
      const open = (yield* queue.next(channel.id).pipe(at(now)))!
      yield* queue.conclude(open, { ...reached({ progress: [] }, now), attempt: undefined }, later).pipe(at(now))
      const close = (yield* queue.next(channel.id).pipe(at(now)))!
      assert.strictEqual(close.notice["event"], "monitor_up")
      assert.deepStrictEqual(close.knownTo(`email:${ada}`), { alertId: open.alertId, overtakesOpening: false })
      assert.isTrue(close.knownTo(`email:${cleo}`).overtakesOpening)
      assert.deepStrictEqual(close.progress, [])
    })
  )
})
