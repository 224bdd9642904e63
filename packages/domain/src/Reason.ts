/**
 * Reasons of the vocabulary: a code and its parameters, with the English sentence. Without Effect, because the processes that
 * evaluate expressions of users load it too.
 */
import { type Explanation, type PlainExplanation, sentence } from "./ReasonText.ts"
import { english, type ReasonCode, type ReasonParameters } from "./ReasonsEnglish.ts"

/** Longer parameters are cut: a reason is one sentence. */
export const maxLength = 500

/** A sentence, and what it is made of. */
export interface Reason {
  readonly message: string
  readonly explanation: Explanation
}

/** A part of a reason: `because` of another. */
export const part = <Code extends ReasonCode>(code: Code, parameters: ReasonParameters<Code>): PlainExplanation => ({
  code,
  parameters: short(parameters)
})

/** A reason of the vocabulary. Parameters that are undefined are left out. */
export const reason = <Code extends ReasonCode>(
  code: Code,
  parameters: ReasonParameters<Code>,
  because?: PlainExplanation
): Reason => worded({ code, parameters: short(parameters), ...(because === undefined ? {} : { because }) })

/** The reason with its English sentence. */
export const worded = (explanation: Explanation): Reason => ({
  message: sentence(english, explanation) ?? explanation.code,
  explanation
})

/** What was said before, as the reason of something else; what others wrote, as it is. */
export const explainedBy = ({
  explanation,
  message
}: {
  readonly message: string
  readonly explanation?: Explanation | undefined
}): PlainExplanation =>
  explanation === undefined || explanation.because !== undefined
    ? part("said", { text: message })
    : { code: explanation.code, parameters: explanation.parameters }

/** The same with each text of its parameters changed: to hide secrets. */
export const mapTexts = (given: Explanation, change: (text: string) => string): Explanation => {
  const changed = ({ code, parameters }: PlainExplanation): PlainExplanation => ({
    code,
    parameters: Object.fromEntries(
      Object.entries(parameters).map(([name, value]) => [name, typeof value === "string" ? change(value) : value])
    )
  })
  return { ...changed(given), ...(given.because === undefined ? {} : { because: changed(given.because) }) }
}

/** A text of at most {@link maxLength} characters. */
export const shortText = (text: string): string => (text.length > maxLength ? `${text.slice(0, maxLength)}…` : text)

const short = (parameters: object): PlainExplanation["parameters"] =>
  Object.fromEntries(
    Object.entries(parameters as Readonly<Record<string, string | number | undefined>>).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === "string" ? shortText(value) : value]]
    )
  )
