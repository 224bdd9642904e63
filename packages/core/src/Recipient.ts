/**
 * The recipients of channels that send to any given address or number: their identity, and which phone numbers are allowed,
 * since the operator pays for them. Pure. Channels whose destination its owner sets up (a webhook, a chat token) have no
 * recipient.
 */
import { mailboxOf, normalizeEmail } from "@kanmon/domain/EmailAddress"
import { Context, type Schema } from "effect"

export type RecipientKind = "email" | "phone"

/** The configuration field that names the recipient. */
export interface RecipientField {
  readonly field: string
  /** `email`: an e-mail address. `phone`: a number in E.164 form, for text messages and calls. */
  readonly kind: RecipientKind
}

export interface Recipient {
  readonly kind: RecipientKind
  /** Normalized for comparison. */
  readonly address: string
  /** Normalized for counting messages per person. */
  readonly counted: string
}

/** The recipient of a configuration; undefined when its kind has none. */
export const recipientOf = (
  { recipient }: { readonly recipient?: RecipientField | undefined },
  config: Schema.JsonObject
): Recipient | undefined => {
  const value = recipient === undefined ? undefined : config[recipient.field]
  if (recipient === undefined || typeof value !== "string") return undefined
  if (recipient.kind === "email")
    return { kind: "email", address: `email:${normalizeEmail(value)}`, counted: `email:${mailboxOf(value)}` }
  const number = `phone:+${value.replaceAll(/\D/g, "")}`
  return { kind: "phone", address: number, counted: number }
}

/**
 * Prefixes without a country (ITU-T E.164, annex to the operational bulletin): satellite phones, international networks,
 * shared cost and premium services. Calls cost dollars a minute, and fraudsters may get part of it.
 */
const costly = ["+808", "+870", "+878", "+881", "+882", "+883", "+888", "+979", "+991"]

/** Why this number is not allowed; undefined when it is. `allowed` empty: every country. */
export const phoneObjection = (number: string, allowed: ReadonlyArray<string>): string | undefined => {
  const digits = `+${number.replaceAll(/\D/g, "")}`
  const within = (prefixes: ReadonlyArray<string>) => prefixes.some((prefix) => digits.startsWith(prefix))
  if (allowed.length > 0)
    return within(allowed)
      ? undefined
      : `This installation sends to numbers that start with ${allowed.join(", ")} (KANMON_SMS_COUNTRIES)`
  return within(costly)
    ? "Satellite and premium numbers are refused; the operator can allow prefixes with KANMON_SMS_COUNTRIES"
    : undefined
}

/** The operator's rules for recipients. */
export interface RecipientRules {
  /** Whether recipients must confirm before they get notifications. */
  readonly confirm: boolean
  /** Allowed number prefixes; empty: all but the costly ones. */
  readonly phonePrefixes: ReadonlyArray<string>
  /** Maximum alert messages per recipient of an account and hour. */
  readonly perHour: Readonly<Record<RecipientKind, number>>
}

export const RecipientPolicy = Context.Reference<RecipientRules>("@kanmon/core/RecipientPolicy", {
  defaultValue: () => ({ confirm: false, phonePrefixes: [], perHour: { email: 500, phone: 20 } })
})
