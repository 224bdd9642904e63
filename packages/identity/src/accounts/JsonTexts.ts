/** A JSON document of parts that are JSON texts already, written in slices: a large one makes no other request wait. */
import { Effect } from "effect"

/** The text of a value, a list of them, or an object of such by name. */
export type JsonTexts = string | ReadonlyArray<string> | { readonly [name: string]: JsonTexts }

/** The characters after which others get a turn. */
const sliceLength = 32_768

const isList = (texts: JsonTexts): texts is ReadonlyArray<string> => Array.isArray(texts)

function* pieces(texts: JsonTexts): Generator<string> {
  if (typeof texts === "string") return yield texts
  if (isList(texts)) {
    yield "["
    for (const [index, text] of texts.entries()) yield index === 0 ? text : `,${text}`
    return yield "]"
  }
  yield "{"
  for (const [index, [name, inner]] of Object.entries(texts).entries()) {
    yield `${index === 0 ? "" : ","}${JSON.stringify(name)}:`
    yield* pieces(inner)
  }
  yield "}"
}

/** Writes the document. */
export const written = Effect.fnUntraced(function* (texts: JsonTexts) {
  let text = ""
  let yielded = 0
  for (const piece of pieces(texts)) {
    text += piece
    if (text.length - yielded <= sliceLength) continue
    yielded = text.length
    yield* Effect.yieldNow
  }
  return text
})
