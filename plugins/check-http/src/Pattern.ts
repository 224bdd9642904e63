/**
 * Regular expressions that may be run on a stranger's text: RE2 syntax, linear time, and not so large that linear is slow.
 * One mebibyte takes about 5 ms for each instruction of the worst of them.
 */
import { RE2JS } from "re2js"

const mostInstructions = 200

/** Throws, with a sentence for a person, when the text is no pattern or one that is too large. */
export const compile = (text: string): RE2JS => {
  const pattern = RE2JS.compile(text)
  if (pattern.programSize() > mostInstructions) {
    throw new Error("it is too large; counted repetitions such as {500} are written out")
  }
  return pattern
}

/** Whether the pattern is found anywhere. Not `find`: that takes seconds where this takes milliseconds. */
export const found = (pattern: RE2JS, text: string): boolean => pattern.test(text)

/** Whether the pattern is the whole text. */
export const whole = (pattern: RE2JS, text: string): boolean => pattern.testExact(text)
