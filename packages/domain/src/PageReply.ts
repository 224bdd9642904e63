/**
 * Answers that people give from their devices: the code that names a message in a text, what a text leads to, and when a call that no
 * one answered is repeated. Pure.
 */
import type { EpochMillis } from "./Timestamp.ts"

/** How a message to a person was answered at their device, or that it was not. */
export const replyStates = ["acknowledged", "escalated", "declined", "no_answer", "failed"] as const
export type ReplyState = (typeof replyStates)[number]

const digits = 8

/** A code of eight digits from six bytes or more of a keyed hash. */
export const codeFrom = (bytes: Uint8Array): string => {
  const number = bytes.subarray(0, 6).reduce((sum, byte) => sum * 256 + byte, 0)
  return String(number % 10 ** digits).padStart(digits, "0")
}

/** For how long a code and a key count, unless every alert is over before. */
export const validMillis = 7 * 86_400_000

/** Wrong codes of a number within an hour, after which it is ignored. */
export const mostWrong = 5
export const wrongMillis = 3_600_000

/** Answers to texts of a number that changed nothing, within a day and since one that did. */
export const mostIdle = 5
export const idleMillis = 86_400_000

/** A text from a number, as the host knows it. */
export interface Text {
  /** Whether it is the confirmed number of somebody. */
  readonly isKnown: boolean
  /** Whether it is a command. */
  readonly isCommand: boolean
  /** The message that its code names, of those to this number. */
  readonly message: string | undefined
  /** Wrong codes within `wrongMillis`. */
  readonly wrong: number
  /** Answers without an action within `idleMillis`, since the last action. */
  readonly idle: number
}

export type TextStep =
  /** Nothing is said, so that no one pays for texts of strangers, and machines do not answer each other. */
  | { readonly _tag: "Ignore" }
  /** The code is wrong. It counts, whether that is said or not. */
  | { readonly _tag: "Wrong"; readonly isSaid: boolean }
  | { readonly _tag: "Explain" }
  | { readonly _tag: "Act"; readonly message: string }

/** What a text leads to. */
export const textStep = ({ idle, isCommand, isKnown, message, wrong }: Text): TextStep => {
  if (!isKnown || wrong >= mostWrong) return { _tag: "Ignore" }
  const isSaid = idle < mostIdle
  if (!isCommand) return isSaid ? { _tag: "Explain" } : { _tag: "Ignore" }
  return message === undefined ? { _tag: "Wrong", isSaid } : { _tag: "Act", message }
}

/** A call that no one answered is repeated once, this long after it began. */
export const repeatMillis = 120_000

/** When a call is repeated that is known to be over at `now`. */
export const repeatAt = (sentAt: EpochMillis, now: EpochMillis): EpochMillis => Math.max(now, sentAt + repeatMillis)
