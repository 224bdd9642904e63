/** The certificates in the table `custom_domains`, with their keys encrypted. */
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

const CertificateRow = Schema.Struct({
  chain: Schema.String,
  keyEncrypted: Schema.String,
  notBefore: Rows.Time,
  notAfter: Rows.Time,
  issuedAt: Rows.Time
}).pipe(
  Schema.encodeKeys({
    keyEncrypted: "key_encrypted",
    notBefore: "not_before",
    notAfter: "not_after",
    issuedAt: "issued_at"
  })
)
/** A certificate as it is stored. */
type EncryptedCertificate = typeof CertificateRow.Type

const NameRow = Schema.Struct({ name: Schema.String })

export class CertificateRepository extends Context.Service<CertificateRepository>()(
  "@kanmon/monitoring/custom-domains/CertificateRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      // Shared by both queries: redirects must lead to exactly those names that are served.
      const served = (now: EpochMillis) => sql`FROM custom_domains d JOIN status_pages p ON p.custom_domain = d.name
        WHERE p.custom_domain_status = 'active' AND d.not_after > ${new Date(now)}`

      return {
        /** Stores the certificate of a domain in place of an older one. */
        save: (domain: string, { chain, issuedAt, keyEncrypted, notAfter, notBefore }: EncryptedCertificate) =>
          sql`INSERT INTO custom_domains (name, chain, key_encrypted, not_before, not_after, issued_at, next_look_at)
            VALUES (${domain}, ${chain}, ${keyEncrypted}, ${new Date(notBefore)}, ${new Date(notAfter)},
              ${new Date(issuedAt)}, ${new Date(issuedAt)})
            ON CONFLICT (name) DO UPDATE SET chain = excluded.chain, key_encrypted = excluded.key_encrypted,
              not_before = excluded.not_before, not_after = excluded.not_after, issued_at = excluded.issued_at`.pipe(
            Effect.asVoid,
            Effect.orDie
          ),
        /** The valid certificate of a domain with an active page. */
        findServed: (domain: string, now: EpochMillis) =>
          sql`SELECT d.* ${served(now)} AND d.name = ${domain}`.pipe(Rows.first(CertificateRow)),
        /** All domains with such a certificate. */
        servedDomains: (now: EpochMillis) =>
          sql`SELECT d.name ${served(now)}`.pipe(
            Rows.all(NameRow),
            Effect.map((rows) => rows.map(({ name }) => name))
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(CertificateRepository, CertificateRepository.make)
}
