/**
 * Amounts of money. Inside they are whole minor units (cents), which add up; outside they are numbers as people write them,
 * such as 9.9. Only currencies whose minor units are beyond doubt are known.
 */
import { Schema } from "effect"

/** How many decimals each currency has. */
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

/** The whole minor units of an amount; none when it has a fraction of one. */
export const toMinor = (amount: number, currency: Currency): number | undefined => {
  const minor = Math.round(amount * 10 ** decimals[currency])
  return toAmount(minor, currency) === amount ? minor : undefined
}

/** The amount as people write it. */
export const toAmount = (minor: number, currency: Currency): number => minor / 10 ** decimals[currency]

/** How many decimals an amount may have. */
export const decimalsOf = (currency: Currency): number => decimals[currency]
