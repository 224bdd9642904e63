/** Answers to pages by phone: keys during calls and text messages, as Twilio hands them over. */
import { assert, layer } from "@effect/vitest"
import { layerPort } from "@kanmon/monitoring/replies"
import * as ReplyWork from "@kanmon/monitoring/testing/replies/ReplyWork.ts"
import { ChannelRunner } from "@kanmon/core/ChannelRunner"
import * as NodeResolver from "@kanmon/core/NodeResolver"
import { Catalogue } from "@kanmon/core/PluginHost"
import { eventually } from "@kanmon/testkit/Eventually"
import * as Targets from "@kanmon/testkit/Targets"
import { Context, Effect, Layer } from "effect"
import { bundled } from "../../../apps/server/src/plugins.gen.ts"
import * as Deliverer from "../../support/Deliverer.ts"
import { MovedClock } from "../../support/MovedClock.ts"
import * as MovedClocks from "../../support/MovedClock.ts"
import { telegram } from "../../support/OnCallBodies.ts"
import * as Twilio from "../../support/Twilio.ts"
import * as AlertServer from "./AlertServer.ts"
import { escalating, minute, ok, options, work } from "./EscalationStage.ts"
import { port } from "./Server.ts"
import { confirmMethod, join, verify } from "./Team.ts"

const baseUrl = "https://kanmon.example"

/** The requests that a double of Telegram got. */
class Chat extends Context.Service<Chat, Targets.HttpTarget>()("@kanmon/tests/TelegramDouble") {}

class Double extends Context.Service<Double, Effect.Success<typeof Twilio.start>>()("@kanmon/tests/TwilioDouble") {}

const recipients = { confirm: false, phonePrefixes: [], personPrefixes: ["+49"], perHour: { email: 100, phone: 100 } }

const stage = Layer.unwrap(
  Effect.gen(function* () {
    const double = yield* Twilio.start
    const settings = {
      TWILIO_ACCOUNT_SID: Twilio.accountSid,
      TWILIO_AUTH_TOKEN: Twilio.token,
      TWILIO_AUTH_TOKEN_PREVIOUS: Twilio.previousToken,
      TWILIO_SIGNATURE_KEY: Twilio.sharedKey,
      TWILIO_FROM: "+4930123456",
      TWILIO_API_BASE: double.base
    }
    const sent = JSON.stringify({ ok: true, result: { message_id: 42 } })
    const chat: Targets.HttpTarget = yield* Targets.http(Targets.answer({ status: 200, body: sent }))
    const operator = new Map<string, object>([
      ["sms", settings],
      ["phone", settings],
      ["telegram", { KANMON_TELEGRAM_API_BASE: chat.url }]
    ])
    const runner = ChannelRunner.layer({ dialer: { allowPrivate: true }, operator }).pipe(
      Layer.provide(NodeResolver.layer({ allowPrivate: true })),
      Layer.provideMerge(Catalogue.layer(bundled))
    )
    return Layer.merge(
      Deliverer.layer({ operator, recipients }).pipe(Layer.provide(layerPort)),
      ReplyWork.layer.pipe(Layer.provide(runner))
    ).pipe(
      Layer.provideMerge(AlertServer.layer({ operator, recipients, baseUrl })),
      Layer.provideMerge(MovedClocks.layer),
      Layer.merge(Layer.succeed(Double, double)),
      Layer.merge(Layer.succeed(Chat, chat))
    )
  })
)

let numbers = 0

