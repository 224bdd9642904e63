/**
 * Regular expressions of users: RE2 syntax, which takes linear time, and none that is large. They are compiled where requests
 * are answered, so what would take more than a few milliseconds is refused by a look at its text.
 */
import { RE2JS } from "re2js"

const maxInstructions = 200
/** What seems larger than this is not compiled to see how large it is. */
const maxEstimate = 2500
/** Characters in ranges of a pattern that ignores case: 100,000 take 3 ms. */
const maxFolded = 150_000
/** Unicode classes: one takes up to 0.2 ms. */
const maxClasses = 40

const tooLarge = "it is too large; counted repetitions such as {500} are written out"

/** Throws, with a sentence for a person, when the text is no pattern or one that is too large. */
export const compile = (text: string): RE2JS => {
  if (estimate(text) > maxEstimate) throw new Error(tooLarge)
  if (folded(text) > maxFolded) throw new Error("its ranges are too large for a pattern that ignores case")
  if ((text.match(/\\p/gi)?.length ?? 0) > maxClasses)
    throw new Error(`it has more than ${maxClasses} Unicode classes such as \\pL`)
  const pattern = RE2JS.compile(text)
  if (pattern.programSize() > maxInstructions) throw new Error(tooLarge)
  return pattern
}

const repetition = /(?:[*+?]|\{(\d{1,9})(?:,(\d{0,9}))?\})\??/y
const flags = /\(\?[a-zA-Z-]*\)/y
const group = /\((?:\?(?:P?<\w*>|[a-zA-Z-]*:))?/y
const quoted = /\\Q(?:[^\\]|\\(?!E))*(?:\\E)?/y
const character = /\\[xpP]\{[^}]{0,40}\}|\\[pP]?[^]|\[\^?\]?(?:\[:\^?[a-z]+:\]|\\[^]|[^\]\\])*\]|[^[]/uy

/** About how many instructions a pattern becomes. Reads it once: a bracket that is not closed ends the reading. */
export const estimate = (text: string): number => {
  const outer: Array<number> = []
  /** Of the group so far, and of its last part. */
  let sum = 0
  let last = 0
  let index = 0
  const next = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = index
    const found = pattern.exec(text)
    if (found !== null) index = pattern.lastIndex
    return found
  }
  while (index < text.length) {
    const [repeated, least = "1", most = "1"] = next(repetition) ?? []
    if (repeated !== undefined) {
      const all = (last + 1) * Math.max(1, Number(least), Number(most))
      sum += all - last
      last = all
    } else if (next(flags) !== null) {
      // A repetition after it is that of what stands before it.
    } else if (next(group) !== null) {
      outer.push(sum)
      sum = 0
    } else if (text[index] === ")") {
      index++
      last = sum + 2
      sum = (outer.pop() ?? 0) + last
    } else {
      const length = next(quoted)?.[0].length ?? next(character)?.length
      if (length === undefined) break
      last = length
      sum += last
    }
  }
  return outer.reduce((all, one) => all + one, sum)
}

/** The last character that has another case. */
const lastCased = 0x1e943
const range = /(\\x\{[0-9a-fA-F]{1,6}\}|\\x[0-9a-fA-F]{2}|[^])-(\\x\{[0-9a-fA-F]{1,6}\}|[^])/gsu

/** How many characters the ranges of a pattern hold that ignores case: for each its other cases are looked up. */
const folded = (text: string): number => {
  if (!/\(\?[a-zA-Z]*i/.test(text)) return 0
  let all = 0
  for (const [, from, to] of text.matchAll(range)) all += Math.max(0, codeOf(to!) - codeOf(from!))
  return all
}

const codeOf = (character: string): number => {
  const hex = /^\\x\{?([0-9a-fA-F]+)/.exec(character)?.[1]
  return Math.min(lastCased, hex === undefined ? character.codePointAt(0)! : Number.parseInt(hex, 16))
}

/** Whether the pattern is found anywhere. Not `find`: that takes seconds where this takes milliseconds. */
export const found = (pattern: RE2JS, text: string): boolean => pattern.test(text)

/** Whether the pattern is the whole text. */
export const whole = (pattern: RE2JS, text: string): boolean => pattern.testExact(text)
