/**
 * A notice as a text message of at most three segments. A segment has 153 characters in the GSM alphabet, but 67 with a
 * single character outside it, such as an emoji or a curly quote. So texts are converted to it where nothing is lost.
 */
import type { Notice } from "@kanmon/core/Notice"
import * as NoticeText from "@kanmon/core/NoticeText"
import { say } from "@kanmon/core/NoticeWords"
import { seenFrom } from "./Vote.ts"

const segments = 3

/** GSM 03.38: the basic characters, and those that count twice. */
const basic = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
)
const extended = new Set("^{}\\[~]|€")

/** Length of a text in the GSM alphabet; undefined when it has other characters. */
const septets = (text: string): number | undefined => {
  let used = 0
  for (const character of text) {
    if (extended.has(character)) used += 2
    else if (basic.has(character)) used += 1
    else return undefined
  }
  return used
}

/** Number of segments of a text. */
export const segmentsOf = (text: string): number => {
  const used = septets(text)
  if (used !== undefined) return used <= 160 ? 1 : Math.ceil(used / 153)
  return text.length <= 70 ? 1 : Math.ceil(text.length / 67)
}

const plainer: ReadonlyArray<readonly [RegExp, string]> = [
  [/[\u2018\u2019\u201A\u2032`´]/g, "'"],
  [/[\u201C-\u201E\u2033«»]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, "-"],
  [/…/g, "..."],
  [/[\u00A0\u2000-\u200A\u202F\u3000]/g, " "],
  [/\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u{200D}|\u{FE0F}|\u{20E3}/gu, ""]
]

/** Converts to the GSM alphabet as far as possible. */
const simple = (text: string): string =>
  [...plainer.reduce((left, [pattern, replacement]) => left.replace(pattern, replacement), text)]
    .map((character) => {
      if (septets(character) !== undefined) return character
      const bare = character.normalize("NFD").replace(/\p{M}/gu, "")
      return septets(bare) === undefined ? character : bare
    })
    .join("")

const simplified = (notice: Notice): Notice => ({
  ...notice,
  // The ellipsis becomes three dots, which take two more places.
  monitor: { ...notice.monitor, name: simple(NoticeText.name(notice, nameLimit - 2)) },
  reason: simple(notice.reason)
})

const nameLimit = 60

/** Truncates until the whole message fits; undefined when almost nothing would be left. */
const fitted = (text: string, fits: (text: string) => boolean): string | undefined => {
  let length = Math.min(text.length, segments * 153)
  let cut = length < text.length ? simple(NoticeText.truncate(text, length)) : text
  while (!fits(cut)) {
    length -= 4
    if (length < 12) return undefined
    cut = simple(NoticeText.truncate(text, length))
  }
  return cut
}

/** `Status 503, 812 ms`. */
const answer = ({ language, responseTime, statusCode }: Notice): string =>
  [
    ...(statusCode === null ? [] : [say(language, "Status {code}", { code: statusCode })]),
    ...(responseTime === null ? [] : [say(language, "{count} ms", { count: Math.round(responseTime) })])
  ].join(", ")

/** The start of an outage; for a certificate or a domain the expiry matters more. */
const since = (notice: Notice): string => {
  const { expiresAt, language, startedAt } = notice
  if (expiresAt !== null) return say(language, "Expires {at}", { at: NoticeText.when(notice, expiresAt) })
  return NoticeText.isResolution(notice) ? "" : say(language, "Since {at}", { at: NoticeText.when(notice, startedAt) })
}

/** The word of the API in English, which is shorter; that of the reader elsewhere. */
const urgencyWord = (notice: Notice): string =>
  notice.language === undefined || notice.language === "en" ? notice.severity : NoticeText.severityWord(notice)

/** How urgent an alert is, in brackets; a recovery and a test are not urgent. */
const urgency = (notice: Notice): string =>
  notice.event === "test" || NoticeText.isResolution(notice) ? "" : ` (${urgencyWord(notice)})`

/** The state, the link, and then as many facts as fit, most important first. */
export const textMessage = (original: Notice): string => {
  const notice = simplified(original)
  const head = `${NoticeText.word(notice)}${urgency(notice)}: ${NoticeText.name(notice, nameLimit)}`
  const whole = (middle: ReadonlyArray<string>) => [head, ...middle, notice.links.monitor].join("\n")
  const kept: Array<string> = []
  const add = (wish: string, reserved: ReadonlyArray<string> = []) => {
    if (wish === "") return
    const line = fitted(wish, (text) => segmentsOf(whole([...kept, text, ...reserved])) <= segments)
    if (line !== undefined) kept.push(line)
  }
  const where = notice.event === "test" ? "" : simple(NoticeText.truncate(seenFrom(notice), 90))
  const why = simple(NoticeText.whyShort(notice))
  const code = notice.replyTo?.code
  const command = code === undefined ? [] : [say(notice.language, "Answer ack {code} or esc {code}", { code })]
  const link =
    notice.acknowledgeUrl === undefined ? [] : [`${NoticeText.acknowledgeLabel(notice)}: ${notice.acknowledgeUrl}`]
  // A long answer of the target must not displace the regions' vote, the link that acknowledges, and why the person is paged.
  add(NoticeText.oneLine(NoticeText.summary(notice)), [where, ...command, ...link, why].filter(Boolean))
  add(where, [...command, ...link])
  // A command is of no use in part, and the shortest way to answer.
  if (segmentsOf(whole([...kept, ...command])) <= segments) kept.push(...command)
  // A link is of no use in part.
  if (segmentsOf(whole([...kept, ...link])) <= segments) kept.push(...link)
  if (notice.event === "test") return whole(kept)
  add(why)
  add(since(notice))
  add(answer(notice))
  return whole(kept)
}
