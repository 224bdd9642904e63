/**
 * Regular expressions by users: RE2 syntax, which takes linear time, limited in size. Expressions that would take more
 * than a few milliseconds to compile are rejected by their text. They are compiled in the evaluator's processes alone,
 * since many are costly.
 */
import { RE2JS } from "re2js"

const maxInstructions = 200
/** A larger estimate is rejected without compiling. */
const maxEstimate = 2500
/** Characters in ranges of a case-insensitive pattern: 100,000 take 3 ms. */
const maxFolded = 150_000
/** Unicode classes: one takes up to 0.2 ms. */
const maxClasses = 40

const tooLarge = "it is too large; counted repetitions such as {500} are expanded"

/** Throws, with a readable sentence, when the text is not a pattern or is too large. */
export const compile = (text: string): RE2JS => {
  if (estimate(text) > maxEstimate) throw new Error(tooLarge)
  if (folded(text) > maxFolded) throw new Error("its ranges are too large for a case-insensitive pattern")
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

/** Estimates the number of instructions of a pattern in one pass; stops at an unclosed bracket. */
export const estimate = (text: string): number => {
  const outer: Array<number> = []
  /** The sizes of the current group and of its last part. */
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
      // A repetition applies to what precedes it.
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

/** The last character with another case. */
const lastCased = 0x1e943
const range = /(\\x\{[0-9a-fA-F]{1,6}\}|\\x[0-9a-fA-F]{2}|[^])-(\\x\{[0-9a-fA-F]{1,6}\}|[^])/gsu

/** The number of characters in the ranges of a case-insensitive pattern: the other cases of each are looked up. */
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

/** Whether the pattern occurs in the text. Not `find`, which takes seconds where this takes milliseconds. */
export const found = (pattern: RE2JS, text: string): boolean => pattern.test(text)

/** Whether the pattern matches the whole text. */
export const whole = (pattern: RE2JS, text: string): boolean => pattern.testExact(text)
