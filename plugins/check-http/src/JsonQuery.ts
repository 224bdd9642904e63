/**
 * JSONPath (RFC 9535) by users. A short path can take arbitrarily long, so it only runs in the bounded evaluator;
 * compiling one takes a few milliseconds at most. `match` and `search` use RE2, which takes linear time.
 */
import { FunctionExpressionType, JSONPathEnvironment, type JSONPathQuery, type JSONValue } from "json-p3"
import * as ExactNumber from "./ExactNumber.ts"
import * as Pattern from "./Pattern.ts"

/** The parser takes quadratic time for nested brackets. */
const maxDepth = 30

/** A pattern may come from the document itself. An invalid one matches nothing, as the standard requires. */
const patternFunction = (test: typeof Pattern.found) => {
  let last: { readonly source: string; readonly pattern: ReturnType<typeof Pattern.compile> | undefined } | undefined
  return {
    argTypes: [FunctionExpressionType.ValueType, FunctionExpressionType.ValueType],
    returnType: FunctionExpressionType.LogicalType,
    call: (text: unknown, source: unknown): boolean => {
      if (typeof text !== "string" || typeof source !== "string") return false
      if (last?.source !== source) last = { source, pattern: usable(source) }
      return last.pattern !== undefined && test(last.pattern, text)
    }
  }
}

const usable = (source: string): ReturnType<typeof Pattern.compile> | undefined => {
  try {
    return source.length > 2000 ? undefined : Pattern.compile(source)
  } catch {
    return undefined
  }
}

const environment = new JSONPathEnvironment()
environment.functionRegister.set("match", patternFunction(Pattern.whole))
environment.functionRegister.set("search", patternFunction(Pattern.found))

/** Throws, with a readable sentence, when the text is not a JSONPath or is nested too deeply. */
export const compile = (text: string): JSONPathQuery => {
  let depth = 0
  for (const [part] of text.matchAll(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[([]|[)\]]/gs)) {
    if (part === "(" || part === "[") depth++
    else if (part === ")" || part === "]") depth--
    if (depth > maxDepth) throw new Error(`its brackets are nested more than ${maxDepth} deep`)
  }
  return environment.compile(text)
}

/**
 * The values that a query selects. Time and memory are unbounded. `written` is the document with its numbers as they are written:
 * the query's own comparisons are those of doubles, and what it selects is exact.
 */
export const values = (query: JSONPathQuery, document: unknown, written?: unknown): ReadonlyArray<unknown> => {
  const { nodes } = query.query(document as JSONValue)
  return nodes.map(({ location, value }) => (written === undefined ? value : ExactNumber.at(written, location)))
}
