/**
 * Rules for a body whose cost is up to who wrote them: a regular expression, a JSONPath. Pure, and loaded by the bounded
 * evaluator's processes, so it imports nothing of the host.
 */
import { isDeepStrictEqual } from "node:util"
import type { Failure } from "@kanmon/domain/Observation"
import * as JsonQuery from "./JsonQuery.ts"
import * as Pattern from "./Pattern.ts"
import { quote } from "./Quote.ts"

/** By which the evaluator finds this module. */
export const url = import.meta.url

export interface BodyRules {
  readonly bodyMatches?: string | undefined
  readonly jsonPath?: string | undefined
  readonly jsonEquals?: unknown
}

/** Why a body is not as the rules want it; null when it is. */
export const broken = ({ bodyMatches, jsonEquals, jsonPath }: BodyRules, body: string): Failure | null => {
  if (bodyMatches !== undefined && !Pattern.found(Pattern.compile(bodyMatches), body))
    return { code: "body_mismatch", message: `The body does not match ${quote(bodyMatches)}` }
  return jsonPath === undefined ? null : json(jsonPath, jsonEquals, body)
}

const json = (path: string, expected: unknown, body: string): Failure | null => {
  const failure = (message: string): Failure => ({ code: "json_mismatch", message })
  const document = parse(body)
  if (document === undefined) return failure("The body is not JSON")
  try {
    const found = JsonQuery.values(JsonQuery.compile(path), document.value)
    if (found.length === 0) return failure(`${path} finds nothing in the body`)
    if (expected === undefined || found.some((value) => isDeepStrictEqual(value, expected))) return null
    return failure(`${path} is ${quote(JSON.stringify(found[0]))}; expected ${quote(JSON.stringify(expected))}`)
  } catch (error) {
    // A document may be deeper than a query can walk.
    return failure(`${path} cannot be looked up in this body: ${quote((error as Error).message)}`)
  }
}

const parse = (body: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(body) as unknown }
  } catch {
    return undefined
  }
}
