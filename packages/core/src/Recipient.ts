/**
 * The recipients of channels that send to any given address or number: their identity, and which phone numbers are
 * allowed, since the operator pays for them. Pure. Channels with a destination that the owner sets up (a webhook, a
 * chat token) have no recipient.
 */
import { mailboxOf, normalizeEmail } from "@kanmon/domain/EmailAddress"
import { Context, type Schema } from "effect"

export type RecipientKind = "email" | "phone"

/** The configuration fields that name the recipients. */
export interface RecipientField {
  readonly field: string
  /** An optional field with a list of further recipients. */
  readonly more?: string
  /** `email`: an e-mail address. `phone`: a number in E.164 form, for text messages and calls. */
  readonly kind: RecipientKind
}

export interface Recipient {
  readonly kind: RecipientKind
  /** As it was entered. */
  readonly text: string
  /** Normalized for comparison. */
  readonly address: string
  /** Normalized for counting messages per person. */
  readonly counted: string
}

/** The parts of a channel kind that decide about recipients. */
interface Kind {
  readonly recipient?: RecipientField | undefined
}

/** The recipients of a configuration, each once; none when its kind has none. */
export const recipientsOf = ({ recipient }: Kind, config: Schema.JsonObject): ReadonlyArray<Recipient> => {
  if (recipient === undefined) return []
  const more = recipient.more === undefined ? undefined : config[recipient.more]
  const texts = [config[recipient.field], ...(Array.isArray(more) ? more : [])]
  const all = texts.flatMap((text) => (typeof text === "string" ? [named(recipient.kind, text)] : []))
  return [...new Map(all.map((one) => [one.address, one])).values()]
}

/** The first recipient of a configuration; undefined when its kind has none. */
export const recipientOf = (kind: Kind, config: Schema.JsonObject): Recipient | undefined =>
  recipientsOf(kind, config)[0]

/** The configuration with which one recipient gets messages: it names no other. */
export const configFor = ({ recipient }: Kind, config: Schema.JsonObject, { text }: Recipient): Schema.JsonObject =>
  recipient === undefined
    ? config
    : {
        ...Object.fromEntries(Object.entries(config).filter(([field]) => field !== recipient.more)),
        [recipient.field]: text
      }

const named = (kind: RecipientKind, text: string): Recipient => {
  if (kind === "email")
    return { kind, text, address: `email:${normalizeEmail(text)}`, counted: `email:${mailboxOf(text)}` }
  const number = `phone:+${text.replaceAll(/\D/g, "")}`
  return { kind, text, address: number, counted: number }
}

/**
 * Prefixes without a country (ITU-T E.164, annex to the operational bulletin): satellite phones, international networks,
 * shared cost and premium services. Calls cost dollars a minute, and fraudsters may get part of it.
 */
const costly = ["+808", "+870", "+878", "+881", "+882", "+883", "+888", "+979", "+991"]

/** Why this number is not allowed; undefined when it is. `allowed` empty: every country. `setting` names them. */
export const phoneObjection = (
  number: string,
  allowed: ReadonlyArray<string>,
  setting = "KANMON_SMS_COUNTRIES"
): string | undefined => {
  const digits = `+${number.replaceAll(/\D/g, "")}`
  const within = (prefixes: ReadonlyArray<string>) => prefixes.some((prefix) => digits.startsWith(prefix))
  if (allowed.length > 0)
    return within(allowed)
      ? undefined
      : `This installation sends to numbers that start with ${allowed.join(", ")} (${setting})`
  return within(costly)
    ? `Satellite and premium numbers are refused; the operator can allow prefixes with ${setting}`
    : undefined
}

/** The operator's rules for recipients. */
export interface RecipientRules {
  /** Whether recipients must confirm before they get notifications. */
  readonly confirm: boolean
  /** Allowed number prefixes; empty: all but the costly ones. */
  readonly phonePrefixes: ReadonlyArray<string>
  /** The same for contact methods of people; without any the country of the number that sends. */
  readonly personPrefixes?: ReadonlyArray<string> | undefined
  /** Maximum alert messages per recipient of an account and hour. */
  readonly perHour: Readonly<Record<RecipientKind, number>>
}

export const RecipientPolicy = Context.Reference<RecipientRules>("@kanmon/core/RecipientPolicy", {
  defaultValue: () => ({ confirm: false, phonePrefixes: [], perHour: { email: 500, phone: 20 } })
})
