/** Private keys as they are stored: encrypted for what they belong to. */
import { Context, Effect, Layer, Redacted } from "effect"
import { Secrets } from "@kanmon/platform/database/Secrets"

/** The owner of a key: the certificate of a domain, or the account with a certificate authority. */
export type KeyOwner = `certificate:${string}` | `acme account:${string}`

export class CertificateKeys extends Context.Service<
  CertificateKeys,
  {
    readonly encrypt: (key: Redacted.Redacted, owner: KeyOwner) => string
    /** Undefined when the key was encrypted under another secret of the installation. */
    readonly decrypt: (encrypted: string, owner: KeyOwner) => Redacted.Redacted | undefined
  }
>()("@kanmon/monitoring/custom-domains/CertificateKeys") {
  static readonly layer = Layer.effect(
    CertificateKeys,
    Effect.map(Secrets, (secrets) =>
      CertificateKeys.of({
        encrypt: (key, owner) => secrets.encrypt(Redacted.value(key), owner),
        decrypt: (encrypted, owner) => {
          try {
            return Redacted.make(secrets.decrypt(encrypted, owner), { label: "private key" })
          } catch {
            return undefined
          }
        }
      })
    )
  )
}
