/**
 * JSONPath (RFC 9535) of users. A short path can ask for more steps than there is time, so it is evaluated by the bounded
 * evaluator alone; compiling one takes a few milliseconds at most. Its `match` and `search` are RE2, whose time is linear.
 */
import { FunctionExpressionType, JSONPathEnvironment, type JSONPathQuery } from "json-p3"
import * as Pattern from "./Pattern.ts"

/** The parser takes quadratic time for brackets within brackets. */
const maxDepth = 30

/** A pattern may come out of the document itself. One that cannot be used matches nothing, as the standard wants it. */
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
environment.functionRegister.set("match", patternFunction(Pattern.whole) as never)
environment.functionRegister.set("search", patternFunction(Pattern.found) as never)

/** Throws, with a sentence for a person, when the text is no JSONPath, or one that nests too deeply. */
export const compile = (text: string): JSONPathQuery => {
  let depth = 0
  for (const [part] of text.matchAll(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[([]|[)\]]/gs)) {
    if (part === "(" || part === "[") depth++
    else if (part === ")" || part === "]") depth--
    if (depth > maxDepth) throw new Error(`it has brackets within brackets, more than ${maxDepth} deep`)
  }
  return environment.compile(text)
}

/** The values that a query finds. It may take any time, and memory. */
export const values = (query: JSONPathQuery, document: unknown): ReadonlyArray<unknown> =>
  query.query(document as never).values() as ReadonlyArray<unknown>
