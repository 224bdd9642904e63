/**
 * Hashes of passwords: Argon2id of Node's own crypto, with the parameters that OWASP names first (19 MiB, two passes). Hashes
 * of earlier releases were Better Auth's scrypt; they stay valid, and are replaced when their owner signs in.
 */
import * as crypto from "node:crypto"
import { verifyPassword as verifyScrypt } from "better-auth/crypto"
import { Context } from "effect"

/** Parameters of Argon2id. Memory in KiB. */
export interface Cost {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

/** Cost of a new hash. A stored hash names its own, so it can be raised. Only tests set another one. */
export const NewHashCost = Context.Reference<Cost>("@kanmon/identity/accounts/NewHashCost", {
  defaultValue: () => ({ memory: 19_456, passes: 2, parallelism: 1 })
})

/** The highest cost that a stored hash may have, so that a manipulated row cannot exhaust memory. */
const most: Cost = { memory: 1_048_576, passes: 16, parallelism: 16 }

const saltBytes = 16
const hashBytes = 32

/** How new hashes begin. */
export const prefix = "$argon2id$"

const pattern = /^\$argon2id\$v=19\$m=(\d{1,9}),t=(\d{1,4}),p=(\d{1,4})\$([\w+/-]{11,86})\$([\w+/-]{43,86})$/

interface Stored {
  readonly cost: Cost
  readonly salt: Buffer
  readonly hash: Buffer
}

const read = (text: string): Stored | undefined => {
  const [, memory, passes, parallelism, salt, hash] = pattern.exec(text) ?? []
  if (salt === undefined || hash === undefined) return undefined
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const isFit =
    cost.memory >= 8 * cost.parallelism &&
    cost.memory <= most.memory &&
    cost.passes >= 1 &&
    cost.passes <= most.passes &&
    cost.parallelism >= 1 &&
    cost.parallelism <= most.parallelism
  return isFit ? { cost, salt: Buffer.from(salt, "base64"), hash: Buffer.from(hash, "base64") } : undefined
}

/** Runs on a thread of Node's pool. A password counts as the same however its accents are encoded. */
const derive = (password: string, salt: Buffer, { memory, parallelism, passes }: Cost, length: number) =>
  new Promise<Buffer>((resolve, reject) => {
    const message = password.normalize("NFKC")
    crypto.argon2("argon2id", { message, nonce: salt, memory, passes, parallelism, tagLength: length }, (error, key) =>
      error === null ? resolve(key) : reject(error)
    )
  })

const text = (bytes: Buffer): string => bytes.toString("base64").replace(/={1,2}$/, "")

/** A hash of a password, in the form of PHC strings. */
export const make = async (password: string, cost: Cost): Promise<string> => {
  const salt = crypto.randomBytes(saltBytes)
  const { memory, parallelism, passes } = cost
  const hash = await derive(password, salt, cost, hashBytes)
  return `${prefix}v=19$m=${memory},t=${passes},p=${parallelism}$${text(salt)}$${text(hash)}`
}

/** Whether it is the password of a hash. Rejects a hash that is none. */
export const verify = async (hash: string, password: string): Promise<boolean> => {
  if (!hash.startsWith("$")) return verifyScrypt({ hash, password })
  const stored = read(hash)
  if (stored === undefined) throw new Error("Invalid password hash")
  const derived = await derive(password, stored.salt, stored.cost, stored.hash.length)
  return crypto.timingSafeEqual(derived, stored.hash)
}

/** Whether a hash was made with other parameters than new ones are. */
export const isOutdated = (hash: string, cost: Cost): boolean => {
  const stored = read(hash)?.cost
  return stored?.memory !== cost.memory || stored.passes !== cost.passes || stored.parallelism !== cost.parallelism
}

/** Takes as long as looking at a hash of an earlier release. */
export const spendAsBefore = async (password: string): Promise<void> => {
  await verifyScrypt({ hash: `${"0".repeat(32)}:${"0".repeat(128)}`, password })
}
