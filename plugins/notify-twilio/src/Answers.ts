/**
 * Answers of people by phone, as Twilio hands them over: keys during a call, text messages, and how calls and messages ended. Pure.
 * @see https://www.twilio.com/docs/voice/twiml/gather
 * @see https://www.twilio.com/docs/messaging/guides/webhook-request
 */
import type { Choice, Incoming, Outcome, Replies, Reply, Response, Told } from "@kanmon/core/Replies"
import type { Locale } from "@kanmon/domain/Locale"
import { isSigned } from "./Signature.ts"
import { lastWords, twiml } from "./Speech.ts"
import * as Twilio from "./Twilio.ts"
import { wordings } from "./Wording.ts"

/** The longest address with a query, and the most parameters, that are read. Twilio sends some forty. */
const longestAddress = 2048
const mostParameters = 200

type Parameters = ReadonlyArray<readonly [name: string, value: string]>

const parametersOf = ({ body }: Incoming): Parameters => [...new URLSearchParams(body)].slice(0, mostParameters)

const valueOf = (parameters: Parameters, name: string): string => parameters.find(([each]) => each === name)?.[1] ?? ""

/** The message that the address names. */
const messageOf = ({ url }: Incoming): string | undefined =>
  (url.length > longestAddress ? null : URL.parse(url))?.searchParams.get("message") ?? undefined

const keys: Readonly<Record<string, Extract<Reply, { readonly _tag: "Answer" }>["choice"]>> = {
  "4": "acknowledge",
  "6": "nothing",
  "8": "escalate"
}

const readKey = (incoming: Incoming, parameters: Parameters): Reply | undefined => {
  const message = messageOf(incoming)
  const [digit, call] = [valueOf(parameters, "Digits"), valueOf(parameters, "CallSid")]
  if (message === undefined || digit === "" || call === "") return undefined
  // A key without a meaning: the person hears again which have one.
  const choice = keys[digit.slice(0, 2)] ?? "repeat"
  return { _tag: "Answer", message, from: valueOf(parameters, "To"), choice, once: `${call} ${digit.slice(0, 8)}` }
}

/** Words with which Twilio itself stops all messages to a number. */
const stopWords = /^(?:stop|stopall|unsubscribe|cancel|end|quit|revoke|optout)$/

const commands: Readonly<Record<string, Choice>> = { ack: "acknowledge", esc: "escalate" }

/** The command in a text: `ack 12345678`, in any case and width of letters, with what phones add around it. */
export const commandOf = (text: string): { readonly choice: Choice; readonly code: string } | undefined => {
  const plain = text.slice(0, 400).normalize("NFKC").trim().toLowerCase()
  const [, word = "", code] = /^(ack|esc)[\s:.,-]{1,5}(\d{4,12})(?!\d)/.exec(plain) ?? []
  const choice = commands[word]
  return choice === undefined || code === undefined ? undefined : { choice, code }
}

const readText = (parameters: Parameters): Reply | undefined => {
  const [from, once, body] = ["From", "MessageSid", "Body"].map((name) => valueOf(parameters, name)) as [
    string,
    string,
    string
  ]
  if (from === "" || once === "") return undefined
  const isStop =
    valueOf(parameters, "OptOutType").toUpperCase() === "STOP" || stopWords.test(body.slice(0, 40).trim().toLowerCase())
  return isStop ? { _tag: "Stop", from, once } : { _tag: "Text", from, command: commandOf(body), once }
}

const callOutcomes: Readonly<Record<string, Outcome>> = {
  completed: "completed",
  busy: "noAnswer",
  "no-answer": "noAnswer",
  canceled: "noAnswer",
  failed: "failed"
}

const textOutcomes: Readonly<Record<string, Outcome>> = {
  delivered: "delivered",
  undelivered: "failed",
  failed: "failed"
}

const readStatus = (incoming: Incoming, parameters: Parameters): Reply | undefined => {
  const message = messageOf(incoming)
  const [call, text] = [valueOf(parameters, "CallStatus"), valueOf(parameters, "MessageStatus")]
  const outcome = callOutcomes[call] ?? textOutcomes[text]
  if (message === undefined || outcome === undefined) return undefined
  const error = valueOf(parameters, "ErrorCode").slice(0, 8)
  // A voicemail picks up as a person would.
  const isMachine = /^(?:machine|fax)/.test(valueOf(parameters, "AnsweredBy"))
  return {
    _tag: "Outcome",
    message,
    outcome: outcome === "completed" && isMachine ? "noAnswer" : outcome,
    detail: isMachine
      ? "voicemail"
      : [call || text, error === "" ? "" : `Twilio error ${error}`].filter(Boolean).join(", "),
    isStopped: error === String(Twilio.stopped)
  }
}

const read = (incoming: Incoming): Reply | undefined => {
  const parameters = parametersOf(incoming)
  switch (incoming.hook) {
    case "voice":
      return readKey(incoming, parameters)
    case "sms":
      return readText(parameters)
    default:
      return readStatus(incoming, parameters)
  }
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;"
}

/** A text in an answer; characters that no XML may have are left out. */
const inXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(/(?!\n)\p{Cc}|[\uFFFE\uFFFF]/gu, "")
    .replace(/[&<>"']/g, (character) => escapes[character]!)

const nothing = "<Response/>"

const bodyOf = ({ hook }: Incoming, told: Told, language: Locale, address: string): string => {
  if (told._tag === "Silent") return nothing
  const words = wordings[language]
  if (told._tag === "Repeat") return twiml({ ...told.notice, language, replyTo: { address, code: "" } })
  const sentence = words.told(told)
  if (hook === "voice") return lastWords(sentence, words)
  return hook === "sms" ? `<Response><Message>${inXml(sentence)}</Message></Response>` : nothing
}

const respond = (
  incoming: Incoming,
  told: Told,
  { address, language }: { readonly language: Locale; readonly address: string }
): Response => ({
  contentType: "text/xml; charset=utf-8",
  body: `<?xml version="1.0" encoding="UTF-8"?>${bodyOf(incoming, told, language, address)}`
})

const isFrom = (incoming: Incoming, settings: Twilio.Settings): boolean => {
  const signing = Twilio.signingOf(settings)
  const signature = incoming.headers["x-twilio-signature"]
  if (signing === undefined || signature === undefined) return false
  const all = [...new URLSearchParams(incoming.body)]
  const signed = {
    url: incoming.url,
    parameters: all,
    signature: signature.slice(0, 200),
    settings: incoming.headers["x-twilio-webhooks-signature-settings"]?.slice(0, 500)
  }
  return all.length <= mostParameters && isSigned(signed, signing) && valueOf(all, "AccountSid") === signing.sid
}

/** The answers to calls and text messages. */
export const replies: Replies<Twilio.Settings> = {
  provider: "twilio",
  hooks: ["voice", "sms", "status"],
  isSetUp: (settings) => Twilio.signingOf(settings) !== undefined,
  isFrom,
  read,
  respond
}
