/** A user's nkey: an Ed25519 pair whose public half stands in the server's configuration and whose seed only its owner has. */
import { nkeys } from "@nats-io/nats-core"

export interface NatsKey {
  /** One line that begins with `SU`. Secret. */
  readonly seed: string
  /** The user's name for the server; begins with `U`. */
  readonly publicKey: string
}

const decoder = new TextDecoder()
const encoder = new TextEncoder()

export const make = (): NatsKey => {
  const pair = nkeys.createUser()
  return { seed: decoder.decode(pair.getSeed()), publicKey: pair.getPublicKey() }
}

/** The key in a file's text: the line with a user's seed, comments around it or not. */
export const find = (text: string): NatsKey | undefined => {
  const seed = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .find((line) => line.startsWith("SU"))
  if (seed === undefined) return undefined
  try {
    return { seed, publicKey: nkeys.fromSeed(encoder.encode(seed)).getPublicKey() }
  } catch {
    return undefined
  }
}

/** Where answers to this user arrive. Nobody else may listen there. */
export const inboxOf = (publicKey: string): string => `_INBOX.${publicKey}`
