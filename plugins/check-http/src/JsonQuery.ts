/**
 * JSONPath (RFC 9535) on documents of strangers. A short path can ask for more steps than there is time, and its `match` and
 * `search` would backtrack in JavaScript's own engine; here steps are counted and patterns are RE2.
 */
import { FunctionExpressionType, JSONPathEnvironment, type JSONPathQuery } from "json-p3"
import * as Pattern from "./Pattern.ts"

const mostSteps = 100_000
const mostPatterns = 50

class TooManySteps extends Error {
  constructor() {
    super("takes too many steps on this document")
  }
}

let steps = 0
const spend = (cost: number): void => {
  steps += cost
  if (steps > mostSteps) throw new TooManySteps()
}

type Pattern = ReturnType<typeof Pattern.compile>
const patterns = new Map<string, Pattern | undefined>()

/** A pattern may come out of the document itself. One that cannot be used matches nothing, as the standard wants it. */
const patternOf = (text: string): Pattern | undefined => {
  if (patterns.has(text)) return patterns.get(text)
  if (patterns.size >= mostPatterns) patterns.clear()
  let pattern: Pattern | undefined
  try {
    pattern = text.length > 1000 ? undefined : Pattern.compile(text)
  } catch {
    pattern = undefined
  }
  patterns.set(text, pattern)
  return pattern
}

const patternFunction = (test: (pattern: Pattern, text: string) => boolean) => ({
  argTypes: [FunctionExpressionType.ValueType, FunctionExpressionType.ValueType],
  returnType: FunctionExpressionType.LogicalType,
  call: (text: unknown, source: unknown): boolean => {
    if (typeof text !== "string" || typeof source !== "string") return false
    spend(1 + text.length / 100)
    const pattern = patternOf(source)
    return pattern !== undefined && test(pattern, text)
  }
})

const environment = new JSONPathEnvironment()
environment.functionRegister.set("match", patternFunction(Pattern.whole) as never)
environment.functionRegister.set("search", patternFunction(Pattern.found) as never)

type Metered = Record<string, unknown>

/** Puts a meter into every selector and every expression of a query. */
const meter = (part: unknown): void => {
  if (typeof part !== "object" || part === null) return
  if (Array.isArray(part)) return part.forEach(meter)
  const metered = part as Metered
  for (const name of ["resolve", "evaluate"]) {
    const original = metered[name]
    if (typeof original !== "function" || "segments" in metered || "selectors" in metered) continue
    metered[name] = (argument: unknown): unknown => {
      spend(1)
      return Reflect.apply(original, part, [argument])
    }
  }
  for (const name of ["segments", "selectors", "expression", "left", "right", "args", "path"]) meter(metered[name])
}

/** Throws, with a sentence for a person, when the text is no JSONPath. */
export const compile = (text: string): JSONPathQuery => {
  const query = environment.compile(text)
  meter(query)
  return query
}

/** The values that a query finds; throws when that takes too much. */
export const values = (query: JSONPathQuery, document: unknown): ReadonlyArray<unknown> => {
  steps = 0
  return query.query(document as never).values() as ReadonlyArray<unknown>
}
