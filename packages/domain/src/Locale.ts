/** The languages in which Kanmon writes to people. */
import { Schema } from "effect"

/** The language of a person's mail and pages. */
export const Locale = Schema.Literals(["en", "de", "ja"])
export type Locale = typeof Locale.Type

export const isLocale = Schema.is(Locale)

/** At most this many are read: the header is written by the client. */
const maxRanges = 20

interface Range {
  readonly language: string
  readonly weight: number
}

/** One of `de-CH;q=0.8`. A weight that is no number counts as none. */
const rangeOf = (text: string): Range => {
  const [tag = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase())
  const stated = parameters.find((parameter) => parameter.startsWith("q="))
  const weight = stated === undefined ? 1 : Number(stated.slice(2))
  return { language: tag.split("-")[0]!, weight: Number.isFinite(weight) ? weight : 0 }
}

/** The first language of an `Accept-Language` header (RFC 9110, section 12.5.4) in which we write; undefined without any. */
export const acceptedLocale = (acceptLanguage: string | null | undefined): Locale | undefined =>
  (acceptLanguage ?? "")
    .split(",", maxRanges)
    .map(rangeOf)
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ language }) => language)
    .find(isLocale)

/** The language for a reader: the chosen one, else the first that the request accepts, else English. */
export const localeFor = (chosen: unknown, acceptLanguage?: string | null): Locale =>
  isLocale(chosen) ? chosen : (acceptedLocale(acceptLanguage) ?? "en")
