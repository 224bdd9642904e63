/** Delivery serves any feature that sends: it decides by what is in its own rows, and each sender learns of its own messages alone. */
import { notices } from "@kanmon/testkit/SampleNotices"
import { assert, layer } from "@effect/vitest"
import type { Notice } from "@kanmon/core/Notice"
import type { ChannelId, ProjectId } from "@kanmon/domain/Ids"
import {
  DeliveryQueue,
  type EndedMessage,
  type Message,
  type MessageSender,
  SentMessageRepository
} from "@kanmon/monitoring/delivery"
import { Deliveries, type DeliveryOutcome } from "@kanmon/monitoring/testing/delivery/Deliveries.ts"
import { Retention } from "@kanmon/monitoring/testing/retention/Retention.ts"
import { Context, Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as Deliverer from "../support/Deliverer.ts"
import { tried } from "../support/Attempts.ts"
import { at, environment, evaluate, history, minute, noon, stage } from "../support/Stage.ts"

const now = noon + 10 * minute

/** What the sender of pages was told. */
class Told extends Context.Service<Told, Array<string>>()("Told") {}

const told = Layer.sync(Told, () => [])

const word = ({ about, detail, isLast, status }: EndedMessage) =>
  `${about.id} ${status}${isLast ? "" : ", more follows"}: ${detail}`

const pages = Effect.map(Told, (log): MessageSender => ({
  ended: (messages) => Effect.sync(() => void log.push(...messages.map(word))),
  delayed: (messages, detail) =>
    Effect.sync(() => void log.push(...messages.map(({ about }) => `${about.id} waits: ${detail}`))),
  held: () => Effect.void,
  ignoresQuietHours: true,
  answerPath: () => undefined
}))

const withPages = Deliverer.withPages(pages).pipe(Layer.provideMerge(told), Layer.provideMerge(environment))

const notice = (id: string, alertId: string): Notice => ({ ...notices.down, id, alertId, at: noon, startedAt: noon })

const page = (
  { channelId, projectId }: { readonly channelId: ChannelId; readonly projectId: ProjectId },
  id: string,
  subject: string,
  more: Partial<Message> = {}
): Message => ({
  to: { channelId },
  projectId,
  id,
  about: { kind: "page", id: subject },
  entryId: `entry of ${subject}`,
  topic: subject,
  purpose: "open",
  resendEvery: 0,
  notice: notice(id, subject),
  ...more
})

const delivered: DeliveryOutcome = { _tag: "Delivered" }

const staged = Effect.gen(function* () {
  const made = yield* stage({ channels: 1 })
  const [channelId] = made.channels
  const log = yield* Told
  log.length = 0
  return { ...made, log, channel: channelId!, to: { channelId: channelId!, projectId: made.project.id } }
})

layer(withPages, { excludeTestServices: true })("messages of another sender", (it) => {
  it.effect("are sent in turn with those of alerts, and each sender learns of its own", () =>
    Effect.gen(function* () {
      const { channel, log, monitor, project, to } = yield* staged
      const deliveries = yield* Deliveries
      const queue = yield* DeliveryQueue
      yield* evaluate(monitor, 0, "up", "down")
      yield* queue.append([page(to, "dlv_page1", "pg_1")], noon + 2 * minute)
      const kinds: Array<string> = []
      for (;;) {
        const due = yield* deliveries.next(channel).pipe(at(now))
        if (due === undefined) break
        kinds.push(due.about.kind)
        yield* deliveries.conclude(due, tried(now, "delivered", "HTTP 200"), delivered).pipe(at(now))
      }
      assert.deepStrictEqual(kinds, ["alert", "page"])
      assert.deepStrictEqual(log, ["pg_1 delivered: HTTP 200"])
      assert.deepStrictEqual(
        (yield* history(project.id)).map(({ status }) => status),
        ["delivered"]
      )
      const messages = yield* SentMessageRepository
      const [record] = yield* messages.ofEntry("entry of pg_1")
      assert.strictEqual(record!.attempts.length, 1)
    })
  )

  it.effect("are one message where they have one topic, and each is told of", () =>
    Effect.gen(function* () {
      const { channel, log, to } = yield* staged
      const deliveries = yield* Deliveries
      const queue = yield* DeliveryQueue
      const topic = "the same outage"
      yield* queue.append([page(to, "dlv_a", "pg_a", { topic }), page(to, "dlv_b", "pg_b", { topic })], noon)
      const due = (yield* deliveries.next(channel).pipe(at(now)))!
      assert.deepStrictEqual(
        due.shared.map(({ about }) => about.id),
        ["pg_b"]
      )
      const later: DeliveryOutcome = { _tag: "Retry", at: now + minute, restUntil: null, isFailure: true }
      yield* deliveries.conclude(due, tried(now, "retrying", "HTTP 503"), later).pipe(at(now))
      const again = (yield* deliveries.next(channel).pipe(at(now + minute)))!
      yield* deliveries.conclude(again, tried(now, "delivered", "HTTP 200"), delivered).pipe(at(now + minute))
      assert.deepStrictEqual(log.toSorted(), [
        "pg_a delivered: HTTP 200",
        "pg_a waits: HTTP 503",
        "pg_b delivered: HTTP 200",
        "pg_b waits: HTTP 503"
      ])
      assert.isUndefined(yield* deliveries.next(channel).pipe(at(now + minute)))
    })
  )

  it.effect("leave the queue in the transaction that takes them back, and others stay", () =>
    Effect.gen(function* () {
      const { channel, log, to } = yield* staged
      const deliveries = yield* Deliveries
      const queue = yield* DeliveryQueue
      yield* queue.append([page(to, "dlv_c", "pg_c"), page(to, "dlv_d", "pg_d")], noon)
      yield* queue.cancel({ kind: "page", ids: ["pg_c"] }, now, "Somebody answered")
      // Another sender's subject of the same name is not meant.
      yield* queue.cancel({ kind: "alert", ids: ["pg_d"] }, now, "The alert was acknowledged")
      const due = (yield* deliveries.next(channel).pipe(at(now)))!
      assert.strictEqual(due.about.id, "pg_d")
      yield* deliveries.conclude(due, tried(now, "delivered", "HTTP 200"), delivered).pipe(at(now))
      assert.isUndefined(yield* deliveries.next(channel).pipe(at(now)))
      assert.deepStrictEqual(log, ["pg_d delivered: HTTP 200"])
      const messages = yield* SentMessageRepository
      assert.deepInclude((yield* messages.ofEntry("entry of pg_c"))[0]!, {
        status: "failed",
        error: "Somebody answered"
      })
      yield* queue.forget({ kind: "page", ids: ["pg_c"] })
      assert.isEmpty(yield* messages.ofEntry("entry of pg_c"))
      assert.isNotEmpty(yield* messages.ofEntry("entry of pg_d"))
    })
  )

  it.effect("say that more follows as long as something of their entry waits", () =>
    Effect.gen(function* () {
      const { channel, log, to } = yield* staged
      const deliveries = yield* Deliveries
      const queue = yield* DeliveryQueue
      yield* queue.append([page(to, "dlv_e", "pg_e")], noon)
      const due = (yield* deliveries.next(channel).pipe(at(now)))!
      yield* queue.append([page(to, "dlv_f", "pg_e", { purpose: "close" })], now)
      yield* deliveries.conclude(due, tried(now, "delivered", "HTTP 200"), delivered).pipe(at(now))
      assert.deepStrictEqual(log, ["pg_e delivered, more follows: HTTP 200"])
    })
  )

  it.effect("are deleted with their subject, as alerts past retention are", () =>
    Effect.gen(function* () {
      const { channel, monitor, project, to } = yield* staged
      const queue = yield* DeliveryQueue
      const retention = yield* Retention
      const sql = yield* SqlClient.SqlClient
      const left = Effect.map(
        sql<{ kind: string }>`SELECT DISTINCT subject_kind AS kind FROM deliveries WHERE channel_id = ${channel}`,
        (rows) => rows.map(({ kind }) => kind).sort()
      )
      yield* evaluate(monitor, 0, "up", "down", "up")
      yield* queue.append([page(to, "dlv_h", "pg_h")], noon)
      assert.deepStrictEqual(yield* left, ["alert", "page"])
      yield* retention.history(30).pipe(at(noon + 20 * 24 * 60 * minute))
      assert.deepStrictEqual(yield* left, ["alert", "page"])
      yield* retention.history(30).pipe(at(noon + 40 * 24 * 60 * minute))
      assert.deepStrictEqual(yield* left, ["page"])
      assert.isEmpty(yield* history(project.id))
    })
  )

  it.effect("of a kind without a sender are a defect that stores nothing", () =>
    Effect.gen(function* () {
      const { channel, to } = yield* staged
      const deliveries = yield* Deliveries
      const queue = yield* DeliveryQueue
      yield* queue.append([page(to, "dlv_g", "sub_1", { about: { kind: "update", id: "sub_1" } })], noon)
      const due = (yield* deliveries.next(channel).pipe(at(now)))!
      const exit = yield* Effect.exit(
        deliveries.conclude(due, tried(now, "delivered", "HTTP 200"), delivered).pipe(at(now))
      )
      assert.isTrue(Exit.isFailure(exit))
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ status: string }>`SELECT status FROM deliveries WHERE id = 'dlv_g'`
      assert.strictEqual(row!.status, "pending")
    })
  )
})
