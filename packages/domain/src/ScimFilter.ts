/**
 * Filters of SCIM (RFC 7644, section 3.4.2.2), as far as identity providers use them: comparisons with `eq`, `ne`, `co`, `sw`, `ew` and
 * `pr`, joined by `and` or `or`, without parentheses.
 */

interface Comparison {
  /** In lower case, such as `username` or `emails.value`. */
  readonly path: string
  readonly operator: "eq" | "ne" | "co" | "sw" | "ew" | "pr"
  /** Absent for `pr`. */
  readonly value?: string | boolean | number | null
}

/** At least one group holds, of which every comparison does. */
export type ScimFilter = ReadonlyArray<ReadonlyArray<Comparison>>

const token = /\s*("(?:[^"\\]|\\.)*"|[^\s"]+)/y

/** The words of a filter; undefined when it cannot be read. A quoted text is one word. */
const wordsOf = (text: string): ReadonlyArray<string> | undefined => {
  const words: Array<string> = []
  token.lastIndex = 0
  while (token.lastIndex < text.trimEnd().length) {
    const match = token.exec(text)
    if (match === null || words.length > 60) return undefined
    words.push(match[1]!)
  }
  return words
}

const literal = (word: string): string | boolean | number | null | undefined => {
  try {
    const value: unknown = JSON.parse(/^(true|false|null)$/i.test(word) ? word.toLowerCase() : word)
    return typeof value === "object" && value !== null ? undefined : (value as string | boolean | number | null)
  } catch {
    return undefined
  }
}

const isOperator = (word: string): word is Comparison["operator"] => /^(eq|ne|co|sw|ew|pr)$/.test(word)

/** Reads a filter; undefined when it is not one that can be answered. */
export const parse = (text: string): ScimFilter | undefined => {
  const words = wordsOf(text)
  if (words === undefined || words.length === 0) return undefined
  const groups: Array<Array<Comparison>> = [[]]
  for (let at = 0; at < words.length; ) {
    const path = words[at]!.toLowerCase().replace(/^urn:ietf:params:scim:schemas:core:2\.0:(user|group):/, "")
    const operator = (words[at + 1] ?? "").toLowerCase()
    if (!/^[a-z$][\w$.-]*$/.test(path) || !isOperator(operator)) return undefined
    if (operator === "pr") {
      groups.at(-1)!.push({ path, operator })
      at += 2
    } else {
      const value = literal(words[at + 2] ?? "")
      if (value === undefined) return undefined
      groups.at(-1)!.push({ path, operator, value })
      at += 3
    }
    if (at >= words.length) break
    const joiner = words[at]!.toLowerCase()
    if (joiner === "or") groups.push([])
    else if (joiner !== "and") return undefined
    if (++at >= words.length) return undefined
  }
  return groups
}

/** A field by its name, whatever its case. */
const field = (of: unknown, name: string): ReadonlyArray<unknown> => {
  if (Array.isArray(of)) return of.flatMap((item) => field(item, name))
  if (typeof of !== "object" || of === null) return name === "value" && of !== undefined && of !== null ? [of] : []
  const key = Object.keys(of).find((key) => key.toLowerCase() === name)
  if (key === undefined) return []
  const value = (of as Record<string, unknown>)[key]
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]
}

const at = (resource: unknown, path: string): ReadonlyArray<unknown> =>
  path.split(".").reduce<ReadonlyArray<unknown>>((values, name) => values.flatMap((value) => field(value, name)), [resource])

const plain = (value: unknown): unknown => (typeof value === "string" ? value.toLowerCase() : value)

const holds = (resource: unknown, { operator, path, value }: Comparison): boolean => {
  const found = at(resource, path).map((one) =>
    typeof one === "object" && one !== null ? (field(one, "value")[0] ?? one) : one
  )
  if (operator === "pr") return found.length > 0
  if (operator === "ne") return !found.some((one) => plain(one) === plain(value))
  const text = String(plain(value))
  return found.some((one) => {
    if (operator === "eq") return plain(one) === plain(value)
    const whole = String(plain(one))
    return operator === "co" ? whole.includes(text) : operator === "sw" ? whole.startsWith(text) : whole.endsWith(text)
  })
}

/** Whether a resource is one that the filter asks for. Texts are compared without regard to case. */
export const matches = (filter: ScimFilter, resource: unknown): boolean =>
  filter.some((group) => group.every((comparison) => holds(resource, comparison)))

/** The value that a filter asks for with `eq` alone, such as a user name: it can be looked up. */
export const equalTo = (filter: ScimFilter, path: string): string | undefined => {
  const [only] = filter.length === 1 && filter[0]!.length === 1 ? filter[0]! : []
  return only?.operator === "eq" && only.path === path && typeof only.value === "string" ? only.value : undefined
}
