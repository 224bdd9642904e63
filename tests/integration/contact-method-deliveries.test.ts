/** Messages to contact methods of people take the way of all messages: in order, once, after a restart too, and to nobody unconfirmed. */
import { assert, layer } from "@effect/vitest"
import { type ContactMethodId, type ProjectId, UserId } from "@kanmon/domain/Ids"
import { ContactMethods, PersonalQuietHours } from "@kanmon/monitoring/contact-methods"
import {
  DeliveryQueue,
  type EndedMessage,
  type Message,
  type MessageSender,
  SentMessageRepository,
  targetId
} from "@kanmon/monitoring/delivery"
import { pageReason } from "@kanmon/domain/PageReason"
import { weekdays } from "@kanmon/domain/WeeklyWindows"
import { Deliveries } from "@kanmon/monitoring/testing/delivery/Deliveries.ts"
import { eventually } from "@kanmon/testkit/Eventually"
import { notices } from "@kanmon/testkit/SampleNotices"
import * as Targets from "@kanmon/testkit/Targets"
import { Clock, Context, Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as Deliverer from "../support/Deliverer.ts"
import * as Engines from "../support/Engines.ts"
import { environment, stage } from "../support/Stage.ts"

/** What the sender of pages was told. */
class Told extends Context.Service<Told, Array<EndedMessage>>()("ToldOfPages") {}

const pages = Effect.map(Told, (log): MessageSender => ({
  ended: (messages) => Effect.sync(() => void log.push(...messages)),
  delayed: () => Effect.void,
  held: () => Effect.void,
  ignoresQuietHours: true,
  answerPath: ({ to }) => `/answer/${targetId(to)}`
}))

const worker = (engine: string, rings?: string) =>
  Deliverer.layer({
    engine,
    ...(rings === undefined ? {} : { rings }),
    recipients: { confirm: false, phonePrefixes: [], perHour: { email: 100, phone: 1 } }
  }).pipe(Layer.provide(Deliverer.withPages(pages)))

const withTold = Layer.provideMerge(
  Layer.sync(Told, () => []),
  environment
)

let people = 0

/** A person with an ntfy topic of their own, and an ntfy server. */
const reached = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const methods = yield* ContactMethods
  const answer = { status: 200, body: JSON.stringify({ id: "m1" }) }
  const server = yield* Targets.http(Targets.answer(answer))
  const userId = UserId.make(`usr_paged${++people}`)
  const email = `paged${people}@example.test`
  yield* sql`INSERT INTO users (id, name, email, email_verified, timezone, created_at, updated_at)
    VALUES (${userId}, 'Ada', ${email}, true, 'Asia/Tokyo', now(), now())`
  const method = yield* methods.create(
    { userId, email },
    { name: "Phone", type: "ntfy", config: { topic: "ada", serverUrl: server.url }, destination: `of ${userId}` }
  )
  const confirm = sql`UPDATE contact_methods SET confirmed_at = now() WHERE id = ${method.id}`
  const received = Effect.sync(() => server.requests.map(({ body }) => JSON.parse(body)))
  return { userId, email, method, confirm, received }
})

/** Such a person, who has confirmed the method, with a project and the queue of messages. */
const ready = Effect.gen(function* () {
  const person = yield* reached
  yield* person.confirm
  const { project } = yield* stage({ channels: 0 })
  return { ...person, project, outgoing: yield* DeliveryQueue, now: yield* Clock.currentTimeMillis }
})

const page = (id: ContactMethodId, projectId: ProjectId, name: string, now: number): Message => ({
  id: `dlv_${name}`,
  about: { kind: "page", id: name },
  entryId: `entry of ${name}`,
  topic: name,
  to: { contactMethodId: id },
  projectId,
  purpose: "open",
  resendEvery: 0,
  notice: { ...notices.down, id: `dlv_${name}`, alertId: name, at: now, startedAt: now }
})

const ended = (name: string) =>
  Effect.flatMap(Told, (told) =>
    eventually(
      Effect.suspend(() => {
        const found = told.find(({ about }) => about.id === name)
        return found === undefined ? Effect.fail("not ended") : Effect.succeed(found)
      })
    )
  )

