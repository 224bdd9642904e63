/**
 * Sends notices as text messages and phone calls with the operator's Twilio account. Twilio accepts first and sends later:
 * the receipt says that it accepted the notice. People answer with a key or a text.
 * @see https://www.twilio.com/docs/messaging/api/message-resource
 * @see https://www.twilio.com/docs/voice/api/call-resource
 */
import * as Channel from "@kanmon/core/Channel"
import type { Notice } from "@kanmon/core/Notice"
import * as Plugin from "@kanmon/core/Plugin"
import { Effect, Schema } from "effect"
import { replies } from "./Answers.ts"
import { hookAddress, ownTwiml, twiml } from "./Speech.ts"
import { textMessage } from "./TextMessage.ts"
import * as Twilio from "./Twilio.ts"

const config = (description: string) =>
  Schema.Struct({ phoneNumber: Twilio.PhoneNumber.annotate({ description, examples: ["+4915112345678"] }) })

const recipient = { field: "phoneNumber", kind: "phone" } as const

/** Seconds that Twilio may delay a text message: a page is given up after ten minutes, and later it would mislead. */
const validity = "600"

/** Seconds that the phone rings. */
const ringing = "45"

/** Where Twilio says how a message ended. */
const reporting = ({ id, replyTo }: Notice): Readonly<Record<string, string>> =>
  replyTo === undefined ? {} : { StatusCallback: hookAddress(replyTo.address, "status", id) }

const sms = Channel.define({
  type: "sms",
  title: "SMS",
  summary: "Sends a text message to a mobile phone.",
  config: config("Mobile number that receives the messages, in international form"),
  example: { phoneNumber: "+4915112345678" },
  recipient,
  reachesPerson: true,
  sender: ({ TWILIO_FROM }) => TWILIO_FROM,
  replies,
  settings: Twilio.settings,
  isSetUp: (settings) => Twilio.accountOf(settings) !== undefined,
  destinations: Twilio.destinations,
  make: ({ phoneNumber }, settings) =>
    Effect.sync(() => {
      const account = Twilio.accountOf(settings)
      const send = Effect.fnUntraced(function* (text: string, more: Readonly<Record<string, string>> = {}) {
        if (account === undefined) return yield* Twilio.notSetUp("Text messages are")
        const fields = { To: phoneNumber, Body: text, ValidityPeriod: validity, ...more }
        return yield* Twilio.create(account, "Messages", fields)
      })
      return {
        deliver: Effect.fn("notify-twilio.sms")((notice) => send(textMessage(notice), reporting(notice))),
        message: Effect.fn("notify-twilio.sms.message")(({ text }) => send(text))
      }
    })
})

const phone = Channel.define({
  type: "phone",
  title: "Phone call",
  summary: "Calls a phone and reads the notification twice.",
  config: config("Number to call, in international form"),
  example: { phoneNumber: "+4915112345678" },
  recipient,
  reachesPerson: true,
  rings: true,
  callsOff: true,
  sender: ({ TWILIO_FROM }) => TWILIO_FROM,
  replies,
  settings: Twilio.settings,
  isSetUp: (settings) => Twilio.accountOf(settings) !== undefined,
  destinations: Twilio.destinations,
  make: ({ phoneNumber }, settings) =>
    Effect.sync(() => {
      const account = Twilio.accountOf(settings)
      const call = Effect.fnUntraced(function* (instructions: string, more: Readonly<Record<string, string>> = {}) {
        if (account === undefined) return yield* Twilio.notSetUp("Phone calls are")
        const fields = { To: phoneNumber, Twiml: instructions, Timeout: ringing, ...more }
        return yield* Twilio.create(account, "Calls", fields)
      })
      return {
        deliver: Effect.fn("notify-twilio.phone")((notice) => call(twiml(notice), reporting(notice))),
        message: Effect.fn("notify-twilio.phone.message")(({ language, text }) => call(ownTwiml(text, language))),
        callOff: Effect.fn("notify-twilio.phone.callOff")(({ reference }) =>
          account === undefined ? Effect.void : Twilio.endCall(account, reference)
        )
      }
    })
})

export default Plugin.define({ name: "@kanmon/notify-twilio", contract: 1, channels: [sms, phone] })
