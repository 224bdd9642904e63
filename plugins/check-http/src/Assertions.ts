/**
 * Assertions on values of a JSON body or of response headers. Pure. Loaded in the evaluator's processes, so it imports
 * nothing from the host.
 */
import * as ExactNumber from "./ExactNumber.ts"
import * as Pattern from "./Pattern.ts"
import { quote } from "@kanmon/core/Quote"
import * as TextSearch from "@kanmon/core/TextSearch"

export const operators = [
  "equals",
  "notEquals",
  "contains",
  "notContains",
  "matches",
  "greaterThan",
  "greaterThanOrEqual",
  "lessThan",
  "lessThanOrEqual",
  "exists",
  "notExists"
] as const

export type Operator = (typeof operators)[number]

/** Operators that compare numbers. */
const comparisons: Partial<Record<Operator, (value: number, bound: number) => boolean>> = {
  greaterThan: (value, bound) => value > bound,
  greaterThanOrEqual: (value, bound) => value >= bound,
  lessThan: (value, bound) => value < bound,
  lessThanOrEqual: (value, bound) => value <= bound
}

/** Operators that no value may fulfil, where the others need one that does. */
const negated: ReadonlySet<Operator> = new Set(["notEquals", "notContains", "notExists"])

export interface Assertion {
  readonly operator: Operator
  readonly value?: unknown
}

/** Why the value of an assertion does not fit its operator; undefined when it does. */
export const unfit = ({ operator, value }: Assertion): string | undefined => {
  if (operator === "exists" || operator === "notExists")
    return value === undefined ? undefined : `The operator ${operator} takes no value`
  if (value === undefined) return `Required with the operator ${operator}`
  if (operator in comparisons) return typeof value === "number" ? undefined : "Expected a number"
  if (operator !== "matches") return undefined
  return typeof value === "string" && value.length <= 2000
    ? undefined
    : "Expected a regular expression of at most 2000 characters"
}

/** A value that violates an assertion, as parameters of a reason; `missing` where there is no value. */
export type Violation =
  "missing" | { readonly found: string; readonly operator: Exclude<Operator, "exists">; readonly value?: string }

/** How values violate an assertion; undefined when they do not. */
export const violation = (assertion: Assertion, found: ReadonlyArray<unknown>): Violation | undefined => {
  const { operator, value } = assertion
  if (found.length === 0) return operator === "notExists" ? undefined : "missing"
  if (operator === "exists") return undefined
  const fulfils = predicate(assertion)
  const culprit = negated.has(operator)
    ? found.find((one) => !fulfils(one))
    : found.some(fulfils)
      ? undefined
      : found[0]
  if (culprit === undefined) return undefined
  return { found: shown(culprit), operator, ...(operator === "notExists" ? {} : { value: shown(value) }) }
}

const shown = (value: unknown): string =>
  typeof value === "number" ? String(value) : quote(typeof value === "string" ? value : text(value))

/** A value as JSON. */
export const text = (value: unknown): string =>
  value instanceof ExactNumber.ExactNumber ? value.text : JSON.stringify(value)

/** Whether one value fulfils the assertion. */
const predicate = ({ operator, value }: Assertion): ((found: unknown) => boolean) => {
  const compare = comparisons[operator]
  if (compare !== undefined) return (found) => isNumeric(found) && compare(Number(found), Number(value))
  switch (operator) {
    case "equals":
      return (found) => same(found, value)
    case "notEquals":
      return (found) => !same(found, value)
    case "contains":
      return (found) => holds(found, value)
    case "notContains":
      return (found) => !holds(found, value)
    case "matches": {
      const pattern = Pattern.compile(String(value))
      return (found) => isScalar(found) && Pattern.found(pattern, String(found))
    }
    default:
      return () => false
  }
}

const isScalar = (value: unknown): value is ExactNumber.ExactNumber | string | number | boolean =>
  value instanceof ExactNumber.ExactNumber ||
  typeof value === "string" ||
  typeof value === "number" ||
  typeof value === "boolean"

/** Longer texts are no numbers. */
const longestNumber = 400

/** A number, or a text that is one in decimal notation: many APIs send large numbers as texts. */
const isNumeric = (value: unknown): boolean =>
  value instanceof ExactNumber.ExactNumber ||
  typeof value === "number" ||
  (typeof value === "string" &&
    value.length <= longestNumber &&
    /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?\s*$/i.test(value))

const same = (found: unknown, expected: unknown): boolean => ExactNumber.equal(found, expected)

/** A text contains a part, a list an equal element, an object a key. */
const holds = (found: unknown, part: unknown): boolean => {
  if (Array.isArray(found)) return found.some((element) => same(element, part))
  if (typeof found === "object" && found !== null && !isScalar(found))
    return typeof part === "string" && Object.hasOwn(found, part)
  return isScalar(found) && isScalar(part) && TextSearch.includes(String(found), String(part))
}
