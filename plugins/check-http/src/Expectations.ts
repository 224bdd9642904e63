/** The expectations on a response besides its status: its headers, and the text of its body. */
import { BoundedEvaluator, type EvaluationFailed } from "@kanmon/core/BoundedEvaluator"
import { type Reason, reason } from "@kanmon/domain/Reason"
import type { Failure } from "@kanmon/domain/Observation"
import { Effect } from "effect"
import * as BodyRules from "./BodyRules.ts"
import type { HttpConfig } from "./HttpConfig.ts"
import { clip } from "@kanmon/core/Quote"
import * as TextSearch from "@kanmon/core/TextSearch"

/** An expectation of a text: of the body, or of the headers as JSON. */
export interface Expectation {
  /** Why the text violates the expectations; null when it does not. */
  readonly broken: (text: string) => Effect.Effect<Failure | null, EvaluationFailed, BoundedEvaluator>
  /** The fields with a cost that depends on user input, between commas. */
  readonly costly: string
  /** Whether more text cannot repair what is broken now. */
  readonly isFinal: (text: string) => boolean
  /** Whether text that has not arrived may break it. */
  readonly forbids: boolean
}

/** The body rules of a configuration; undefined without any, so that the body is not kept. */
export const expectationOf = (config: HttpConfig): Expectation | undefined => {
  const { bodyContains, bodyMatches, bodyNotContains, jsonAssertions = [], jsonEquals, jsonPath } = config
  const rules: BodyRules.BodyRules = { bodyMatches, jsonPath, jsonEquals, jsonAssertions }
  const costly = [
    ...(bodyMatches === undefined ? [] : ["bodyMatches"]),
    ...(jsonPath === undefined ? [] : ["jsonPath"]),
    ...(jsonAssertions.length === 0 ? [] : ["jsonAssertions"])
  ]
  if (bodyContains === undefined && bodyNotContains === undefined && costly.length === 0) return undefined

  const mismatch = (text: string): Reason | undefined => {
    if (bodyContains !== undefined && !TextSearch.includes(text, bodyContains))
      return reason("body_lacks", { expected: clip(bodyContains) })
    return bodyNotContains !== undefined && TextSearch.includes(text, bodyNotContains)
      ? reason("body_contains", { found: clip(bodyNotContains) })
      : undefined
  }
  const evaluate = (text: string) =>
    Effect.flatMap(BoundedEvaluator, (evaluator) =>
      evaluator.evaluate({ module: BodyRules.url, function: BodyRules.broken, settings: rules, input: text })
    )

  return {
    costly: costly.join(),
    isFinal: (text) => bodyNotContains !== undefined && TextSearch.includes(text, bodyNotContains),
    forbids: bodyNotContains !== undefined,
    broken: (text) => {
      const words = mismatch(text)
      if (words !== undefined) return Effect.succeed({ code: "body_mismatch", ...words })
      return costly.length === 0 ? Effect.succeed(null) : evaluate(text)
    }
  }
}

/** The assertions on response headers; undefined without any. */
export const headerExpectationOf = ({ headerAssertions = [] }: HttpConfig): Expectation | undefined => {
  if (headerAssertions.length === 0) return undefined
  const rules: BodyRules.HeaderRules = { headerAssertions }
  return {
    costly: "headerAssertions",
    isFinal: () => true,
    forbids: false,
    broken: headerAssertions.some(({ operator }) => operator === "matches")
      ? (text) =>
          Effect.flatMap(BoundedEvaluator, (evaluator) =>
            evaluator.evaluate({
              module: BodyRules.url,
              function: BodyRules.brokenHeaders,
              settings: rules,
              input: text
            })
          )
      : // Bounded by the sizes of headers and assertions.
        (text) => Effect.sync(() => BodyRules.brokenHeaders(rules, text))
  }
}
