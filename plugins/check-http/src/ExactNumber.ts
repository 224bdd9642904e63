/**
 * Numbers in JSON that a double does not hold, such as ids above 2^53: they are compared by their text. Pure, and loaded in the
 * evaluator's processes, so it imports nothing from the host.
 */

/** A number as it was written. */
export class ExactNumber {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  toString(): string {
    return this.text
  }
  toJSON(): string {
    return this.text
  }
}

const decimal = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,6}))?$/i

/** One text for each number, however it is written; undefined for what is no number in JSON's notation. */
export const canonical = (text: string): string | undefined => {
  const [whole, sign = "", integer = "", fraction = "", exponent = "0"] = decimal.exec(text) ?? []
  if (whole === undefined) return undefined
  const digits = trimmed(`${integer}${fraction}`)
  return digits.significant === ""
    ? "0"
    : `${sign}${digits.significant}e${Number(exponent) - fraction.length + digits.zeros}`
}

/** Digits without the zeros at both ends, and how many were at the end. By loops: an expression takes quadratic time. */
const trimmed = (digits: string): { readonly significant: string; readonly zeros: number } => {
  let [start, end] = [0, digits.length]
  while (start < end && digits[start] === "0") start++
  while (end > start && digits[end - 1] === "0") end--
  return { significant: digits.slice(start, end), zeros: digits.length - end }
}

/** Whether a double holds the number that a text stands for. */
export const isHeld = (text: string, value: number): boolean => canonical(text) === canonical(String(value))

/** A document can only have such a number where there are this many digits, or an exponent. */
const suspicious = /\d[\d.]{15}|\d[eE]/

type Reviver = (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown

const exact: Reviver = (_key, value, { source }) =>
  typeof value === "number" && source !== undefined && !isHeld(source, value) ? new ExactNumber(source) : value

/** The document with its numbers as they are written, where a double does not hold them; undefined when all are held. */
export const parse = (text: string): unknown =>
  suspicious.test(text) ? JSON.parse(text, exact as Parameters<typeof JSON.parse>[1]) : undefined

/** The value at the place of another document of the same text. */
export const at = (document: unknown, place: ReadonlyArray<number | string>): unknown =>
  place.reduce<unknown>((value, key) => (value as Readonly<Record<number | string, unknown>>)[key], document)

/**
 * Whether a found value equals an expected one. A number that a double does not hold equals its text alone; an expected number
 * of that size was rounded when it was stored, and is compared as before.
 */
export const equal = (found: unknown, expected: unknown): boolean => {
  if (found instanceof ExactNumber)
    return typeof expected === "string"
      ? canonical(expected) === canonical(found.text)
      : typeof expected === "number" && !isSafe(expected) && Number(found.text) === expected
  if (Array.isArray(found))
    return (
      Array.isArray(expected) &&
      found.length === expected.length &&
      found.every((value, index) => equal(value, expected[index]))
    )
  if (typeof found !== "object" || found === null) return Object.is(found, expected) || found === expected
  if (typeof expected !== "object" || expected === null || Array.isArray(expected)) return false
  const [keys, others] = [Object.keys(found), Object.keys(expected)]
  return (
    keys.length === others.length &&
    keys.every((key) => Object.hasOwn(expected, key) && equal(valueOf(found, key), valueOf(expected, key)))
  )
}

const valueOf = (object: object, key: string): unknown => (object as Readonly<Record<string, unknown>>)[key]

/** Whether every number near it is told from it. */
const isSafe = (value: number): boolean => Math.abs(value) <= Number.MAX_SAFE_INTEGER || !Number.isFinite(value)

/** Bodies of requests are not nested deeper. */
const maxDepth = 64

/** Whether a value has a number that was rounded when it was read. */
export const hasRounded = (value: unknown, depth = 0): boolean =>
  typeof value === "number"
    ? !isSafe(value)
    : typeof value === "object" &&
      value !== null &&
      depth < maxDepth &&
      Object.values(value).some((inner) => hasRounded(inner, depth + 1))
