/**
 * The people behind channels that send to whatever address or number they are given: who they are, and which numbers an
 * operator pays for. Pure. Channels whose destination is set up by its owner (a webhook, a chat's token) have no recipient.
 */
import { mailboxOf, normalizeEmail } from "@kanmon/domain/EmailAddress"
import { Context, type Schema } from "effect"

export type RecipientKind = "email" | "phone"

/** Which field of a configuration names the recipient. */
export interface RecipientField {
  readonly field: string
  /** `email`: an e-mail address. `phone`: a number in international form (E.164), for text messages and calls. */
  readonly kind: RecipientKind
}

export interface Recipient {
  readonly kind: RecipientKind
  /** In the form in which recipients are compared. */
  readonly address: string
  /** In the form in which messages to one person are counted. */
  readonly counted: string
}

/** Whom a configuration sends to; undefined when its kind has no recipient. */
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
 * shared cost and premium services. Calls to them cost dollars a minute, and part of it may go to whoever asked for them.
 */
const costly = ["+808", "+870", "+878", "+881", "+882", "+883", "+888", "+979", "+991"]

/** Why this number may not be sent to; undefined when it may. `allowed` empty: every country. */
export const phoneObjection = (number: string, allowed: ReadonlyArray<string>): string | undefined => {
  const digits = `+${number.replaceAll(/\D/g, "")}`
  const within = (prefixes: ReadonlyArray<string>) => prefixes.some((prefix) => digits.startsWith(prefix))
  if (allowed.length > 0)
    return within(allowed)
      ? undefined
      : `This installation sends to numbers that begin with ${allowed.join(", ")} (KANMON_SMS_COUNTRIES)`
  return within(costly)
    ? "Satellite and premium numbers are refused; the operator can allow prefixes with KANMON_SMS_COUNTRIES"
    : undefined
}

/** What the operator decided about recipients. */
export interface RecipientRules {
  /** Recipients confirm that they want notifications before they get any. */
  readonly confirm: boolean
  /** Prefixes of numbers that may be sent to; empty: all but the costly ones. */
  readonly phonePrefixes: ReadonlyArray<string>
  /** Alert messages to one recipient of an account, an hour. */
  readonly perHour: Readonly<Record<RecipientKind, number>>
}

export const RecipientPolicy = Context.Reference<RecipientRules>("@kanmon/core/RecipientPolicy", {
  defaultValue: () => ({ confirm: false, phonePrefixes: [], perHour: { email: 500, phone: 20 } })
})
