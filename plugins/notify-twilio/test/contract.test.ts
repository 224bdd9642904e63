import { assert, describe, it } from "@effect/vitest"
import type * as Channel from "@kanmon/core/Channel"
import * as NodeDialer from "@kanmon/core/NodeDialer"
import * as NodeResolver from "@kanmon/core/NodeResolver"
import * as ChannelContract from "@kanmon/testkit/ChannelContract"
import { http, lengthWithin, type Received, type Reply, require } from "@kanmon/testkit/ChannelWorld"
import { notices } from "@kanmon/testkit/SampleNotices"
import { Effect, Layer, Result } from "effect"
import { XMLParser, XMLValidator } from "fast-xml-parser"
import plugin from "../src/index.ts"
import { segmentsOf, textMessage } from "../src/TextMessage.ts"

const [sms, phone] = [plugin.channels[0]!, plugin.channels[1]!]
const sid = `AC${"0123456789abcdef".repeat(2)}`
const token = "an-auth-token-of-the-operator"
const number = "+4915112345678"

/** An error response of Twilio. */
const no = (status: number, code: number, message: string): Reply => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status })
})

const settle = (address: string) => ({
  config: { phoneNumber: number },
  settings: {
    TWILIO_ACCOUNT_SID: sid,
    TWILIO_AUTH_TOKEN: token,
    TWILIO_FROM: "+15005550006",
    TWILIO_API_BASE: `${address}/`
  }
})

/** The common rules of Messages and Calls. */
const fieldsOf = (request: Received, resource: string): Record<string, string> => {
  require(request.method === "POST", "not a POST")
  require(request.path === `/2010-04-01/Accounts/${sid}/${resource}.json`, `wrong path ${request.path}`)
  const credentials = Buffer.from(`${sid}:${token}`).toString("base64")
  require(request.headers["authorization"] === `Basic ${credentials}`, "wrong credentials", no(
    401,
    20003,
    "Authenticate"
  ))
  require(request.headers["content-type"] === "application/x-www-form-urlencoded", "the body is no form")
  const fields = Object.fromEntries(new URLSearchParams(request.body))
  require(/^\+[1-9]\d{1,14}$/.test(fields["To"] ?? ""), "To", no(400, 21211, "Invalid 'To'"))
  require(fields["From"] === "+15005550006", "From", no(400, 21606, "From is not usable"))
  return fields
}

const created = (prefix: string): Reply => ({
  status: 201,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ sid: `${prefix}0123456789abcdef0123456789abcdef`, status: "queued", error_code: null })
})

const golden = (request: Received) => ({
  path: request.path,
  fields: Object.fromEntries(new URLSearchParams(request.body))
})

const messages = http({
  settle,
  golden,
  answer: (request) => {
    const { Body: body = "", ValidityPeriod: validity } = fieldsOf(request, "Messages")
    lengthWithin(body, 1600, "Body")
    require(segmentsOf(body) <= 3, `${segmentsOf(body)} segments`)
    require(!/(?!\n)\p{Cc}/u.test(body) && body.isWellFormed(), "control characters in the text")
    require(!/\n\s*(\n|$)|undefined|null/.test(body), "an empty line or a missing value")
    require(Number(validity) >= 1 && Number(validity) <= 36_000, "ValidityPeriod")
    return created("SM")
  }
})

const calls = http({
  settle,
  golden,
  answer: (request) => {
    const { Timeout: timeout, Twiml: twiml = "" } = fieldsOf(request, "Calls")
    lengthWithin(twiml, 4000, "Twiml")
    require(XMLValidator.validate(twiml) === true, "the TwiML is no XML")
    const { Response } = new XMLParser().parse(twiml) as { Response: { Say: ReadonlyArray<string> } }
    require(Object.keys(Response).join() === "Say,Pause", "other elements than Say and Pause")
    require(Response.Say.length === 2 && Response.Say[0] === Response.Say[1], "it is not said twice")
    require(!/undefined|null|[<>{}\p{Cc}]/u.test(Response.Say[0]!), "words that cannot be said")
    require(Number(timeout) > 0 && Number(timeout) <= 600, "Timeout")
    return created("CA")
  }
})

ChannelContract.suite(sms, messages, { golden: new URL("./golden/sms", import.meta.url) })
ChannelContract.suite(phone, calls, { golden: new URL("./golden/phone", import.meta.url) })

const policy = { allowPrivate: true }
const network = NodeDialer.layer(policy).pipe(Layer.provideMerge(NodeResolver.layer(policy)))