layer(withTold, { excludeTestServices: true })("a message to a contact method", (it) => {
  it.effect(
    "is sent to it, with the link of its sender and times of the person's zone, and the sender learns of it",
    () =>
      Effect.gen(function* () {
        const { method, now, outgoing, project, received, userId } = yield* ready
        const first = page(method.id, project.id, "pg1", now)
        // 00:00 in Tokyo is another day than in UTC.
        const until = Date.parse("2027-03-01T15:00:00.000Z")
        const why = [pageReason("on_call", { name: "Primary", until, policy: "Ops", step: 1 })]
        yield* outgoing.append([{ ...first, notice: { ...first.notice, at: until - 3_600_000, why } }], now)
        yield* Effect.gen(function* () {
          const end = yield* ended("pg1")
          assert.deepStrictEqual([end.to, end.status, end.isLast], [{ contactMethodId: method.id }, "delivered", true])
        }).pipe(Effect.provide(worker("pages")))
        const [sent] = yield* received
        assert.deepInclude(sent, { topic: "ada" })
        const lines = sent.message.split("\n")
        assert.include(lines, "Why you: You are on call in Primary (until Tue 00:00 JST), step 2 of Ops")
        assert.strictEqual(sent.actions[0].url, `https://kanmon.example/answer/${method.id}`)
        const messages = yield* SentMessageRepository
        assert.deepInclude(yield* messages.find("dlv_pg1"), { targetId: method.id, targetName: "Ada", userId })
        assert.strictEqual((yield* messages.ofEntry("entry of pg1"))[0]!.status, "delivered")
      })
  )

  it.effect("is plain words where an acknowledgement is told, without a link", () =>
    Effect.gen(function* () {
      const { method, now, outgoing, project, received } = yield* ready
      const about = page(method.id, project.id, "had", now)
      const notice = { ...about.notice, reason: "Anna has it" }
      yield* outgoing.append(
        [{ ...about, about: { kind: "acknowledgement", id: "alt_had" }, purpose: "close", notice }],
        now
      )
      const [sent] = yield* eventually(
        Effect.filterOrFail(
          received,
          (all) => all.length > 0,
          () => "nothing received"
        )
      ).pipe(Effect.provide(worker("words")))
      assert.match(sent.message, /^Anna has it: .+ is down\. You need not answer\.$/)
      assert.isUndefined(sent.actions)
    })
  )

  it.effect("is not sent by a method that rings when it is a recovery, and all of it is settled", () =>
    Effect.gen(function* () {
      const { method, now, outgoing, project, received } = yield* ready
      const opening = page(method.id, project.id, "rung", now)
      const recovery: Message = {
        ...opening,
        id: "dlv_quiet",
        about: { kind: "page", id: "quiet" },
        entryId: "entry of quiet",
        purpose: "close",
        notice: { ...notices.up, id: "dlv_quiet", alertId: "rung", at: now, startedAt: now }
      }
      yield* outgoing.append([opening], now)
      yield* Effect.gen(function* () {
        yield* ended("rung")
        yield* outgoing.append([recovery], yield* Clock.currentTimeMillis)
        const end = yield* ended("quiet")
        assert.deepStrictEqual([end.status, end.isLast], ["delivered", true])
        assert.match(end.detail ?? "", /rings/)
      }).pipe(Effect.provide(worker("ringing", "ntfy")))
      assert.strictEqual((yield* received).length, 1)
    })
  )

  it.effect("is not sent before the person has confirmed it, nor after the method is switched off", () =>
    Effect.gen(function* () {
      const { confirm, method, received } = yield* reached
      const { project } = yield* stage({ channels: 0 })
      const sql = yield* SqlClient.SqlClient
      const outgoing = yield* DeliveryQueue
      const send = (name: string) =>
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          yield* outgoing.append([page(method.id, project.id, name, now)], now)
          return yield* ended(name)
        })
      yield* Effect.gen(function* () {
        assert.deepInclude(yield* send("early"), { status: "failed" })
        assert.match((yield* send("early2")).detail, /not confirmed/)
        yield* confirm
        yield* sql`UPDATE contact_methods SET disabled_reason = 'it is gone' WHERE id = ${method.id}`
        assert.match((yield* send("late")).detail, /switched off: it is gone/)
      }).pipe(Effect.provide(worker("refused")))
      assert.deepStrictEqual(yield* received, [])
    })
  )

  it.effect("is sent once over the death of an engine, with all others that wait for the person", () =>
    Effect.gen(function* () {
      const { method, now, outgoing, project, received } = yield* ready
      yield* Engines.join("dying")
      yield* Engines.join("living")
      const all = ["a", "b", "c", "d"].map((name) => page(method.id, project.id, `many_${name}`, now))
      yield* outgoing.append(all, now)
      // An engine leases the method and dies before it sends.
      const leased = yield* Effect.flatMap(Deliveries, ({ lease }) => lease("dying", 60_000, 10))
      assert.deepStrictEqual(
        leased.map(({ id, kind }) => [id, kind]),
        [[method.id, "contactMethod"]]
      )
      yield* Engines.die("dying")
      yield* Effect.forEach(all, ({ about }) => ended(about.id), { discard: true }).pipe(
        Effect.provide(worker("living"))
      )
      assert.lengthOf(yield* received, 1)
    })
  )

  it.effect("says each reason once when it is about several alerts", () =>
    Effect.gen(function* () {
      const { method, now, outgoing, project, received } = yield* ready
      const [primary, team] = [pageReason("on_call", { name: "Primary" }), pageReason("team", { name: "SRE" })]
      const all = [primary, team, primary, team].map((reason, index) => {
        const one = page(method.id, project.id, `why${index}`, now)
        return { ...one, notice: { ...one.notice, why: [reason] } }
      })
      yield* outgoing.append(all, now)
      yield* ended("why3").pipe(Effect.provide(worker("reasons")))
      const sent = yield* received
      assert.strictEqual(sent.length, 1)
      assert.match(sent[0].title, /^4 alerts: /)
      const lines = sent[0].message.split("\n").filter((line: string) => line.startsWith("Why you"))
      assert.deepStrictEqual(lines, ["Why you: You are on call in Primary; You are a member of the team SRE"])
    })
  )

  it.effect("waits in quiet hours of the person, unless it is urgent", () =>
    Effect.gen(function* () {
      const { method, now, outgoing, project, received, userId } = yield* ready
      const sql = yield* SqlClient.SqlClient
      const people = yield* PersonalQuietHours
      const windows = [{ weekdays: [...weekdays], from: "00:00", to: "24:00" }]
      const person = { userId, email: "ada@example.test" }
      yield* people.set(person, { timezone: "Asia/Tokyo", windows, holdBelow: "critical" })
      const [calm, urgent] = [page(method.id, project.id, "calm", now), page(method.id, project.id, "loud", now + 1)]
      yield* outgoing.append([{ ...calm, notice: { ...calm.notice, severity: "warning" } }], now)
      yield* outgoing.append([{ ...urgent, notice: { ...urgent.notice, severity: "critical" } }], now)
      yield* ended("loud").pipe(Effect.provide(worker("quiet hours")))
      assert.lengthOf(yield* received, 1)
      const [row] = yield* sql<{ status: string; isHeld: boolean }>`SELECT status, held_until > now() AS "isHeld"
        FROM deliveries WHERE id = 'dlv_calm'`
      assert.deepStrictEqual(row, { status: "pending", isHeld: true })
    })
  )

  it.effect("goes with the method, and with the account", () =>
    Effect.gen(function* () {
      const { email, method, userId } = yield* reached
      const { project } = yield* stage({ channels: 0 })
      const sql = yield* SqlClient.SqlClient
      const outgoing = yield* DeliveryQueue
      const methods = yield* ContactMethods
      const [account] = yield* methods.list(userId)
      const now = yield* Clock.currentTimeMillis
      yield* outgoing.append([page(method.id, project.id, "x", now), page(account!.id, project.id, "y", now)], now)
      yield* methods.remove({ userId, email }, method.id)
      const left = Effect.map(sql<{ id: string }>`SELECT id FROM deliveries WHERE id IN ('dlv_x', 'dlv_y')`, (rows) =>
        rows.map(({ id }) => id)
      )
      assert.deepStrictEqual(yield* left, ["dlv_y"])
      yield* sql`DELETE FROM users WHERE id = ${userId}`
      assert.deepStrictEqual(yield* left, [])
    })
  )

  it.effect("is to one target: the database takes no other row", () =>
    Effect.gen(function* () {
      const { method } = yield* reached
      const { channels, project } = yield* stage({ channels: 1 })
      const sql = yield* SqlClient.SqlClient
      const insert = (channel: string | null, own: string | null) =>
        Effect.exit(sql`INSERT INTO deliveries (id, subject_kind, subject_id, entry_id, topic, channel_id, contact_method_id,
            project_id, purpose, resend_every, notice, status, next_attempt_at, created_at)
          VALUES (${`dlv_${channel}_${own}`}, 'page', 'p', 'e', 't', ${channel}, ${own}, ${project.id}, 'open', 0, '{}',
            'delivered', now(), now())`)
      assert.isTrue(Exit.isFailure(yield* insert(channels[0]!, method.id)))
      assert.isTrue(Exit.isFailure(yield* insert(null, null)))
      assert.isTrue(Exit.isSuccess(yield* insert(null, method.id)))
    })
  )
})
