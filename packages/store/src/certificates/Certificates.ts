/**
 * The certificates of pages' own domains. Private keys are stored encrypted and leave only `Redacted`. A certificate that
 * cannot be decrypted, because the installation's secret is another one now, counts as none.
 */
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Secrets } from "../database/Secrets.ts"

/** A certificate as an authority gave it. */
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

export class Certificates extends Context.Service<
  Certificates,
  {
    /** Keeps it in the place of an older one. */
    readonly keep: (domain: string, certificate: Certificate) => Effect.Effect<void>
    /** The valid certificate of a domain that a page is served under. */
    readonly find: (domain: string) => Effect.Effect<StoredCertificate | undefined>
    /** Every domain that `find` would have one for, by what is written down. */
    readonly domains: Effect.Effect<ReadonlySet<string>>
  }
>()("@kanmon/store/certificates/Certificates") {
  static readonly layer = Layer.effect(
    Certificates,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* Secrets

      const keep: Certificates["Service"]["keep"] = Effect.fn("Certificates.keep")(function* (domain, certificate) {
        const { chain, key, notAfter, notBefore } = certificate
        const now = new Date(yield* Clock.currentTimeMillis)
        const sealed = secrets.encrypt(Redacted.value(key), ownerOfKey(domain))
        yield* sql`INSERT INTO custom_domains (name, chain, key_encrypted, not_before, not_after, issued_at, next_look_at)
          VALUES (${domain}, ${chain}, ${sealed}, ${new Date(notBefore)}, ${new Date(notAfter)}, ${now}, ${now})
          ON CONFLICT (name) DO UPDATE SET chain = excluded.chain, key_encrypted = excluded.key_encrypted,
            not_before = excluded.not_before, not_after = excluded.not_after, issued_at = excluded.issued_at`
      }, Effect.orDie)

      // What is served and what is redirected to must be the same, so one condition says both.
      const served = (now: Date) => sql`FROM custom_domains d JOIN status_pages p ON p.custom_domain = d.name
        WHERE p.custom_domain_status = 'active' AND d.not_after > ${now}`

      const find: Certificates["Service"]["find"] = Effect.fn("Certificates.find")(function* (domain) {
        const now = new Date(yield* Clock.currentTimeMillis)
        const [row] = yield* sql<CertificateRow>`SELECT d.* ${served(now)} AND d.name = ${domain}`
        if (row === undefined) return undefined
        const key = openKey(secrets, row)
        return key === undefined
          ? undefined
          : {
              chain: row.chain,
              key,
              notBefore: row.not_before.getTime(),
              notAfter: row.not_after.getTime(),
              issuedAt: row.issued_at.getTime()
            }
      }, Effect.orDie)

      const domains = Effect.gen(function* () {
        const now = new Date(yield* Clock.currentTimeMillis)
        const rows = yield* sql<{ name: string }>`SELECT d.name ${served(now)}`
        return new Set(rows.map(({ name }) => name))
      }).pipe(Effect.orDie, Effect.withSpan("Certificates.domains"))

      return Certificates.of({ keep, find, domains })
    })
  )
}

export interface CertificateRow {
  readonly name: string
  readonly chain: string
  readonly key_encrypted: string
  readonly not_before: Date
  readonly not_after: Date
  readonly issued_at: Date
}

const ownerOfKey = (domain: string): string => `certificate:${domain}`

/** The key in the clear; undefined when the installation's secret does not open it. */
export const openKey = (
  secrets: Secrets["Service"],
  row: Pick<CertificateRow, "name" | "key_encrypted">
): Redacted.Redacted | undefined => {
  try {
    return Redacted.make(secrets.decrypt(row.key_encrypted, ownerOfKey(row.name)), { label: "certificate key" })
  } catch {
    return undefined
  }
}
