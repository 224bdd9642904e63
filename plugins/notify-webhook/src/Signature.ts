/** Standard Webhooks: `webhook-signature: v1,<base64 of HMAC-SHA-256 over id.timestamp.body>`. */
import { createHmac } from "node:crypto"

const prefix = "whsec_"

const keyOf = (secret: string): Buffer =>
  secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), "base64") : Buffer.from(secret)

/** Id and time are sent with and without a secret: receivers find repetitions by the id. */
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