/** A person who is paged by a type at a number of their own. */
const pagedBy = Effect.fnUntraced(function* (type: "sms" | "phone", fields: { readonly locale?: string } = {}) {
  const { act, ada, open, paging, path, rule, sql, up } = yield* escalating({}, [0, 30])
  const bea = yield* join(ada, "responder")
  yield* verify(bea, ada)
  const number = `+49151${String(10_000_000 + ++numbers)}`
  const method = ok(
    yield* bea.withSession("POST", "/account/contact-methods", {
      name: "Mobile",
      type,
      config: { phoneNumber: number }
    }),
    201
  )
  yield* confirmMethod(method.id)
  const critical = [{ afterMinutes: 0, contactMethodId: method.id }]
  ok(yield* bea.withSession("PUT", "/account/notification-rules", { critical }))
  if (fields.locale !== undefined) yield* sql`UPDATE users SET locale = ${fields.locale} WHERE id = ${bea.userId}`
  const double = yield* Double
  const before = double.sent.length
  yield* paging({ userId: bea.userId }, 600)
  const alert = yield* open
  yield* work
  const resource = type === "sms" ? "Messages" : "Calls"
  const sentTo = () =>
    double.sent.slice(before).filter((one) => one.fields["To"] === number && one.resource === resource)
  const first = yield* eventually(
    Effect.sync(() => sentTo()[0]),
    (one) => one !== undefined
  )
  const at = yield* port
  const post = (url: string, form: Twilio.Fields, signing: Twilio.Signing = {}) =>
    Effect.promise(() => Twilio.post(baseUrl, `http://127.0.0.1:${at}`, url, form, signing))
  const state = Effect.map(act("GET", `/alerts/${alert.id}`), (answer) => ok(answer))
  const pages = Effect.map(act("GET", `/alerts/${alert.id}/timeline`), (answer) =>
    ok(answer).flatMap(({ page }: any) => (page === null ? [] : [page]))
  )
  return {
    act,
    ada,
    alert,
    bea,
    double,
    first: first!,
    method,
    number,
    pages,
    path,
    post,
    rule,
    sentTo,
    sql,
    state,
    up
  }
})

/** A call, and a key that the person presses in it. */
const called = Effect.fnUntraced(function* (locale?: string) {
  const paged = yield* pagedBy("phone", locale === undefined ? {} : { locale })
  const call = Twilio.heard(paged.first.fields["Twiml"]!)
  const press = (digits: string, signing: Twilio.Signing = {}, more: Twilio.Fields = {}) =>
    paged.post(
      call.action!,
      {
        CallSid: paged.first.sid,
        Digits: digits,
        To: paged.number,
        From: "+4930123456",
        CallStatus: "in-progress",
        ...more
      },
      signing
    )
  const status = (fields: Twilio.Fields) =>
    paged.post(paged.first.fields["StatusCallback"]!, { CallSid: paged.first.sid, To: paged.number, ...fields })
  return { ...paged, call, press, status }
})

const smsUrl = `${baseUrl}/api/v1/twilio/sms`
let texts = 0

/** A text message with a code, and texts that the person sends. */
const texted = Effect.fnUntraced(function* () {
  const paged = yield* pagedBy("sms")
  const code = /Answer ack (\d{8}) or esc \1/.exec(paged.first.fields["Body"]!)?.[1]
  const text = (body: string, from: string = paged.number, sid = `SM${String(++texts).padStart(32, "f")}`) =>
    Effect.map(
      paged.post(smsUrl, { MessageSid: sid, From: from, To: "+4930123456", Body: body, FromCity: "", NumMedia: "0" }),
      (answer) => {
        assert.strictEqual(answer.status, 200, answer.body)
        return Twilio.heard(answer.body).message
      }
    )
  return { ...paged, code: code!, text }
})

