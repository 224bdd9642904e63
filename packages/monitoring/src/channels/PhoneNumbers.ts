/**
 * Premium phone numbers, which are refused as recipients: the called party sets and shares in the price of a message or
 * a call. The kinds of numbers are those of Google's libphonenumber.
 */
import { phoneObjection } from "@kanmon/core/Recipient"
import { Effect } from "effect"
import type { NumberType } from "libphonenumber-js/max"

/** Personal numbers (+44 70, +1 500) forward to anywhere, at a premium price. */
const costly: ReadonlySet<NumberType> = new Set(["PREMIUM_RATE", "SHARED_COST", "PERSONAL_NUMBER"])

/** E.164 has at most 15 digits. */
const most = 15
/** Digits that a shorter number may lack, and a longer one has too many. */
const lacking = 4
const surplus = 5
const fillings = ["0", "2", "5", "9"]

/** The metadata is large, and most installations send no text messages. */
const library = Effect.runSync(Effect.cached(Effect.promise(() => import("libphonenumber-js/max"))))

/**
 * Numbers of which this could be a part, or that it begins with: networks ignore digits too many, and price by the first ones. Only
 * for numbers that are of no kind as they are.
 */
const similar = (digits: string): ReadonlyArray<string> => [
  ...Array.from({ length: surplus }, (_, index) => digits.slice(0, -1 - index)),
  ...fillings.flatMap((digit) => Array.from({ length: lacking }, (_, index) => digits + digit.repeat(index + 1)))
]

/** In North America an exchange, and not the area, marks premium services: +1 212 976 0123. The metadata does not know it. */
const exchange = { country: "1", at: 4, digits: "976" } as const

const isOfExchange = (digits: string): boolean =>
  digits.startsWith(exchange.country) && digits.startsWith(exchange.digits, exchange.at)

/** Whether a number costs more than usual, and how many digits say where it belongs: country, network, or an exchange there. */
const priced = Effect.fnUntraced(function* (number: string) {
  const { parsePhoneNumberFromString: parse } = yield* library
  const digits = number.replaceAll(/\D/g, "").slice(0, most)
  const kindOf = (text: string): NumberType => parse(`+${text}`)?.getType()
  const kind = kindOf(digits)
  const kinds = kind === undefined ? similar(digits).map(kindOf) : [kind]
  const isPremiumExchange = isOfExchange(digits)
  const code = String(parse(`+${digits}`)?.countryCallingCode ?? "")
  return {
    isCostly: isPremiumExchange || kinds.some((one) => costly.has(one)),
    general: isPremiumExchange ? exchange.at + exchange.digits.length - 1 : code.length
  }
})

const premium = (setting: string): string =>
  `Premium, shared-cost and personal numbers are refused; the operator can allow a prefix of them with ${setting}`

/** The prefix of a number's country, such as `+49`; undefined for a number that is none. */
export const prefixOf = Effect.fn("PhoneNumbers.prefixOf")(function* (number: string) {
  const { parsePhoneNumberFromString: parse } = yield* library
  const code = parse(number)?.countryCallingCode
  return code === undefined ? undefined : `+${code}`
})

/**
 * Why a number may not receive messages; undefined when it may. `allowed` empty: every country. A prefix allows such numbers only
 * when it says more than the country: `+1` does not mean `+1 900`. `setting` is where the operator allows prefixes.
 */
export const objectionTo = Effect.fn("PhoneNumbers.objectionTo")(function* (
  number: string,
  allowed: ReadonlyArray<string>,
  setting = "KANMON_SMS_COUNTRIES"
) {
  const objection = phoneObjection(number, allowed, setting)
  if (objection !== undefined) return objection
  const { general, isCostly } = yield* priced(number)
  if (!isCostly) return undefined
  const digits = `+${number.replaceAll(/\D/g, "")}`
  const isMeant = allowed.some((prefix) => digits.startsWith(prefix) && prefix.length > general + 1)
  return isMeant ? undefined : premium(setting)
})
