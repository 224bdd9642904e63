/** The identity providers of organizations, and the domains that these claim and prove. */
import { OrganizationId } from "@kanmon/domain/Ids"
import { OrganizationSignOn } from "@kanmon/domain/SignOnSettings"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Persisted from "@kanmon/platform/database/Persisted"
import * as Rows from "@kanmon/platform/database/Rows"
import { Secrets } from "@kanmon/platform/database/Secrets"

/** Settings with what belongs to them. */
export interface StoredConnection {
  readonly organizationId: OrganizationId
  readonly organizationName: string
  readonly settings: OrganizationSignOn
  /** The secret of the OpenID Connect client. */
  readonly clientSecret: string | undefined
  readonly version: string
  readonly createdAt: EpochMillis
  readonly updatedAt: EpochMillis
}

const persistedSettings = Persisted.make(OrganizationSignOn)

const ConnectionRow = Schema.Struct({
  organizationId: OrganizationId,
  organizationName: Schema.String,
  settings: Schema.Unknown,
  secret: Schema.NullOr(Schema.String),
  version: Schema.String,
  createdAt: Rows.Time,
  updatedAt: Rows.Time
})

const DomainRow = Schema.Struct({
  domain: Schema.String,
  proof: Schema.String,
  verifiedAt: Schema.NullOr(Rows.Time),
  createdAt: Rows.Time
})
export type StoredDomain = typeof DomainRow.Type

const secretOwner = (id: OrganizationId): string => `${id}/sso`

export class ConnectionRepository extends Context.Service<ConnectionRepository>()(
  "@kanmon/identity/sso/ConnectionRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* Secrets

      const find = Effect.fn("ConnectionRepository.find")(function* (id: OrganizationId) {
        const row = yield* Rows.first(ConnectionRow)(sql`SELECT s.organization_id AS "organizationId",
            o.name AS "organizationName", s.settings, s.secret_encrypted AS secret, s.version,
            s.created_at AS "createdAt", s.updated_at AS "updatedAt"
          FROM sign_on_settings s JOIN organizations o ON o.id = s.organization_id
          WHERE s.organization_id = ${id} AND o.disabled_at IS NULL`)
        if (row === undefined) return undefined
        const { secret, settings, ...rest } = row
        return {
          ...rest,
          settings: persistedSettings.decode(settings),
          clientSecret: secret === null ? undefined : secrets.decrypt(secret, secretOwner(id))
        }
      })

      /** Writes the settings; `clientSecret` undefined keeps the stored one, null removes it. */
      const save = Effect.fn("ConnectionRepository.save")(function* (
        id: OrganizationId,
        settings: OrganizationSignOn,
        clientSecret: string | null | undefined,
        version: string,
        at: EpochMillis
      ) {
        const secret =
          clientSecret === null || clientSecret === undefined ? null : secrets.encrypt(clientSecret, secretOwner(id))
        yield* sql`INSERT INTO sign_on_settings AS s
              (organization_id, settings, secret_encrypted, version, created_at, updated_at)
            VALUES (${id}, ${JSON.stringify(persistedSettings.encode(settings))}::jsonb, ${secret}, ${version},
              ${new Date(at)}, ${new Date(at)})
            ON CONFLICT (organization_id) DO UPDATE SET settings = EXCLUDED.settings, version = EXCLUDED.version,
              updated_at = EXCLUDED.updated_at,
              secret_encrypted = ${clientSecret === undefined ? sql`s.secret_encrypted` : sql`EXCLUDED.secret_encrypted`}`
      }, Effect.orDie)

      const remove = Effect.fn("ConnectionRepository.remove")(function* (id: OrganizationId) {
        yield* sql`DELETE FROM sign_on_settings WHERE organization_id = ${id}`
      }, Effect.orDie)

      /** Whether any organization has an enabled provider and a proven domain: whether single sign-on leads anywhere. */
      const anyUsable = Rows.any(
        sql`SELECT 1 FROM sign_on_settings s JOIN organizations o ON o.id = s.organization_id
          WHERE o.disabled_at IS NULL AND (s.settings->>'enabled')::boolean AND EXISTS (
            SELECT FROM sign_on_domains d WHERE d.organization_id = s.organization_id AND d.verified_at IS NOT NULL)
          LIMIT 1`
      ).pipe(Effect.withSpan("ConnectionRepository.anyUsable"))

      /** The organization that has proven a domain. */
      const ownerOf = Effect.fn("ConnectionRepository.ownerOf")((domain: string) =>
        Effect.map(
          Rows.first(Schema.Struct({ id: OrganizationId }))(sql`SELECT organization_id AS id FROM sign_on_domains
            WHERE domain = ${domain} AND verified_at IS NOT NULL`),
          (row) => row?.id
        )
      )

      const domains = Effect.fn("ConnectionRepository.domains")((id: OrganizationId) =>
        Rows.all(DomainRow)(sql`SELECT domain, proof, verified_at AS "verifiedAt", created_at AS "createdAt"
          FROM sign_on_domains WHERE organization_id = ${id} ORDER BY domain`)
      )

      const insertDomain = Effect.fn("ConnectionRepository.insertDomain")(function* (
        id: OrganizationId,
        domain: string,
        proof: string,
        at: EpochMillis
      ) {
        yield* sql`INSERT INTO sign_on_domains (organization_id, domain, proof, created_at)
          VALUES (${id}, ${domain}, ${proof}, ${new Date(at)}) ON CONFLICT DO NOTHING`
      }, Effect.orDie)

      /** Makes the organization the only one that has proven the domain. */
      const verifyDomain = Effect.fn("ConnectionRepository.verifyDomain")(function* (
        id: OrganizationId,
        domain: string,
        at: EpochMillis
      ) {
        yield* sql`UPDATE sign_on_domains SET verified_at = NULL WHERE domain = ${domain} AND organization_id <> ${id}`
        yield* sql`UPDATE sign_on_domains SET verified_at = ${new Date(at)}
          WHERE domain = ${domain} AND organization_id = ${id}`
      }, Effect.orDie)

      const removeDomain = Effect.fn("ConnectionRepository.removeDomain")((id: OrganizationId, domain: string) =>
        Rows.any(sql`DELETE FROM sign_on_domains WHERE organization_id = ${id} AND domain = ${domain} RETURNING 1`)
      )

      return {
        find,
        save,
        remove,
        anyUsable,
        ownerOf,
        domains,
        insertDomain,
        verifyDomain,
        removeDomain
      }
    })
  }
) {
  static readonly layer = Layer.effect(ConnectionRepository, ConnectionRepository.make)
}