layer(stage, options)("a key during a call", (it) => {
  it.effect("acknowledges with 4, once, and is in the time line", () =>
    Effect.gen(function* () {
      const { call, pages, press, state } = yield* called()
      assert.include(
        call.words.join(" "),
        "Press 4 to acknowledge, 8 to escalate, star to hear this again, or 6 to do nothing."
      )
      assert.deepStrictEqual([...new Set(call.languages)], ["en-US"])
      const answer = yield* press("4")
      assert.deepInclude(answer, { status: 200, type: "text/xml; charset=utf-8" })
      assert.deepStrictEqual(Twilio.heard(answer.body).words, ["Acknowledged: 1 alert."])
      const after = yield* state
      assert.strictEqual(after.state, "acknowledged")
      assert.strictEqual(after.acknowledgedBy.kind, "user")
      assert.strictEqual((yield* press("4")).body, answer.body)
      assert.strictEqual((yield* state).acknowledgedAt, after.acknowledgedAt)
      const [page] = yield* pages
      assert.deepInclude(page, { reply: "acknowledged", methodType: "phone" })
      assert.isNotNull(page.answeredAt)
    })
  )

  it.effect("repeats with a star, does nothing with 6, and escalates with 8", () =>
    Effect.gen(function* () {
      const { call, pages, press, state } = yield* called("de")
      assert.deepStrictEqual([...new Set(call.languages)], ["de-DE"])
      assert.match(call.words.join(" "), /^Hier ist Kanmon\. Kritischer Alarm\. Shop ist ausgefallen\..+Drücken Sie 4/)
      const again = Twilio.heard((yield* press("*")).body)
      assert.deepStrictEqual([again.words, again.action], [call.words, call.action])
      const nothing = Twilio.heard((yield* press("6")).body)
      assert.deepStrictEqual(nothing.words, [
        "Es wurde nichts geändert. Der Alarm bleibt offen, und die Eskalation geht weiter."
      ])
      assert.strictEqual((yield* state).state, "open")
      assert.strictEqual((yield* pages)[0].reply, "declined")
      // The policy has one step: the next one would be that of the next round.
      assert.match(Twilio.heard((yield* press("8")).body).words[0]!, /^(?:Eskaliert: 1 Alarm|Es wurde nichts geändert)/)
    })
  )

  it.effect("changes nothing when the alert is over, or when somebody else has it, and says so", () =>
    Effect.gen(function* () {
      const { act, alert, press, state, up } = yield* called("ja")
      ok(yield* act("POST", `/alerts/${alert.id}/acknowledge`))
      assert.deepStrictEqual(Twilio.heard((yield* press("4")).body).words, ["変更はありません。Adaが確認済みです。"])
      yield* up()
      assert.strictEqual((yield* state).state, "resolved")
      assert.deepStrictEqual(Twilio.heard((yield* press("4", {}, { CallSid: `CA${"e".repeat(32)}` })).body).words, [
        "変更はありません。アラートは解決しています。"
      ])
    })
  )

  it.effect("counts from the called number alone", () =>
    Effect.gen(function* () {
      const { press, state } = yield* called()
      const answer = yield* press("4", {}, { To: "+4915199999999", CallSid: `CA${"d".repeat(32)}` })
      assert.deepStrictEqual(Twilio.heard(answer.body).words, [])
      assert.strictEqual((yield* state).state, "open")
    })
  )

  it.effect("is taken with a signature of Twilio alone", () =>
    Effect.gen(function* () {
      const { call, press, state } = yield* called()
      const url = call.action!
      const named = `key=KS${"0".repeat(32)},algorithm=HMAC_SHA256`
      const wrong: ReadonlyArray<Twilio.Signing> = [
        { secret: "another" },
        { url: url.replace("https:", "http:") },
        { url: url.replace("kanmon.example", "other.example") },
        { url: url.replace(/\?.*/, "") },
        { settings: named },
        { settings: named, algorithm: "sha256" },
        { settings: "key=KS1,algorithm=HMAC_MD5", secret: Twilio.sharedKey, algorithm: "sha256" },
        { secret: Twilio.sharedKey }
      ]
      for (const signing of wrong) assert.strictEqual((yield* press("6", signing)).status, 403, JSON.stringify(signing))
      assert.strictEqual((yield* press("6", {}, { AccountSid: `AC${"9".repeat(32)}` })).status, 403)
      assert.strictEqual((yield* state).state, "open")
      const right: ReadonlyArray<Twilio.Signing> = [
        { secret: Twilio.previousToken },
        { url: url.replace("kanmon.example", "kanmon.example:443") },
        { settings: named, secret: Twilio.sharedKey, algorithm: "sha256" }
      ]
      for (const signing of right) assert.strictEqual((yield* press("6", signing)).status, 200, JSON.stringify(signing))
      assert.strictEqual((yield* press("6", {}, { Blank: "  a  ", Empty: "", Äöü: "ß&=+" })).status, 200)
    })
  )
})

layer(stage, options)("a call", (it) => {
  it.effect("ends when somebody else acknowledges, but not when a key did", () =>
    Effect.gen(function* () {
      const { act, alert, double, first } = yield* called()
      ok(yield* act("POST", `/alerts/${alert.id}/acknowledge`))
      const ended = yield* eventually(
        Effect.sync(() => double.sent.filter(({ resource }) => resource === `Calls/${first.sid}`)),
        (all) => all.length > 0
      )
      assert.deepStrictEqual(
        ended.map(({ fields }) => fields),
        [{ Status: "completed" }]
      )
      const other = yield* called()
      yield* other.press("4")
      const third = yield* called()
      ok(yield* third.act("POST", `/alerts/${third.alert.id}/acknowledge`))
      yield* eventually(
        Effect.sync(() => double.sent.some(({ resource }) => resource === `Calls/${third.first.sid}`)),
        (ended) => ended
      )
      assert.isFalse(double.sent.some(({ resource }) => resource === `Calls/${other.first.sid}`))
    })
  )
})

