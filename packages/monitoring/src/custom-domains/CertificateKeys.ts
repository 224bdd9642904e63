/** Private keys as they are stored: encrypted for what they belong to. */
import { Context, Effect, Layer, Redacted } from "effect"
import { Secrets } from "@kanmon/platform/database/Secrets"

/** The owner of a key: the certificate of a domain, or the account with a certificate authority. */
export type KeyOwner = `certificate:${string}` | `acme account:${string}`

export class CertificateKeys extends Context.Service<CertificateKeys>()(
  "@kanmon/monitoring/custom-domains/CertificateKeys",
  {
    make: Effect.map(Secrets, (secrets) => ({
      encrypt: (key: Redacted.Redacted, owner: KeyOwner) => secrets.encrypt(Redacted.value(key), owner),
      /** Undefined when the key was encrypted under another secret of the installation. */
      decrypt: (encrypted: string, owner: KeyOwner) => {
        try {
          return Redacted.make(secrets.decrypt(encrypted, owner), { label: "private key" })
        } catch {
          return undefined
        }
      }
    }))
  }
) {
  static readonly layer = Layer.effect(CertificateKeys, CertificateKeys.make)
}
