/** Text as searches and sorting compare it: without case, accents and compatibility variants. */
import { clipped } from "./Line.ts"

/**
 * Folds a text: `Zürich`, `ZURICH` and `zürich` become `zurich`. Folding a folded text changes nothing, and a part of
 * a text folds to a part of the folded text unless it cuts a character in two.
 */
export const fold = (text: string): string =>
  // Through upper case, because it writes ß and ligatures out (ẞ only after lower case); the final sigma is the only letter that depends on its neighbours.
  decomposed(decomposed(text).toLowerCase().toUpperCase().toLowerCase()).replaceAll("ς", "σ")

const decomposed = (text: string): string => text.normalize("NFKD").replaceAll(/[\u0300-\u036F]/g, "")

/** The compared length of a name: longer than people distinguish, shorter than an index entry may be in UTF-8. */
const sortLength = 500

/** The sort key of a name: folded text with each number preceded by its count of digits, so that 2 comes before 10. */
export const sortKey = (name: string): string =>
  clipped(
    fold(name).replaceAll(/[0-9]+/g, (digits) => {
      const number = digits.slice(digits.search(/[1-9]|.$/))
      return `${String(number.length).padStart(3, "0")}${number}`
    }),
    sortLength
  )

/** Things that people named, in the order of their names, and of their ids where these are the same. */
export const byName = <A extends { readonly id: string; readonly name: string }>(
  all: ReadonlyArray<A>
): ReadonlyArray<A> => byNameAnd(({ id }: A) => id)(all)

/** The same for what is told apart by something else than an `id`. */
export const byNameAnd =
  <A extends { readonly name: string }>(idOf: (one: A) => string) =>
  (all: ReadonlyArray<A>): ReadonlyArray<A> =>
    all
      .map((one) => [sortKey(one.name), one] as const)
      .toSorted(([key, one], [other, next]) => compared(key, other) || compared(idOf(one), idOf(next)))
      .map(([, one]) => one)

const compared = (one: string, other: string): number => (one < other ? -1 : Number(one > other))

/** The fields of a configuration that say what is checked. */
export const targetNames: ReadonlyArray<string> = [
  "url",
  "host",
  "hostname",
  "server",
  "domain",
  "address",
  "target",
  "uri"
]

/** The searchable target of a configuration, without credentials and queries, which may be secret. */
export const targetOf = (config: Readonly<Record<string, unknown>>): string =>
  targetNames
    .flatMap((field) => {
      const value = Object.hasOwn(config, field) ? config[field] : undefined
      return typeof value === "string" ? [withoutSecrets(value)] : []
    })
    .join(" ")

const withoutSecrets = (address: string): string => {
  const url = address.includes("://") ? URL.parse(address) : null
  return url === null
    ? address.includes("@")
      ? ""
      : address.split("?")[0]!
    : `${url.protocol}//${url.host}${url.pathname}`
}

/** The searched text of a monitor, folded: its name, its target and its tags, on a line each. */
export const searchText = (monitor: {
  readonly name: string
  readonly target: string
  readonly tags: ReadonlyArray<string>
}): string => [monitor.name, monitor.target, ...monitor.tags].map(fold).join("\n")
