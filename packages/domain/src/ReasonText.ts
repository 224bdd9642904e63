/**
 * Reasons as sentences, from a catalogue of one language. Pure and without imports, so that the dashboard uses it too.
 *
 * A text has parameters in braces: `{host}` as it is; `{at:utc}`, an instant to the second; `{at:day}`, its day; `{at:iso}`, as it
 * is written; `{settings:and}`, a list. `{@stage}` is a part of the sentence from the same catalogue: `stage.dns` if the parameter
 * `stage` is `dns`, and nothing without that parameter.
 */

/** A code, and what its sentence names. */
export interface PlainExplanation {
  readonly code: string
  readonly parameters: Readonly<Record<string, string | number>>
}

/** A reason; `because` is the reason of it, which follows after a colon. */
export interface Explanation extends PlainExplanation {
  readonly because?: PlainExplanation
}

/** The sentences of one language by code, and their parts by `name.value`. */
export interface ReasonCatalogue {
  readonly texts: Readonly<Record<string, string>>
  /** The decimal mark. */
  readonly decimal: string
  /** Between the last two of a list. */
  readonly and: string
}

/** How instants are written; to the second in UTC, and days in UTC, unless given. */
export interface ReasonTimes {
  readonly instant?: ((at: number) => string) | undefined
  readonly day?: ((at: number) => string) | undefined
}

const placeholder = /\{(@?)([A-Za-z]{1,40})(?::([a-z]{1,10}))?\}/g

/** Parts may have parts. */
const deepest = 3

/** The sentence; undefined for a code, a part or a parameter that the catalogue or the reason does not have: another version wrote it. */
export const sentence = (
  catalogue: ReasonCatalogue,
  { because, code, parameters }: Explanation,
  times: ReasonTimes = {}
): string | undefined => {
  if (code.includes(".")) return undefined
  const first = filled(catalogue, code, parameters, times, 0)
  if (first === undefined || because === undefined) return first
  const second = sentence(catalogue, because, times)
  return second === undefined ? undefined : `${first}: ${second}`
}

const filled = (
  catalogue: ReasonCatalogue,
  key: string,
  parameters: Explanation["parameters"],
  times: ReasonTimes,
  depth: number
): string | undefined => {
  const text = own(catalogue.texts, key)
  if (text === undefined || depth > deepest) return undefined
  let isWhole = true
  const put = text.replace(placeholder, (_, part: string, name: string, kind: string | undefined) => {
    const value = own(parameters, name)
    if (part !== "" && value === undefined) return ""
    const shown =
      value === undefined
        ? undefined
        : part === ""
          ? shownAs(catalogue, value, kind, times)
          : filled(catalogue, `${name}.${value}`, parameters, times, depth + 1)
    if (shown === undefined) isWhole = false
    return shown ?? ""
  })
  return isWhole ? put : undefined
}

const own = <Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined

const shownAs = (
  { and, decimal }: ReasonCatalogue,
  value: string | number,
  kind: string | undefined,
  { day, instant }: ReasonTimes
): string | undefined => {
  if (typeof value === "number") return String(value).replace(".", decimal)
  switch (kind) {
    case "and":
      return value.split(",").join(and)
    case "utc":
    case "iso":
    case "day": {
      const at = isInstant.test(value.slice(0, 40)) ? Date.parse(value) : Number.NaN
      if (Number.isNaN(at)) return undefined
      const write = kind === "day" ? day : instant
      if (write !== undefined) return write(at)
      if (kind === "iso") return value
      return kind === "utc" ? `${value.slice(0, 19).replace("T", " ")} UTC` : value.slice(0, 10)
    }
    default:
      return value
  }
}

const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/
