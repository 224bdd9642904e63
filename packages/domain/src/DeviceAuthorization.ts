/**
 * Device authorization (RFC 8628): the codes that a person types, and how often a program may ask whether they were approved.
 * Pure.
 */
import type { EpochMillis } from "./Timestamp.ts"

/** No vowels, so that no words arise, and nothing that is easily confused (RFC 8628 §6.1). */
const alphabet = "BCDFGHJKLMNPQRSTVWXZ"
const length = 8

/** For how long a code can be approved, in seconds. */
export const codeLifetime = 600
/** How often a program may ask, in seconds, unless it was told to slow down. */
export const firstInterval = 5
/** The seconds that each early poll adds to the interval (RFC 8628 §3.5). */
const slowDownBy = 5
/** For how long the token of a program is valid, in days. */
export const tokenLifetimeDays = 90

/** Bytes that a code is made from: enough that too few of them are usable less than once in 10^14 times. */
export const codeBytes = 32

/** Every letter is as likely as the others: bytes at the end, which would favour the first letters, are left out. */
export const codeOf = (random: Uint8Array): string | undefined => {
  const usable = [...random].filter((byte) => byte < 256 - (256 % alphabet.length))
  if (usable.length < length) return undefined
  return usable
    .slice(0, length)
    .map((byte) => alphabet[byte % alphabet.length]!)
    .join("")
}

/** A code as it is shown: `WDJB-MJHT`. */
export const shown = (code: string): string => `${code.slice(0, length / 2)}-${code.slice(length / 2)}`

/** The code that a person typed, in any case and with any punctuation; undefined when it cannot be one. */
export const typed = (text: string): string | undefined => {
  const code = text.replaceAll(/[\s\p{P}]/gu, "").toUpperCase()
  return code.length === length && [...code].every((letter) => alphabet.includes(letter)) ? code : undefined
}

/** The state of the polls so far. */
export interface Polling {
  /** In seconds. */
  readonly interval: number
  readonly lastAskedAt: EpochMillis | undefined
}

/** Decides on a question while the person has not answered: it is in time, or the interval grows. */
export const asked = (
  { interval, lastAskedAt }: Polling,
  now: EpochMillis
): { readonly tooEarly: boolean; readonly next: Polling } => {
  // Half a second for clocks and networks that are not exact.
  const tooEarly = lastAskedAt !== undefined && now < lastAskedAt + interval * 1000 - 500
  return { tooEarly, next: { interval: tooEarly ? interval + slowDownBy : interval, lastAskedAt: now } }
}
