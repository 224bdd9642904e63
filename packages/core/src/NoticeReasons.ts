/**
 * The reason of a notice in the language of its reader: the sentence of its explanation. A few sentences of the product have none,
 * because they are no reasons of alerts; each is recognized by its English text, and its values are put into the text of the language.
 * What somebody else wrote is left as it is.
 */
import type { Locale } from "@kanmon/domain/Locale"
import { inWords } from "@kanmon/domain/Reasons"
import { localDay, localInstant } from "@kanmon/domain/TimeZone"
import type { Notice } from "./Notice.ts"
import { localReason, type ReasonOf } from "./NoticeTimes.ts"
import { type NoticeWord, say } from "./NoticeWords.ts"

/** The sentences without an explanation. */
export const ownReasons = [
  "Too many messages: the next one comes at {at} or later. {reason}",
  "Nothing has come from {name} for {minutes} min: it may be down, or cannot reach Kanmon",
  "{name} sends again",
  "This is a test: if you can read it, this channel works",
  "You test how {severity} alerts page you. Acknowledge this page, as you would a real one",
  "{who} has it"
] as const satisfies ReadonlyArray<NoticeWord>

/** Parts of a reason that are texts of the product themselves, by the name of the value. */
const parts: Readonly<Record<string, ReadonlyArray<NoticeWord>>> = {
  reason: ownReasons,
  severity: ["Critical", "Warning", "Info"],
  who: ["the API key {name}", "the link sent to {name}", "the integration {name}"]
}

/** Longer texts are answers of targets. */
const longest = 2000

/** The values of a text, where its fixed parts stand in this order; undefined where they do not. */
const valuesIn = (text: string, pattern: string): Readonly<Record<string, string>> | undefined => {
  const [start = "", ...rest] = pattern.split(/\{\w+\}/)
  const names = [...pattern.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  if (!text.startsWith(start)) return undefined
  const values: Record<string, string> = {}
  let from = start.length
  for (const [index, fixed] of rest.entries()) {
    const isLast = index === rest.length - 1
    const to = isLast ? text.length - fixed.length : text.indexOf(fixed, from)
    if (to < from || !text.startsWith(fixed, to)) return undefined
    values[names[index]!] = text.slice(from, to)
    from = to + fixed.length
  }
  return from === text.length ? values : undefined
}

const recognized = (text: string, among: ReadonlyArray<NoticeWord>, language: Locale): string | undefined => {
  for (const word of among) {
    const values = valuesIn(text, word)
    if (values === undefined) continue
    const inWords = Object.entries(values).map(([name, value]) => {
      const own = parts[name]
      if (own === undefined) return [name, value] as const
      // Words of the API stand in a sentence as they are: `critical`.
      const capital = `${value.slice(0, 1).toUpperCase()}${value.slice(1)}`
      return [name, recognized(value, own, language) ?? recognized(capital, own, language) ?? value] as const
    })
    return say(language, word, Object.fromEntries(inWords))
  }
  return undefined
}

/** The reason in a language, if it is one of Kanmon itself. */
export const reasonIn = (language: Locale | undefined, reason: string): string =>
  language === undefined || language === "en" || reason.length > longest
    ? reason
    : (recognized(reason, ownReasons, language) ?? reason)

/** The reason as its reader gets it: in their language, with the times of their zone. */
export const reasonText = (
  of: ReasonOf & Pick<Notice, "explanation">,
  { language, zone }: Pick<Notice, "language" | "zone">
): string => {
  const message = reasonIn(language, localReason(of, zone))
  if (language === undefined || language === "en") return message
  const times = { instant: (at: number) => localInstant(at, zone), day: (at: number) => localDay(at, zone) }
  return inWords({ explanation: of.explanation, message }, language, times)
}
