/**
 * Rules with a cost that depends on user input: regular expressions, JSONPaths, and assertions on their results or on
 * headers. Pure. Loaded in the evaluator's processes, so it imports nothing from the host.
 */
import { extname } from "node:path"
import { type Reason, reason } from "@kanmon/domain/Reason"
import type { Failure } from "@kanmon/domain/Observation"
import * as Assertions from "./Assertions.ts"
import * as ExactNumber from "./ExactNumber.ts"
import * as JsonQuery from "./JsonQuery.ts"
import * as Pattern from "./Pattern.ts"
import { clip } from "@kanmon/core/Quote"

/** The evaluator loads this module by its URL; compiled, it is a file of its own beside those that use it. */
export const url = new URL(`./BodyRules${extname(import.meta.url)}`, import.meta.url).href

export interface BodyRules {
  readonly bodyMatches?: string | undefined
  readonly jsonPath?: string | undefined
  readonly jsonEquals?: unknown
  readonly jsonAssertions?: ReadonlyArray<Assertions.Assertion & { readonly jsonPath: string }> | undefined
}

/** Why a body violates the rules; null when it does not. */
export const broken = (
  { bodyMatches, jsonAssertions = [], jsonEquals, jsonPath }: BodyRules,
  body: string
): Failure | null => {
  if (bodyMatches !== undefined && !Pattern.found(Pattern.compile(bodyMatches), body))
    return { code: "body_mismatch", ...reason("body_does_not_match", { expected: clip(bodyMatches) }) }
  return jsonPath === undefined && jsonAssertions.length === 0 ? null : json(jsonPath, jsonEquals, jsonAssertions, body)
}

const json = (
  path: string | undefined,
  expected: unknown,
  assertions: NonNullable<BodyRules["jsonAssertions"]>,
  body: string
): Failure | null => {
  const document = parse(body)
  if (document === undefined) return mismatch(reason("not_json", {}))
  const first =
    path === undefined
      ? undefined
      : selected(path, document, (found) => {
          if (found.length === 0) return reason("json_missing", { path })
          if (expected === undefined || found.some((value) => ExactNumber.equal(value, expected))) return undefined
          return reason("json_differs", {
            path,
            found: clip(Assertions.text(found[0])),
            expected: clip(JSON.stringify(expected))
          })
        })
  if (first !== undefined) return mismatch(first)
  for (const assertion of assertions) {
    const { jsonPath } = assertion
    const problem = selected(jsonPath, document, (found) => {
      const violation = Assertions.violation(assertion, found)
      if (violation === undefined) return undefined
      return violation === "missing"
        ? reason("json_missing", { path: jsonPath })
        : reason("json_violates", { path: jsonPath, ...violation })
    })
    if (problem !== undefined) return mismatch(problem)
  }
  return null
}

const mismatch = (words: Reason): Failure => ({ code: "json_mismatch", ...words })

const selected = (
  path: string,
  { value, written }: Document,
  problem: (found: ReadonlyArray<unknown>) => Reason | undefined
): Reason | undefined => {
  try {
    return problem(JsonQuery.values(JsonQuery.compile(path), value, written))
  } catch (error) {
    // A document can be nested deeper than a query can follow.
    return reason("json_not_evaluated", { path, problem: clip((error as Error).message) })
  }
}

interface Document {
  readonly value: unknown
  /** With the numbers that a double does not hold, if there are any. */
  readonly written: unknown
}

const parse = (body: string): Document | undefined => {
  try {
    return { value: JSON.parse(body) as unknown, written: ExactNumber.parse(body) }
  } catch {
    return undefined
  }
}

export interface HeaderRules {
  readonly headerAssertions: ReadonlyArray<Assertions.Assertion & { readonly header: string }>
}

/** Why response headers violate the assertions; null when they do not. Headers are JSON: lists of values by lower-case name. */
export const brokenHeaders = ({ headerAssertions }: HeaderRules, headers: string): Failure | null => {
  const values = new Map(Object.entries(JSON.parse(headers) as Record<string, ReadonlyArray<string>>))
  for (const assertion of headerAssertions) {
    const { header, operator, value } = assertion
    // Headers are text: "equals 5" means the text.
    const textual = operator === "equals" || operator === "notEquals" ? { operator, value: String(value) } : assertion
    const violation = Assertions.violation(textual, values.get(header.toLowerCase()) ?? [])
    if (violation === undefined) continue
    const words =
      violation === "missing"
        ? reason("header_missing", { header })
        : reason("header_violates", { header, ...violation })
    return { code: "header_mismatch", ...words }
  }
  return null
}
