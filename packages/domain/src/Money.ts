/**
 * Amounts of money. Internally they are whole minor units (cents), which add up exactly; externally they are decimal
 * numbers such as 9.9. Only currencies with undisputed minor units are supported.
 */
import { Schema } from "effect"

/** Number of decimals per currency. */
const decimals = {
  AUD: 2,
  CAD: 2,
  CHF: 2,
  CZK: 2,
  DKK: 2,
  EUR: 2,
  GBP: 2,
  JPY: 0,
  NOK: 2,
  NZD: 2,
  PLN: 2,
  SEK: 2,
  USD: 2
} as const

const currencies = Object.keys(decimals) as ReadonlyArray<keyof typeof decimals>

/** ISO 4217, in capitals. */
export const Currency = Schema.Literals(currencies).annotate({
  description: "ISO 4217",
  message: `Expected one of ${currencies.join(", ")}`
})
export type Currency = typeof Currency.Type

/** Converts an amount to whole minor units; undefined when it has a fraction of one. */
export const toMinor = (amount: number, currency: Currency): number | undefined => {
  const minor = Math.round(amount * 10 ** decimals[currency])
  return toAmount(minor, currency) === amount ? minor : undefined
}

/** Converts minor units to a decimal amount. */
export const toAmount = (minor: number, currency: Currency): number => minor / 10 ** decimals[currency]

/** The number of decimals an amount may have. */
export const decimalsOf = (currency: Currency): number => decimals[currency]