const deliver = (channel: Channel.Channel, settings: object) =>
  Result.getOrThrow(channel.start({ phoneNumber: number }, settings)).pipe(
    Effect.flatMap((started) => started.deliver(notices.down)),
    Effect.scoped,
    Effect.provide(network)
  )

/** The result of a notice with this response of Twilio. */
const answered = (reply: Reply) =>
  Effect.gen(function* () {
    const there = yield* http({ settle, answer: () => reply }).start
    return yield* Effect.flip(deliver(sms, there.settings!))
  })

describe("Twilio's responses", () => {
  it.live("are final for a wrong number or account, with advice", () =>
    Effect.gen(function* () {
      const finals = [
        [401, 20003, "TWILIO_AUTH_TOKEN"],
        [404, 20404, "TWILIO_ACCOUNT_SID"],
        [400, 21211, "21211"],
        [400, 21606, "TWILIO_FROM"],
        [403, 21408, "country"],
        [400, 21608, "trial"],
        [400, 21614, "mobile"]
      ] as const
      for (const [status, code, words] of finals) {
        const { message, reason } = yield* answered(no(status, code, "No"))
        assert.strictEqual(reason._tag, "Rejected", String(code))
        assert.include(message, words)
      }
    })
  )

  it.live("end all messages when the recipient answered STOP", () =>
    Effect.gen(function* () {
      const { message, reason } = yield* answered(no(400, 21610, "Attempt to send to unsubscribed recipient"))
      assert.strictEqual(reason._tag, "Gone")
      assert.include(message, "STOP")
    })
  )

  it.live("are throttling when a queue is full, whatever their status", () =>
    Effect.gen(function* () {
      for (const [status, code] of [
        [429, 20429],
        [400, 20429],
        [429, 21611],
        [400, 21611]
      ] as const) {
        const { reason } = yield* answered(no(status, code, "Too many"))
        assert.strictEqual(reason._tag, "Throttled", `${status} ${code}`)
      }
    })
  )

  it.live("are quoted without the account's credentials", () =>
    Effect.gen(function* () {
      const there = yield* http({
        settle,
        answer: ({ headers }) => ({ status: 400, body: `what is ${headers["authorization"]}?` })
      }).start
      const { message } = yield* Effect.flip(deliver(sms, there.settings!))
      assert.strictEqual(message, "HTTP 400: what is Basic ••••?")
    })
  )

  it.live("provide the receipt's reference", () =>
    Effect.gen(function* () {
      const there = yield* calls.start
      const receipt = yield* deliver(phone, there.settings!)
      assert.deepStrictEqual(receipt, { reference: "CA0123456789abcdef0123456789abcdef", detail: "HTTP 201 queued" })
    })
  )
})

describe("a server without a Twilio account", () => {
  it.live("names the missing settings", () =>
    Effect.gen(function* () {
      for (const channel of plugin.channels) {
        const { message, reason } = yield* Effect.flip(deliver(channel, { TWILIO_ACCOUNT_SID: sid }))
        assert.strictEqual(reason._tag, "Rejected")
        assert.include(message, "not configured on this server: the operator has to set TWILIO_ACCOUNT_SID")
      }
    })
  )

  it("rejects invalid settings and numbers", () => {
    for (const phoneNumber of ["015112345678", "+0151", "+49 151 12345678", "+4915112345678\n", "+49151123456789012"])
      assert.isTrue(Result.isFailure(sms.start({ phoneNumber })), phoneNumber)
    for (const settings of [{ TWILIO_ACCOUNT_SID: "AC1" }, { TWILIO_FROM: "Kanmon" }, { TWILIO_AUTH_TOKEN: "" }])
      assert.isTrue(Result.isFailure(sms.start({ phoneNumber: number }, settings)), JSON.stringify(settings))
  })
})

describe("a text message", () => {
  it("counts segments as carriers do", () => {
    assert.deepStrictEqual(
      ["a".repeat(160), "a".repeat(161), "€".repeat(80), "€".repeat(81), "ш".repeat(70), "ш".repeat(71)].map(
        segmentsOf
      ),
      [1, 2, 1, 2, 1, 2]
    )
  })

  it("keeps its link and its limit in other scripts, too", () => {
    const name = "Основной сервер магазина — оплата и доставка"
    const notice = { ...notices.down, monitor: { ...notices.down.monitor, name }, reason: `${name} `.repeat(20) }
    const text = textMessage(notice)
    assert.isAtMost(segmentsOf(text), 3)
    assert.match(text, /^DOWN \(critical\): Основной сервер магазина - оплата и доставка\n/)
    assert.isTrue(text.endsWith(`\n${notice.links.monitor}`))
  })
})
