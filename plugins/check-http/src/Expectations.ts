/** What a monitor expects of a response body. */
import { isDeepStrictEqual } from "node:util"
import type { Failure } from "@kanmon/domain/Observation"
import type { HttpConfig } from "./HttpConfig.ts"
import * as JsonQuery from "./JsonQuery.ts"
import * as Pattern from "./Pattern.ts"

/** Why the text of a body is not as expected; null when it is. */
export type Expectation = (body: string) => Failure | null

/** The body rules of a configuration, compiled; undefined when it has none, so that nobody keeps the body. */
export const expectationOf = (config: HttpConfig): Expectation | undefined => {
  const rules = [
    ...(config.bodyContains === undefined ? [] : [contains(config.bodyContains)]),
    ...(config.bodyNotContains === undefined ? [] : [containsNot(config.bodyNotContains)]),
    ...(config.bodyMatches === undefined ? [] : [matches(config.bodyMatches)]),
    ...(config.jsonPath === undefined ? [] : [json(config.jsonPath, config.jsonEquals)])
  ]
  if (rules.length === 0) return undefined
  return (body) => {
    for (const rule of rules) {
      const failure = rule(body)
      if (failure !== null) return failure
    }
    return null
  }
}

const contains =
  (text: string): Expectation =>
  (body) =>
    body.includes(text) ? null : { code: "body_mismatch", message: `The body does not contain ${quote(text)}` }

const containsNot =
  (text: string): Expectation =>
  (body) =>
    body.includes(text) ? { code: "body_mismatch", message: `The body contains ${quote(text)}` } : null

const matches = (source: string): Expectation => {
  const pattern = Pattern.compile(source)
  return (body) =>
    Pattern.found(pattern, body) ? null : { code: "body_mismatch", message: `The body does not match ${quote(source)}` }
}

const json = (path: string, expected: unknown): Expectation => {
  const query = JsonQuery.compile(path)
  const failure = (message: string): Failure => ({ code: "json_mismatch", message })
  return (body) => {
    const document = parse(body)
    if (document === undefined) return failure("The body is not JSON")
    try {
      const found = JsonQuery.values(query, document.value)
      if (found.length === 0) return failure(`${path} finds nothing in the body`)
      if (expected === undefined || found.some((value) => isDeepStrictEqual(value, expected))) return null
      return failure(`${path} is ${quote(JSON.stringify(found[0]))}; expected ${quote(JSON.stringify(expected))}`)
    } catch (error) {
      // A document may be deeper or larger than a query can walk.
      return failure(`${path} cannot be looked up in this body: ${quote((error as Error).message)}`)
    }
  }
}

const parse = (body: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(body) as unknown }
  } catch {
    return undefined
  }
}

const quote = (text: string): string => {
  const clean = text.slice(0, 101).replaceAll(/\p{Cc}/gu, "\uFFFD")
  return clean.length > 100 ? `"${clean.slice(0, 100)}…"` : `"${clean}"`
}
