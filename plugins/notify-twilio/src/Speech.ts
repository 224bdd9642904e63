/**
 * A notice as TwiML for a voice call. It is said twice, because the first time is often missed. The answer of a person is asked for
 * as a key; without an address for it, the words are all there is.
 */
import type { Notice } from "@kanmon/core/Notice"
import * as NoticeText from "@kanmon/core/NoticeText"
import type { Locale } from "@kanmon/domain/Locale"
import { inWords } from "@kanmon/domain/Reasons"
import { localClock } from "@kanmon/domain/TimeZone"
import { seenFrom } from "./Vote.ts"
import { type Wording, wordings } from "./Wording.ts"

const units: Readonly<Record<string, string>> = { d: "day", h: "hour", min: "minute", s: "second", ms: "millisecond" }

/** URLs become hosts and units become words, and nothing is left that would be spelled out. */
const speakable = (text: string, language: Locale = "en"): string =>
  NoticeText.oneLine(text)
    .replace(/\bhttps?:\/\/([^\s/?#]+)\S*/g, "$1")
    .replace(/\b(\d+(?:\.\d+)?) (d|h|min|s|ms)\b/g, (written, count: string, unit: string) =>
      language !== "en" ? written : count === "1" ? `1 ${units[unit]}` : `${count} ${units[unit]}s`
    )
    .replace(/&/g, language === "en" ? " and " : " ")
    .replace(/\p{Extended_Pictographic}|\u{200D}|\u{FE0F}|[<>*_~`|#{}[\]\\"^]/gu, " ")
    .replace(/[\uFFFE\uFFFF]/g, "")
    .replace(/\s+/g, " ")
    .trim()

const sentence = (text: string): string => (text === "" || /[.!?…]$/.test(text) ? text : `${text}.`)

const urgencies = { critical: "Critical alert", warning: "Warning", info: "For your information" } as const

/** The spoken text. */
const speech = (notice: Notice): string => {
  // An identifier is useless when spoken, and a name of symbols cannot be spoken.
  const name = NoticeText.truncate(speakable(notice.monitor.name), 80)
  const titled = { ...notice, monitor: { ...notice.monitor, name: name === "" ? "A monitor" : name } }
  const outage = notice.event === "monitor_down" || notice.event === "monitor_degraded"
  return [
    "This is Kanmon",
    notice.drill === true ? "This is a drill" : "",
    notice.event === "test" || NoticeText.isResolution(notice) ? "" : urgencies[notice.severity],
    NoticeText.headline(titled),
    NoticeText.truncate(speakable(NoticeText.summary(notice)), 400),
    // Brackets would sound like a hesitation.
    notice.event === "test" ? "" : NoticeText.truncate(speakable(seenFrom(notice)), 120).replace(/ \(|\)$/g, sound),
    outage ? `Since ${localClock(notice.startedAt, notice.zone)}` : "",
    NoticeText.truncate(speakable(spokenWhy(notice)), 200)
  ]
    .filter((part) => part !== "")
    .map(sentence)
    .join(" ")
}

/** The first reason, without the policy and without times. */
const spokenWhy = (notice: Notice): string =>
  notice.why === undefined
    ? ""
    : NoticeText.why({
        ...notice,
        why: notice.why.slice(0, 1).map((reason) => ({
          ...reason,
          from: null,
          until: null,
          step: null,
          policy: reason.kind === "person" ? reason.policy : null
        }))
      })

const sound = (bracket: string): string => (bracket === ")" ? "" : ": ")

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;"
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!)

/** Twilio accepts so many characters of TwiML, and the text occurs twice. */
const limit = 4000

/** The address that Twilio asks for what follows a key. */
export const hookAddress = (address: string, hook: string, message: string): string =>
  `${address}/${hook}?message=${encodeURIComponent(message)}`

/** The TwiML of a call; with `replyTo` it asks for a key. */
export const twiml = (notice: Notice): string => {
  const words = notice.language === undefined ? undefined : wordings[notice.language]
  const text =
    words === undefined || notice.language === undefined || notice.language === "en"
      ? speech(notice)
      : speechIn(words, notice, notice.language)
  return notice.replyTo === undefined || words === undefined
    ? said(text, words?.voice)
    : asking(text, words, hookAddress(notice.replyTo.address, "voice", notice.id))
}

/** A message from Kanmon itself; a code is read digit by digit. */
export const ownTwiml = (text: string, language?: Locale): string =>
  said(
    speakable(text, language).replace(/\d{4,}/g, (digits) => [...digits].join(", ")),
    language === undefined ? undefined : wordings[language].voice
  )

/** One sentence, after which the call ends. */
export const lastWords = (text: string, { voice }: Wording): string =>
  `<Response>${say(text, voice)}<Hangup/></Response>`

const say = (text: string, voice: string | undefined): string =>
  `<Say${voice === undefined ? "" : ` language="${voice}"`}>${escaped(text)}</Say>`

/** Cuts a text so that the TwiML that is made of it is within the limit. */
const fitting = (words: string, make: (text: string) => string): string => {
  let made = make(words)
  for (let length = Math.min(words.length, limit); made.length > limit && length > 0; length -= 50)
    made = make(NoticeText.truncate(words, length))
  return made
}

const said = (words: string, voice?: string): string =>
  fitting(words, (text) => `<Response>${say(text, voice)}<Pause length="1"/>${say(text, voice)}</Response>`)

/** Seconds that Twilio waits for a key after the words. */
const patience = 8

const asking = (text: string, { keys, voice }: Wording, action: string): string =>
  fitting(text, (cut) => {
    const once = `${say(cut, voice)}${say(keys, voice)}`
    return (
      `<Response><Gather input="dtmf" numDigits="1" finishOnKey="" timeout="${patience}" method="POST" ` +
      `action="${escaped(action)}">${once}<Pause length="1"/>${once}</Gather></Response>`
    )
  })

/** The spoken text in another language: the facts that need no translation. */
const speechIn = (words: Wording, notice: Notice, language: Locale): string => {
  const name = (text: string) => NoticeText.truncate(speakable(text, language), 80) || words.unnamed
  const reason = speakable(inWords({ message: "", explanation: notice.explanation }, language), language)
  const state = words.state(name(notice.monitor.name), notice.event)
  const isNews = notice.event === "test" || NoticeText.isResolution(notice)
  const voters = notice.regions.filter(({ status }) => status !== "unknown")
  const failing = voters.filter(({ status }) => status === "down" || status === "degraded")
  const [why] = notice.why ?? []
  const parts = [
    words.intro,
    notice.drill === true ? words.drill : "",
    isNews ? "" : words.severity[notice.severity],
    notice.group === undefined ? ended(state, words) : words.several(state, notice.group.length - 1),
    notice.group !== undefined
      ? ""
      : reason !== ""
        ? ended(NoticeText.truncate(reason, 300), words)
        : notice.statusCode === null
          ? ""
          : words.status(notice.statusCode),
    notice.event === "test" || voters.length < 2 || failing.length === 0
      ? ""
      : words.regions(failing.length, voters.length),
    notice.event === "monitor_down" || notice.event === "monitor_degraded"
      ? words.since(localClock(notice.startedAt, notice.zone))
      : "",
    why?.kind === "on_call" && why.name !== null ? words.onCall(name(why.name)) : "",
    why?.kind === "asked" && why.name !== null ? words.asked(name(why.name)) : ""
  ]
  return parts.filter((part) => part !== "").join(" ")
}

const ended = (text: string, { voice }: Wording): string =>
  /[.!?…。]$/.test(text) ? text : `${text}${voice === "ja-JP" ? "。" : "."}`
