/**
 * Why a check did not pass, or why an alert is open, as a code and its parameters, from which sentences in several languages are
 * made. The English sentence goes with it, and is what other plugins give alone.
 */
import { Option, Schema } from "effect"
import { mapTexts, shortText } from "./Reason.ts"

/** Longer codes and names, and more parameters, are those of no sentence. */
const maxNameLength = 60
const maxParameters = 12
/** Characters of JSON: with its code and its sentence, a failure has to pass `Admission`. */
const maxSize = 2500

const plain = {
  code: Schema.String.annotate({ description: "What happened. More values may be added" }),
  parameters: Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Finite])).annotate({
    description: "What the sentence names: hosts, numbers, instants in ISO 8601"
  })
}

export const Explanation = Schema.Struct({
  ...plain,
  because: Schema.optionalKey(
    Schema.Struct(plain).annotate({ description: "The reason of it, which follows after a colon" })
  )
}).annotate({
  identifier: "Explanation",
  description:
    "The sentence as a code and its parameters, to be written in another language. Absent where a plugin or somebody else gave a sentence, and from results of earlier versions"
})
export type Explanation = typeof Explanation.Type

const decode = Schema.decodeUnknownOption(Explanation)

/**
 * What somebody gave as an explanation, with its texts changed by `mend` and cut; undefined if it is none: the message says the
 * same, and must not be lost.
 */
export const bounded = (given: unknown, mend: (text: string) => string): Explanation | undefined => {
  try {
    const read = Option.getOrUndefined(decode(given))
    if (read === undefined) return undefined
    for (const { code, parameters } of [read, ...(read.because === undefined ? [] : [read.because])]) {
      const names = [code, ...Object.keys(parameters)]
      if (names.length > maxParameters + 1) return undefined
      if (names.some((name) => name.length > maxNameLength || mend(name) !== name)) return undefined
    }
    const mended = mapTexts(read, (text) => mend(shortText(text)))
    return JSON.stringify(mended).length > maxSize ? undefined : mended
  } catch {
    // A getter of a plugin's object threw.
    return undefined
  }
}
