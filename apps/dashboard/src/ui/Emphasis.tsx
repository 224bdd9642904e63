/** Sentences about records, with the parts in bold that tell one from another. */
import type { ReactNode } from "react"
import { listWords } from "../locales/lists.ts"
import { t } from "../locales/text.ts"

const shown = 3

/** Names in a row; the rest of a long list as a number. */
export const listed = (names: ReadonlyArray<string>, type: "conjunction" | "disjunction"): string =>
  listWords(
    names.length <= shown + 1
      ? names
      : [
          ...names.slice(0, shown),
          t("{count, plural, one {# other} other {# others}}", { count: names.length - shown })
        ],
    type
  )

// Names come from people, so what is emphasized is marked with characters that no name has.
const [begin, end] = ["\uE000", "\uE001"]
/** Marks a part of a sentence, for `emphasized`. */
export const strong = (text: string): string => `${begin}${text.replaceAll(/[\uE000\uE001]/g, "")}${end}`

/** A sentence with its marked parts in bold. */
export const emphasized = (text: string): ReactNode =>
  text.split(/(\uE000[^\uE000\uE001]*\uE001)/).map((part, index) =>
    part.startsWith(begin) ? (
      // oxlint-disable-next-line react/no-array-index-key -- the parts of one sentence
      <strong key={index} className="font-semibold text-ink">
        {part.slice(1, -1)}
      </strong>
    ) : (
      part
    )
  )
