/** Standard Webhooks: `webhook-signature: v1,<base64 of HMAC-SHA-256 over id.timestamp.body>`. */
import { createHmac } from "node:crypto"

const prefix = "whsec_"

/** Key lengths of symmetric secrets in Standard Webhooks, in bytes. */
const shortest = 24
const longest = 64

/**
 * Why a new secret is invalid; undefined when it is valid. After `whsec_` it is the key in base64, which receivers'
 * libraries decode; any other text is the key itself.
 */
export const objection = (secret: string): string | undefined => {
  if (!secret.startsWith(prefix)) return undefined
  const text = secret.slice(prefix.length)
  const key = Buffer.from(text, "base64")
  // Node ignores invalid base64; receivers' libraries reject it.
  return key.toString("base64") === text && key.length >= shortest && key.length <= longest
    ? undefined
    : `Expected ${prefix} and ${shortest} to ${longest} bytes in base64, with padding, or a text without this prefix`
}

const keyOf = (secret: string): Buffer =>
  secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), "base64") : Buffer.from(secret)

/** Id and time are sent with and without a secret: receivers detect repetitions by the id. */
export const signed = (message: {
  readonly id: string
  /** Unix time of this attempt. */
  readonly seconds: number
  readonly payload: string
  readonly secret: string | undefined
}): Readonly<Record<string, string>> => {
  const { id, payload, seconds, secret } = message
  const plain = { "webhook-id": id, "webhook-timestamp": String(seconds) }
  if (secret === undefined) return plain
  const signature = createHmac("sha256", keyOf(secret)).update(`${id}.${seconds}.${payload}`).digest("base64")
  return { ...plain, "webhook-signature": `v1,${signature}` }
}