layer(stage, options)("a message in a chat", (it) => {
  it.effect("says who has the alert when somebody else acknowledges it", () =>
    Effect.gen(function* () {
      const { act, ada, open, paging } = yield* escalating({}, [0, 30])
      const bea = yield* join(ada, "responder")
      yield* verify(bea, ada)
      const { id } = ok(yield* bea.withSession("POST", "/account/contact-methods", telegram), 201)
      yield* confirmMethod(id)
      const critical = [{ afterMinutes: 0, contactMethodId: id }]
      ok(yield* bea.withSession("PUT", "/account/notification-rules", { critical }))
      const { requests } = yield* Chat
      const to = (method: string) =>
        requests.filter(({ url }) => url.endsWith(method)).map(({ body }) => JSON.parse(body))
      yield* paging({ userId: bea.userId }, 600)
      const alert = yield* open
      yield* work
      yield* eventually(
        Effect.sync(() => to("/sendMessage").length),
        (sent) => sent > 0
      )
      assert.lengthOf(to("/editMessageText"), 0)
      ok(yield* act("POST", `/alerts/${alert.id}/acknowledge`))
      const [edited] = yield* eventually(
        Effect.sync(() => to("/editMessageText")),
        (all) => all.length > 0
      )
      assert.deepInclude(edited, { message_id: 42, chat_id: telegram.config.chatId })
      assert.include(edited.text, "✅ <b>Ada has it</b>")
      assert.notInclude(edited.text, "Acknowledge")
    })
  )
})

layer(stage, options)("a text message", (it) => {
  it.effect("acknowledges with the code, from the paged number alone", () =>
    Effect.gen(function* () {
      const { code, first, pages, sql, state, text } = yield* texted()
      assert.match(first.fields["Body"]!, /\nAnswer ack \d{8} or esc \d{8}\n/)
      const [{ stored } = { stored: "" }] = yield* sql<{
        stored: string
      }>`SELECT string_agg(r::text, ' ') AS stored FROM page_replies r`
      assert.notInclude(stored, code)
      const other = yield* texted()
      assert.strictEqual(
        yield* other.text(`ack ${code}`),
        "This code is not valid. Answer with the code of the newest message."
      )
      assert.isUndefined(yield* text(`ack ${code}`, "+4915177777777"))
      assert.strictEqual((yield* state).state, "open")
      assert.strictEqual(yield* text(` ACK：${code} \n`), "Acknowledged: 1 alert.")
      assert.strictEqual((yield* state).state, "acknowledged")
      assert.strictEqual((yield* pages)[0].reply, "acknowledged")
    })
  )

  it.effect("acts once for each message, and is dead when the alert is resolved", () =>
    Effect.gen(function* () {
      const { act, alert, code, number, state, text, up } = yield* texted()
      const sid = `SM${"a".repeat(32)}`
      const said = yield* text(`ack ${code}`, number, sid)
      ok(yield* act("POST", `/alerts/${alert.id}/unacknowledge`))
      assert.strictEqual(yield* text(`ack ${code}`, number, sid), said)
      assert.strictEqual((yield* state).state, "open")
      yield* up()
      assert.strictEqual(yield* text(`ack ${code}`), "Nothing was changed: the alert is resolved.")
    })
  )

  it.effect("without a command is explained five times, and then not answered", () =>
    Effect.gen(function* () {
      const { code, text } = yield* texted()
      for (let count = 0; count < 5; count++) assert.match((yield* text("who is this?"))!, /^Answer ack or esc/)
      assert.isUndefined(yield* text("hello"))
      assert.strictEqual(yield* text(`ack ${code}`), "Acknowledged: 1 alert.")
      assert.match((yield* text("thanks"))!, /^Answer ack or esc/)
    })
  )

  it.effect("that says STOP switches the method off, and the person is told elsewhere", () =>
    Effect.gen(function* () {
      const { bea, code, method, sql, text } = yield* texted()
      assert.isUndefined(yield* text("Stop"))
      const listed = ok(yield* bea.withSession("GET", "/account/contact-methods"))
      const [account] = listed
      assert.include(listed.find(({ id }: any) => id === method.id).disabledReason, "STOP")
      const told = yield* sql<{
        target_id: string
        reason: string
      }>`SELECT target_id, notice->>'reason' AS reason FROM deliveries
        WHERE subject_kind = 'contactMethod' AND subject_id = ${method.id}`
      assert.deepStrictEqual(
        told.map(({ target_id }) => target_id),
        [account.id]
      )
      assert.include(told[0]!.reason, "SMS (Mobile) is switched off")
      assert.isUndefined(yield* text(`ack ${code}`))
    })
  )

  it.effect("that Twilio refuses with 21610 switches the method off, when it is sent and when it reports", () =>
    Effect.gen(function* () {
      const { bea, double, first, method, number, post } = yield* texted()
      double.refusals.set(number, { code: 21610, message: "Attempt to send to unsubscribed recipient" })
      const url = first.fields["StatusCallback"]!
      assert.strictEqual(
        (yield* post(url, { MessageSid: first.sid, MessageStatus: "undelivered", ErrorCode: "21610" })).status,
        200
      )
      const listed = ok(yield* bea.withSession("GET", "/account/contact-methods"))
      assert.include(listed.find(({ id }: any) => id === method.id).disabledReason, "STOP")
    })
  )
})

