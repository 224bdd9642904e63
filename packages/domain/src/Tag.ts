/** Tags: short labels by which rules, pages and filters select monitors. */
import { Schema } from "effect"
import { patternText } from "./BoundedText.ts"

/** A lower-case label such as `prod` or `team:payments`. */
const Tag = patternText(
  64,
  /^[a-z0-9][a-z0-9:._-]{0,63}$/,
  "Expected 1 to 64 lower-case letters, digits and : . _ -, of which the first is a letter or digit, such as team:payments"
)

/** How many tags a record can have, and how many a record can follow. */
const maxTags = 20

/** A set of tags. Repeated ones are dropped where it is decoded. */
export const Tags = Schema.Array(Tag).check(
  Schema.isMaxLength(maxTags, { message: `Expected at most ${maxTags} tags` })
)

/** Whether a monitor with these tags carries any of those. */
export const sharesTag = (some: ReadonlyArray<string>, others: ReadonlyArray<string>): boolean =>
  some.some((tag) => others.includes(tag))
