/** A user's nkey: an Ed25519 key pair. The public half is part of the server's configuration; only the owner has the seed. */
import { nkeys } from "@nats-io/nats-core"

export interface NatsKey {
  /** One line that starts with `SU`. Secret. */
  readonly seed: string
  /** Identifies the user to the server; starts with `U`. */
  readonly publicKey: string
}

const decoder = new TextDecoder()
const encoder = new TextEncoder()

export const make = (): NatsKey => {
  const pair = nkeys.createUser()
  return { seed: decoder.decode(pair.getSeed()), publicKey: pair.getPublicKey() }
}

/** Finds the key in a file: the line with a user's seed, with or without comments around it. */
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

/** Whether a text is meant as a key, and not as the path of a file with one. */
export const isKey = (text: string): boolean => /^SU[A-Z2-7]{20,100}$/.test(text)

/** The reply inbox of this user. Other users may not subscribe to it. */
export const inboxOf = (publicKey: string): string => `_INBOX.${publicKey}`
