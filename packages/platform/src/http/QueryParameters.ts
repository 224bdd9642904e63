/**
 * Refuses query parameters that an operation does not have: one that is misspelt would silently select something else.
 * Pages that people open, signals of jobs and what other services call back take any parameter.
 */
import { didYouMean } from "@kanmon/domain/Suggestion"
import { Problem } from "@kanmon/protocol/Problem"

/** The problem of the first parameter that is not known; undefined if all are. */
export const objection = (url: string, known: ReadonlyArray<string>): Problem<"malformed_request"> | undefined => {
  const mark = url.indexOf("?")
  if (mark < 0) return undefined
  const unknown = [...new URLSearchParams(url.slice(mark + 1)).keys()].find((name) => !known.includes(name))
  if (unknown === undefined) return undefined
  const shown = unknown.slice(0, longest)
  const expected = known.length === 0 ? "this operation has none" : `expected ${known.join(", ")}`
  const message = `Unknown query parameter${didYouMean(shown.replace(/\[\]$/, ""), known) || `; ${expected}`}`
  return new Problem({
    code: "malformed_request",
    detail: `${shown}: ${message}`,
    errors: [{ path: shown, message }]
  })
}

/** Characters of a name that are shown. */
const longest = 64
