/**
 * The certificates of custom domains. Private keys are stored encrypted and leave this service only as `Redacted`. A
 * certificate that cannot be decrypted, because the installation's secret has changed, counts as missing.
 */
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer, type Redacted } from "effect"
import { CertificateKeys } from "./CertificateKeys.ts"
import { CertificateRepository } from "./CertificateRepository.ts"

/** A certificate as an authority issued it. */
export interface Certificate {
  /** PEM, the domain's own first. */
  readonly chain: string
  /** PEM. */
  readonly key: Redacted.Redacted
  readonly notBefore: EpochMillis
  readonly notAfter: EpochMillis
}

export interface StoredCertificate extends Certificate {
  readonly issuedAt: EpochMillis
}

export class Certificates extends Context.Service<Certificates>()("@kanmon/monitoring/custom-domains/Certificates", {
  make: Effect.gen(function* () {
    const repository = yield* CertificateRepository
    const keys = yield* CertificateKeys

    /** Stores a certificate in place of an older one. */
    const keep = Effect.fn("Certificates.keep")(function* (domain: string, certificate: Certificate) {
      const { chain, key, notAfter, notBefore } = certificate
      const keyEncrypted = keys.encrypt(key, `certificate:${domain}`)
      yield* repository.save(domain, {
        chain,
        keyEncrypted,
        notBefore,
        notAfter,
        issuedAt: yield* Clock.currentTimeMillis
      })
    })

    /** The valid certificate of a domain under which a page is served. */
    const find = Effect.fn("Certificates.find")(function* (domain: string) {
      const found = yield* repository.findServed(domain, yield* Clock.currentTimeMillis)
      if (found === undefined) return undefined
      const { keyEncrypted, ...certificate } = found
      const key = keys.decrypt(keyEncrypted, `certificate:${domain}`)
      return key === undefined ? undefined : { ...certificate, key }
    })

    /** Every domain with such a certificate, whether it can be decrypted or not. */
    const domains = Clock.currentTimeMillis.pipe(
      Effect.flatMap(repository.servedDomains),
      Effect.map((names) => new Set(names)),
      Effect.withSpan("Certificates.domains")
    )

    return { keep, find, domains }
  })
}) {
  static readonly layer = Layer.effect(Certificates, Certificates.make).pipe(
    Layer.provide([CertificateRepository.layer, CertificateKeys.layer])
  )
}
