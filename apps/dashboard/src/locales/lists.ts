/** Words in a row. */
import { formatLocale } from "./text.ts"

/** "Ada, Ben and Cleo", or with "or" before the last. */
export const listWords = (words: ReadonlyArray<string>, type: "conjunction" | "disjunction" = "conjunction"): string =>
  new Intl.ListFormat(formatLocale(), { type }).format(words)
