/** One line of text that people read: a name, a heading. */
import { Schema } from "effect"

/** Control characters are written out: validators without Unicode mode read the pattern too. */
const pattern = (length: number): RegExp =>
  new RegExp(String.raw`^(?=.*\S)[^\u0000-\u001F\u007F-\u009F]{1,${length}}$`, "u")

/** Text with something to read in it, and no control characters. */
export const line = (length: number) =>
  Schema.String.check(
    Schema.isPattern(pattern(length), { message: `Expected 1 to ${length} characters, without control characters` })
  )
