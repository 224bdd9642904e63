/** One line of text that people read: a name, a heading. */
import { Schema } from "effect"
import { patternText } from "./BoundedText.ts"

/** Control characters are written out: validators without Unicode mode read the pattern too. */
const pattern = (length: number): RegExp =>
  new RegExp(String.raw`^(?=.*\S)[^\u0000-\u001F\u007F-\u009F]{1,${length}}$`, "u")

/** Text with something to read in it, and no control characters. */
export const line = (length: number) =>
  // A character may take two code units.
  patternText(2 * length, pattern(length), `Expected 1 to ${length} characters, without control characters`)

/** Marks that are drawn as nothing: the default ignorable ones, and the blank of Braille. */
const invisible = /[\p{Default_Ignorable_Code_Point}\u2800]/gu
const seen = /[\p{L}\p{N}\p{P}\p{S}]/u

/** Whether there is something to see in a text. */
export const isVisible = (text: string): boolean => seen.test(text.replaceAll(invisible, ""))

/** A check of text that people give: names that are already stored stay valid. Not in the JSON Schema, which has no such classes. */
export const visible = Schema.makeFilter((text: string) => isVisible(text) || "Expected some text that can be seen", {
  toJsonSchema: () => [{}, true]
})

/** The same for each name of a path. */
export const visibleParts = Schema.makeFilter(
  (path: string) => path.split("/").every(isVisible) || "Expected some text that can be seen in each name",
  { toJsonSchema: () => [{}, true] }
)

/** The beginning of a text, which does not end with half a character. */
export const clipped = (text: string, length: number): string => {
  const cut = text.slice(0, length)
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut
}
