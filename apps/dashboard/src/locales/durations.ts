/** Durations as people type them: "90", "5 minutes", "1 h 30 min", "1 Tag", "2時間". A number alone is seconds. Pure. */
import type { Text, Values } from "./catalogue.ts"

/** From the longest on: seconds, words, and what people type. */
export const units = [
  [86_400, "{count, plural, one {# day} other {# days}}", /^(?:d|days?|tage?n?|日間?)$/i],
  [3600, "{count, plural, one {# hour} other {# hours}}", /^(?:h|hrs?|hours?|std|stunden?|時間?)$/i],
  [60, "{count, plural, one {# minute} other {# minutes}}", /^(?:m|mins?|minutes?|minuten?|分間?)$/i],
  [1, "{count, plural, one {# second} other {# seconds}}", /^(?:|s|secs?|seconds?|sek|sekunden?|秒間?)$/i]
] as const

const week = /^(?:w|weeks?|wochen?|週間?)$/i

/** Longer texts are no durations. */
const longest = 60

/** The seconds that a text means; undefined when it is no duration. */
export const readDuration = (text: string): number | undefined => {
  const typed = text.trim()
  if (typed === "" || typed.length > longest) return undefined
  const parts = typed.matchAll(/(\d+(?:[.,]\d+)?)\s*(\p{L}*)\.?[\s,]*/gu)
  let end = 0
  let total = 0
  for (const {
    0: { length },
    1: number = "",
    2: word = "",
    index
  } of parts) {
    const unit = week.test(word) ? 604_800 : units.find(([, , pattern]) => pattern.test(word))?.[0]
    // A number without a unit stands alone.
    if (index !== end || unit === undefined || (word === "" && length < typed.length)) return undefined
    total += Number(number.replace(",", ".")) * unit
    end += length
  }
  return end === typed.length ? Math.round(total * 1000) / 1000 : undefined
}

/** A duration in words, whole: "1 day 2 hours 3 seconds". */
export const writeDuration = (seconds: number, say: (text: Text, values: Values) => string): string => {
  let rest = seconds
  const words = units.flatMap(([length, text]) => {
    const count = length === 1 ? rest : Math.floor(rest / length)
    rest -= count * length
    return count === 0 ? [] : [say(text, { count })]
  })
  return words.length === 0 ? say("{count, plural, one {# second} other {# seconds}}", { count: 0 }) : words.join(" ")
}

/** The seconds of a field; NaN when it has none that can be read. */
export const secondsOf = (value: string): number => readDuration(value) ?? Number.NaN
