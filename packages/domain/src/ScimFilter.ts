/**
 * Filters of SCIM (RFC 7644, section 3.4.2.2): comparisons, `and`, `or`, `not`, parentheses, and conditions on the values of an
 * attribute, such as `emails[type eq "work" and value co "@example.com"]`. Identity providers write operators and the literals
 * `true` and `false` in any case.
 */
import { Result } from "effect"
import { type Fields, isFields, type ScimRefused, valueIn, withoutSchema, wrong } from "./Scim.ts"

const operators = ["eq", "ne", "co", "sw", "ew", "gt", "ge", "lt", "le"] as const
type Operator = (typeof operators)[number]

type Literal = string | boolean | number | null

/** The names of an attribute from the resource on, in lower case. */
type Path = ReadonlyArray<string>

export type ScimFilter =
  | { readonly _tag: "All" | "Any"; readonly filters: ReadonlyArray<ScimFilter> }
  | { readonly _tag: "Not"; readonly filter: ScimFilter }
  | { readonly _tag: "Present"; readonly path: Path }
  | { readonly _tag: "Compare"; readonly path: Path; readonly operator: Operator; readonly value: Literal }
  /** One of the values of the attribute fulfils the condition. */
  | { readonly _tag: "Values"; readonly path: Path; readonly filter: ScimFilter }

const maxLength = 4096
const maxWords = 500
const maxDepth = 20

/** Parentheses, texts in quotation marks, and anything else without them. */
const word = /\s*([()[\]]|"(?:[^"\\]|\\.)*"|[^\s"()[\]]+)/y

const wordsOf = (filter: string): ReadonlyArray<string> => {
  const words: Array<string> = []
  const end = filter.trimEnd().length
  word.lastIndex = 0
  while (word.lastIndex < end) {
    const at = word.lastIndex
    const match = word.exec(filter)
    if (match === null) throw unreadable(`there is something wrong at position ${at}`)
    words.push(match[1]!)
    if (words.length > maxWords) throw unreadable(`it has more than ${maxWords} words`)
  }
  return words
}

const unreadable = (why: string): ScimRefused => wrong("invalidFilter", `The filter cannot be read: ${why}`)

const pathOf = (name: string): Path => {
  const own = withoutSchema(name)
  // Attributes of other schemas are not kept: nothing has one.
  if (own === undefined) return [name.toLowerCase()]
  if (!/^[A-Za-z$][\w$-]*(\.[A-Za-z$][\w$-]*)?$/.test(own)) throw unreadable(`${name.slice(0, 100)} is no attribute`)
  return own.toLowerCase().split(".")
}

const literalOf = (text: string): Literal => {
  try {
    const value: unknown = JSON.parse(/^(true|false|null)$/i.test(text) ? text.toLowerCase() : text)
    // The database accepts no text with this character, however it is written.
    if (typeof value === "string" && !value.includes("\u0000")) return value
    if (value === null || typeof value === "number" || typeof value === "boolean") return value
  } catch {
    // The same answer as to other values.
  }
  throw unreadable(`${text.slice(0, 100)} is no value; texts stand in quotation marks`)
}

/** One after the other, from the loosest to the tightest: `or`, `and`, `not` and parentheses. */
const parser = (words: ReadonlyArray<string>) => {
  let at = 0
  const next = () => words[at]?.toLowerCase()
  const take = (): string => {
    const taken = words[at++]
    if (taken === undefined) throw unreadable("it ends too early")
    return taken
  }
  const expect = (text: string): void => {
    if (take() !== text) throw unreadable(`a ${text} is missing`)
  }

  const joined = (joiner: "or" | "and", tag: "Any" | "All", inner: (depth: number) => ScimFilter, depth: number) => {
    const first = inner(depth)
    if (next() !== joiner) return first
    const filters = [first]
    while (next() === joiner) {
      at++
      filters.push(inner(depth))
    }
    return { _tag: tag, filters } as const
  }
  const any = (depth: number): ScimFilter => joined("or", "Any", all, depth)
  const all = (depth: number): ScimFilter => joined("and", "All", one, depth)

  const grouped = (depth: number): ScimFilter => {
    expect("(")
    const filter = any(depth + 1)
    expect(")")
    return filter
  }

  const compared = (path: Path): ScimFilter => {
    const operator = take().toLowerCase()
    if (operator === "pr") return { _tag: "Present", path }
    const known = operators.find((one) => one === operator)
    if (known === undefined) throw unreadable(`${operator.slice(0, 100)} is no operator`)
    return { _tag: "Compare", path, operator: known, value: literalOf(take()) }
  }

  const one = (depth: number): ScimFilter => {
    if (depth > maxDepth) throw unreadable(`it is nested more than ${maxDepth} levels deep`)
    if (next() === "(") return grouped(depth)
    if (next() === "not" && words[at + 1] === "(") {
      at++
      return { _tag: "Not", filter: grouped(depth) }
    }
    const path = pathOf(take())
    if (next() !== "[") return compared(path)
    at++
    const condition = any(depth + 1)
    expect("]")
    const part = /^\.([A-Za-z$][\w$-]*)$/.exec(words[at] ?? "")?.[1]
    if (part === undefined) return { _tag: "Values", path, filter: condition }
    at++
    return { _tag: "Values", path, filter: { _tag: "All", filters: [condition, compared([part.toLowerCase()])] } }
  }

  const filter = any(0)
  if (at < words.length) throw unreadable(`${words[at]!.slice(0, 100)} is not expected there`)
  return filter
}

