/** What a monitor expects of the text of a response body. */
import { BoundedEvaluator, type EvaluationFailed } from "@kanmon/core/BoundedEvaluator"
import type { Failure } from "@kanmon/domain/Observation"
import { Effect } from "effect"
import * as BodyRules from "./BodyRules.ts"
import type { HttpConfig } from "./HttpConfig.ts"
import { quote } from "./Quote.ts"
import * as TextSearch from "./TextSearch.ts"

export interface Expectation {
  /** Why the text is not as expected; null when it is. */
  readonly broken: (text: string) => Effect.Effect<Failure | null, EvaluationFailed, BoundedEvaluator>
  /** The fields whose cost is up to who wrote them, in words. */
  readonly costly: string
}

/** The body rules of a configuration; undefined when it has none, so that nobody keeps the body. */
export const expectationOf = (config: HttpConfig): Expectation | undefined => {
  const { bodyContains, bodyMatches, bodyNotContains, jsonEquals, jsonPath } = config
  const rules: BodyRules.BodyRules = { bodyMatches, jsonPath, jsonEquals }
  const costly = [
    ...(bodyMatches === undefined ? [] : ["bodyMatches"]),
    ...(jsonPath === undefined ? [] : ["jsonPath"])
  ]
  if (bodyContains === undefined && bodyNotContains === undefined && costly.length === 0) return undefined

  const mismatch = (text: string): string | undefined => {
    if (bodyContains !== undefined && !TextSearch.includes(text, bodyContains))
      return `The body does not contain ${quote(bodyContains)}`
    return bodyNotContains !== undefined && TextSearch.includes(text, bodyNotContains)
      ? `The body contains ${quote(bodyNotContains)}`
      : undefined
  }
  const evaluate = (text: string) =>
    Effect.flatMap(BoundedEvaluator, (evaluator) =>
      evaluator.evaluate({ module: BodyRules.url, function: BodyRules.broken, settings: rules, input: text })
    )

  return {
    costly: costly.join(" and "),
    broken: (text) => {
      const message = mismatch(text)
      if (message !== undefined) return Effect.succeed({ code: "body_mismatch", message })
      return costly.length === 0 ? Effect.succeed(null) : evaluate(text)
    }
  }
}
