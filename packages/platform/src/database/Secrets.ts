/**
 * Encryption of stored secrets: AES-256-GCM under a key derived (HKDF-SHA-256) from the installation's secret. Each value
 * carries a version and a random nonce, and is bound to the record it belongs to.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes
} from "node:crypto"
import { Context, Layer, Redacted } from "effect"

const version = "v1"
const nonceBytes = 12
const tagBytes = 16

export class Secrets extends Context.Service<
  Secrets,
  {
    /** Encrypts for one record; `belongsTo` names it and must be the same when decrypting. */
    readonly encrypt: (plain: string, belongsTo: string) => string
    /** Throws when the value was changed, belongs to another record, or was encrypted under another secret. */
    readonly decrypt: (stored: string, belongsTo: string) => string
    /** A keyed hash: equal values give equal digests, and guesses cannot be verified without the installation's secret. */
    readonly digest: (plain: string) => string
  }
>()("@kanmon/platform/database/Secrets") {
  static readonly layer = (secret: Redacted.Redacted): Layer.Layer<Secrets> =>
    Layer.sync(Secrets, () => {
      // Key objects: for raw bytes, Node prepares the key at each use, which costs six times as much as the digest.
      const key = createSecretKey(deriveKey(secret, "kanmon/store/secrets"))
      const digestKey = createSecretKey(deriveKey(secret, "kanmon/store/digests"))
      return Secrets.of({
        encrypt: (plain, belongsTo) => {
          const nonce = randomBytes(nonceBytes)
          const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(belongsTo))
          const encrypted = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()])
          return `${version}.${Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString("base64url")}`
        },
        decrypt: (stored, belongsTo) => {
          const bytes = Buffer.from(stored.slice(version.length + 1), "base64url")
          if (!stored.startsWith(`${version}.`)) throw new Error("The secret was stored by another version of Kanmon")
          const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes))
            .setAAD(Buffer.from(belongsTo))
            .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
          return decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, "utf8") + decipher.final("utf8")
        },
        digest: (plain) => createHmac("sha256", digestKey).update(plain).digest("base64url")
      })
    })
}

/** A 256-bit key for one purpose, derived from the installation's secret. */
export const deriveKey = (secret: Redacted.Redacted, purpose: string): Buffer =>
  Buffer.from(hkdfSync("sha256", Redacted.value(secret), "", purpose, 32))

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** A new API key: `km_` and 32 random bytes in base62, 43 characters. */
export const newApiKey = (): string => `km_${randomDigits()}`

/** A new API key of an organization: `kmo_` and 32 random bytes in base62. */
export const newOrganizationKey = (): string => `kmo_${randomDigits()}`

/** A new token for provisioning: `kms_` and 32 random bytes in base62. */
export const newScimToken = (): string => `kms_${randomDigits()}`

/** A new token for the signals of a passive monitor: 32 random bytes in base62. */
export const newSignalToken = (): string => randomDigits()

/** A new token of a calendar: 32 random bytes in base62. */
export const newCalendarToken = (): string => randomDigits()

/** A new token of an integration: 32 random bytes in base62. */
export const newInboundToken = (): string => randomDigits()

/** A new token of an invitation: 32 random bytes in base62. */
export const newInvitationToken = (): string => randomDigits()

const randomDigits = (): string => {
  let value = BigInt(`0x${randomBytes(32).toString("hex")}`)
  let digits = ""
  for (let place = 0; place < 43; place++) {
    digits = alphabet[Number(value % 62n)]! + digits
    value /= 62n
  }
  return digits
}

/** The digest by which a key or a token of ours is found. These have 256 random bits, so an unkeyed hash is enough. */
export const hashToken = (token: string): string => createHash("sha256").update(token).digest("base64url")