/** Reads a filter. */
export const parse = (text: string): Result.Result<ScimFilter, ScimRefused> => {
  if (text.length > maxLength || text.includes("\u0000"))
    return Result.fail(unreadable(`it has more than ${maxLength} characters, or one that no text has`))
  return Result.try({ try: () => parser(wordsOf(text)), catch: (refused) => refused as ScimRefused })
}

/** All values at a path. Where the path ends at objects, their `value` counts. */
const valuesAt = (resource: unknown, path: Path): ReadonlyArray<unknown> => {
  const step = (values: ReadonlyArray<unknown>, name: string): ReadonlyArray<unknown> =>
    values.flatMap((value) => {
      if (!isFields(value)) return name === "value" ? [value] : []
      const found = valueIn(value, name)
      return Array.isArray(found) ? found : found === undefined ? [] : [found]
    })
  return path.reduce(step, [resource])
}

const plainOf = (value: unknown): unknown => (isFields(value) ? valueIn(value, "value") : value)

const isTime = (value: unknown): boolean =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value) && !Number.isNaN(Date.parse(value))

/** Below, equal or above as a number; undefined where there is no order. */
const order = (one: unknown, other: Literal): number | undefined => {
  if (isTime(one) && isTime(other)) return Date.parse(String(one)) - Date.parse(String(other))
  if (typeof one === "number" && typeof other === "number") return one - other
  if (typeof one !== "string" || typeof other !== "string") return undefined
  return one < other ? -1 : one > other ? 1 : 0
}

/** Identifiers of other systems; everything else is compared without regard to case. */
const exact = new Set(["externalid"])

const compare = (found: unknown, operator: Operator, value: Literal): boolean => {
  if (operator === "eq") return found === value || (isTime(found) && isTime(value) && order(found, value) === 0)
  if (operator === "co" || operator === "sw" || operator === "ew") {
    if (typeof found !== "string" || typeof value !== "string") return false
    return operator === "co"
      ? found.includes(value)
      : operator === "sw"
        ? found.startsWith(value)
        : found.endsWith(value)
  }
  const between = order(found, value)
  if (between === undefined) return false
  return operator === "gt"
    ? between > 0
    : operator === "ge"
      ? between >= 0
      : operator === "lt"
        ? between < 0
        : between <= 0
}

/** Whether a resource is one that the filter asks for. */
export const matches = (filter: ScimFilter, resource: unknown): boolean => {
  switch (filter._tag) {
    case "All":
      return filter.filters.every((one) => matches(one, resource))
    case "Any":
      return filter.filters.some((one) => matches(one, resource))
    case "Not":
      return !matches(filter.filter, resource)
    case "Present":
      return valuesAt(resource, filter.path).some((value) => value !== "")
    case "Values":
      return valuesAt(resource, filter.path).some((value) =>
        matches(filter.filter, isFields(value) ? value : { value })
      )
    case "Compare": {
      const { operator, path, value } = filter
      const folded = (one: unknown) =>
        typeof one === "string" && !exact.has(path.join(".")) && !isTime(one) ? one.toLowerCase() : one
      const wanted = folded(value) as Literal
      const found = valuesAt(resource, path).map((one) => folded(plainOf(one)))
      if (operator === "ne") return !found.some((one) => compare(one, "eq", wanted))
      return wanted === null
        ? operator === "eq" && found.length === 0
        : found.some((one) => compare(one, operator, wanted))
    }
  }
}

/** The text that a filter asks for with `eq` alone, such as a user name: it can be looked up. */
export const equalTo = (filter: ScimFilter, name: string): string | undefined =>
  filter._tag === "Compare" &&
  filter.operator === "eq" &&
  filter.path.join(".") === name.toLowerCase() &&
  typeof filter.value === "string"
    ? filter.value
    : undefined

/** The fields that the equalities of a condition require, to create a value that fulfils it. */
export const stated = (filter: ScimFilter): Fields => {
  if (filter._tag === "All") return Object.assign({}, ...filter.filters.map(stated)) as Fields
  if (filter._tag !== "Compare" || filter.operator !== "eq" || filter.path.length !== 1) return {}
  return { [filter.path[0]!]: filter.value }
}
