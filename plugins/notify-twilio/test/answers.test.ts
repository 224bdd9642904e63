/** The pure parts of answers: how requests are read and signed, and the TwiML that is said. */
import { createHmac } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { notices } from "@kanmon/testkit/SampleNotices"
import * as fc from "fast-check"
import { XMLParser, XMLValidator } from "fast-xml-parser"
import { commandOf, replies } from "../src/Answers.ts"
import { isSigned } from "../src/Signature.ts"
import { twiml } from "../src/Speech.ts"
import { segmentsOf, textMessage } from "../src/TextMessage.ts"

const words = fc.string({ unit: "binary", maxLength: 20 })
const pairs = fc.array(fc.tuple(words, words), { maxLength: 12 })
const url = "https://kanmon.example/api/v1/twilio/voice?message=dlv_1"

/** The documented rule, for names that are there once. */
const expected = (address: string, parameters: ReadonlyArray<readonly [string, string]>, secret: string) => {
  const all = new Map(parameters)
  const text = [...all.keys()].sort().reduce((sum, name) => `${sum}${name}${all.get(name)}`, address)
  return createHmac("sha1", secret).update(text).digest("base64")
}

const signed = (parameters: ReadonlyArray<readonly [string, string]>, signature: string) => ({
  url,
  parameters,
  signature,
  settings: undefined
})

describe("the signature of a form", () => {
  const once = pairs.map((all) => [...new Map(all)])

  it("counts from each token, in any order, with blanks and empty values", () =>
    fc.assert(
      fc.property(once, fc.constantFrom("now", "before"), (parameters, secret) => {
        const keys = { tokens: ["now", "before"], sharedKey: undefined }
        const right = expected(url, parameters, secret)
        assert.isTrue(isSigned(signed(parameters, right), keys))
        assert.isTrue(isSigned(signed(parameters.toReversed(), right), keys))
        assert.isFalse(isSigned(signed(parameters, right), { tokens: ["another"], sharedKey: secret }))
      })
    ))

  it("does not count for any other form, address or signature", () =>
    fc.assert(
      fc.property(once, once, fc.base64String(), (parameters, others, other) => {
        const keys = { tokens: ["now"], sharedKey: undefined }
        const right = expected(url, parameters, "now")
        if (expected(url, others, "now") !== right) assert.isFalse(isSigned(signed(others, right), keys))
        assert.isFalse(isSigned({ ...signed(parameters, right), url: `${url}&a=b` }, keys))
        if (other !== right) assert.isFalse(isSigned(signed(parameters, other), keys))
      })
    ))
})

describe("a request", () => {
  it("is read without a failure, and not taken unsigned, with any content", () =>
    fc.assert(
      fc.property(fc.constantFrom(...replies.hooks), fc.string({ maxLength: 400 }), words, (hook, body, query) => {
        const incoming = { hook, url: `${url}${query}`, headers: { "x-twilio-signature": "AAAA" }, body }
        replies.read(incoming)
        assert.isFalse(
          replies.isFrom(incoming, { TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`, TWILIO_AUTH_TOKEN: "token" })
        )
      })
    ))

  it("says STOP with Twilio's words alone", () => {
    const read = (Body: string, more: Readonly<Record<string, string>> = {}) =>
      replies.read({
        hook: "sms",
        url,
        headers: {},
        body: new URLSearchParams({ From: "+4915112345678", MessageSid: "SM1", Body, ...more }).toString()
      })?._tag
    for (const word of ["STOP", " stop ", "Unsubscribe", "cancel", "END", "quit"])
      assert.strictEqual(read(word), "Stop", word)
    for (const word of ["stop it", "don't stop", "ack 12345678", ""]) assert.strictEqual(read(word), "Text", word)
    assert.strictEqual(read("arrêt", { OptOutType: "STOP" }), "Stop")
  })
})

describe("a command", () => {
  it("is read in any case and width, with what phones add around it", () =>
    fc.assert(
      fc.property(
        fc.constantFrom("ack", "ACK", "Ack", "ＡＣＫ"),
        fc.constantFrom(" ", ": ", "  ", "-", "："),
        fc.nat(99_999_999).map((code) => String(code).padStart(8, "0")),
        fc.constantFrom("", " ", "\n", "\n\nSent from my phone", "."),
        (word, gap, code, rest) =>
          assert.deepStrictEqual(commandOf(`${rest.startsWith("\n") ? "" : " "}${word}${gap}${code}${rest}`), {
            choice: "acknowledge",
            code
          })
      )
    ))

  it("is nothing else", () => {
    for (const text of [
      "",
      "ack",
      "ack abc",
      "12345678",
      "please ack 12345678",
      "ack 1234567890123",
      "acknowledge 12345678"
    ])
      assert.isUndefined(commandOf(text), text)
    assert.deepStrictEqual(commandOf("esc 00000001"), { choice: "escalate", code: "00000001" })
  })
})

describe("a call", () => {
  const replyTo = { address: "https://kanmon.example/api/v1/replies/twilio", code: "12345678" }
  const names = fc.string({ unit: "binary", maxLength: 3000 })

  it("asks for a key in every language, for names of every kind, within the limit of TwiML", () =>
    fc.assert(
      fc.property(fc.constantFrom("en", "de", "ja"), names, names, (language, name, reason) => {
        const notice = { ...notices.down, monitor: { ...notices.down.monitor, name }, reason, language, replyTo }
        const said = twiml(notice)
        assert.isAtMost(said.length, 4000)
        assert.isTrue(XMLValidator.validate(said))
        const { Response } = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: "" }).parse(said)
        assert.deepStrictEqual(Object.keys(Response), ["Gather"])
        assert.strictEqual(Response.Gather.action, `${replyTo.address}/voice?message=${notice.id}`)
        assert.lengthOf(Response.Gather.Say, 4)
      })
    ))

  it("begins by saying that it is a drill, in every language", () => {
    const says = { en: "This is a drill.", de: "Dies ist eine Übung.", ja: "これは訓練です。" } as const
    for (const language of ["en", "de", "ja"] as const) {
      assert.include(twiml({ ...notices.down, drill: true, language }).slice(0, 100), says[language])
      assert.notInclude(twiml({ ...notices.down, language }), says[language])
    }
  })

  it("without an address for keys asks for none", () => {
    assert.notInclude(twiml({ ...notices.down, language: "de" }), "Gather")
    assert.include(twiml({ ...notices.down, language: "de" }), 'language="de-DE"')
  })
})

describe("a text message", () => {
  it("says how it is answered, next to the link, in three segments", () => {
    const replyTo = { address: "https://kanmon.example", code: "12345678" }
    for (const notice of Object.values(notices)) {
      const text = textMessage({ ...notice, replyTo })
      assert.match(text, /ack 12345678 .*esc 12345678/)
      assert.isAtMost(segmentsOf(text), 3)
    }
  })
})
