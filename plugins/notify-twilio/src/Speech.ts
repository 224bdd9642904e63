/** A notice as TwiML for a voice call. It is said twice, because the first time is often missed. */
import type { Notice } from "@kanmon/core/Notice"
import * as NoticeText from "@kanmon/core/NoticeText"
import { localClock } from "@kanmon/domain/TimeZone"
import { seenFrom } from "./Vote.ts"

const units: Readonly<Record<string, string>> = { d: "day", h: "hour", min: "minute", s: "second", ms: "millisecond" }

/** URLs become hosts and units become words, and nothing is left that would be spelled out. */
const speakable = (text: string): string =>
  NoticeText.oneLine(text)
    .replace(/\bhttps?:\/\/([^\s/?#]+)\S*/g, "$1")
    .replace(/\b(\d+(?:\.\d+)?) (d|h|min|s|ms)\b/g, (_, count: string, unit: string) =>
      count === "1" ? `1 ${units[unit]}` : `${count} ${units[unit]}s`
    )
    .replace(/&/g, " and ")
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

/** Twilio accepts 4000 characters of TwiML, and the text occurs twice. */
const room = 1900

/** The TwiML of the call. */
export const twiml = (notice: Notice): string => said(speech(notice))

/** A message from Kanmon itself; a code is read digit by digit. */
export const ownTwiml = (text: string): string =>
  said(speakable(text).replace(/\d{4,}/g, (digits) => [...digits].join(", ")))

const said = (words: string): string => {
  let text = escaped(words)
  for (let length = words.length; text.length > room; length -= 50) text = escaped(NoticeText.truncate(words, length))
  return `<Response><Say>${text}</Say><Pause length="1"/><Say>${text}</Say></Response>`
}