// A session is too old for some acts when the clock has moved, so what moves it has a stage of its own.
layer(stage, options)("a call of a moved clock", (it) => {
  it.effect("that no one answers is repeated once after two minutes, a voicemail too", () =>
    Effect.gen(function* () {
      const { bea, pages, post, sentTo, sql, status } = yield* called()
      const clock = yield* MovedClock
      assert.strictEqual((yield* status({ CallStatus: "completed", AnsweredBy: "machine_start" })).status, 200)
      assert.deepInclude((yield* pages)[0], { reply: "no_answer", answeredAt: null })
      assert.lengthOf(sentTo(), 1)
      yield* clock.move(2 * minute)
      yield* eventually(Effect.sync(sentTo), (all) => all.length === 2)
      const second = sentTo()[1]!
      yield* post(second.fields["StatusCallback"]!, { CallSid: second.sid, CallStatus: "no-answer" })
      const left = yield* sql`SELECT FROM page_replies WHERE user_id = ${bea.userId} AND repeat_at IS NOT NULL`
      assert.lengthOf(left, 0)
      assert.lengthOf(sentTo(), 2)
    })
  )
})

layer(stage, options)("a number with wrong codes", (it) => {
  it.effect("is ignored after five wrong codes in an hour", () =>
    Effect.gen(function* () {
      const { code, state, text } = yield* texted()
      const wrong = code === "00000000" ? "00000001" : "00000000"
      for (let guess = 0; guess < 5; guess++) assert.isDefined(yield* text(`ack ${wrong}`), String(guess))
      assert.isUndefined(yield* text(`ack ${code}`))
      assert.strictEqual((yield* state).state, "open")
      const clock = yield* MovedClock
      yield* clock.move(61 * minute)
      assert.strictEqual(yield* text(`ack ${code}`), "Acknowledged: 1 alert.")
    })
  )
})

layer(AlertServer.layer({ baseUrl }), options)("a server without a Twilio account", (it) => {
  it.effect("answers 503, and 404 for what it does not know", () =>
    Effect.gen(function* () {
      const at = yield* port
      const post = (path: string) =>
        Effect.promise(() =>
          Twilio.post(baseUrl, `http://127.0.0.1:${at}`, `${baseUrl}/api/v1${path}`, { Digits: "4" })
        )
      for (const hook of ["voice", "sms", "status"]) assert.strictEqual((yield* post(`/twilio/${hook}`)).status, 503)
      assert.strictEqual((yield* post("/replies/twilio/voice")).status, 503)
      assert.strictEqual((yield* post("/twilio/fax")).status, 404)
      assert.strictEqual((yield* post("/replies/vonage/voice")).status, 404)
    })
  )
})
