/** Tokens for provisioning. A token is found by its hash; the token itself is not stored. */
import { Actor } from "@kanmon/domain/Actor"
import { OrganizationId, ScimTokenId } from "@kanmon/domain/Ids"
import type { ScimToken } from "@kanmon/domain/ScimToken"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"
import { hashToken } from "@kanmon/platform/database/Secrets"

const TokenRow = Schema.Struct({
  id: ScimTokenId,
  name: Schema.String,
  expires_at: Schema.NullOr(Rows.Time),
  last_used_at: Schema.NullOr(Rows.Time),
  created_by_kind: Actor.fields.kind,
  created_by_id: Actor.fields.id,
  created_by_name: Actor.fields.name,
  created_at: Rows.Time
})

const FoundRow = Schema.Struct({
  id: ScimTokenId,
  name: Schema.String,
  organizationId: OrganizationId,
  lastUsedAt: Schema.NullOr(Rows.Time),
  isDisabled: Schema.Boolean
})
/** The owner of a token, with the organization's state and the token's previous use. */
export type FoundToken = typeof FoundRow.Type

export class ScimTokenRepository extends Context.Service<ScimTokenRepository>()(
  "@kanmon/identity/sso/ScimTokenRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      /** A token that has not expired. */
      const find = Effect.fn("ScimTokenRepository.find")((token: string, at: EpochMillis) =>
        Rows.first(FoundRow)(sql`SELECT t.id, t.name, t.organization_id AS "organizationId",
            t.last_used_at AS "lastUsedAt", o.disabled_at IS NOT NULL AS "isDisabled"
          FROM scim_tokens t JOIN organizations o ON o.id = t.organization_id
          WHERE t.token_hash = ${hashToken(token)}
            AND (t.expires_at IS NULL OR t.expires_at > ${new Date(at)})`)
      )

      /** Writes when a token was used, unless another process wrote a time after `before`. */
      const markUsed = Effect.fn("ScimTokenRepository.markUsed")(function* (
        id: ScimTokenId,
        before: EpochMillis,
        at: EpochMillis
      ) {
        yield* sql`UPDATE scim_tokens SET last_used_at = ${new Date(at)}
          WHERE id = ${id} AND (last_used_at IS NULL OR last_used_at <= ${new Date(before)})`
      }, Effect.orDie)

      /** Newest first. */
      const list = Effect.fn("ScimTokenRepository.list")((id: OrganizationId) =>
        Effect.map(
          Rows.all(TokenRow)(sql`SELECT * FROM scim_tokens WHERE organization_id = ${id} ORDER BY id DESC`),
          (rows) => rows.map(read)
        )
      )

      const insert = Effect.fn("ScimTokenRepository.insert")(function* (
        organizationId: OrganizationId,
        { createdAt, createdBy, expiresAt, id, name }: ScimToken,
        token: string
      ) {
        yield* sql`INSERT INTO scim_tokens ${sql.insert({
          id,
          organization_id: organizationId,
          name,
          token_hash: hashToken(token),
          expires_at: expiresAt === null ? null : new Date(expiresAt),
          created_by_kind: createdBy.kind,
          created_by_id: createdBy.id,
          created_by_name: createdBy.name,
          created_at: new Date(createdAt)
        })}`
      }, Effect.orDie)

      /** Deletes the token and returns it; undefined when there is none. */
      const remove = Effect.fn("ScimTokenRepository.remove")((id: OrganizationId, token: ScimTokenId) =>
        Effect.map(
          Rows.first(TokenRow)(
            sql`DELETE FROM scim_tokens WHERE organization_id = ${id} AND id = ${token} RETURNING *`
          ),
          (row) => (row === undefined ? undefined : read(row))
        )
      )

      return { find, markUsed, list, insert, remove }
    })
  }
) {
  static readonly layer = Layer.effect(ScimTokenRepository, ScimTokenRepository.make)
}

const read = (row: typeof TokenRow.Type): ScimToken => ({
  id: row.id,
  name: row.name,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at,
  createdBy: { kind: row.created_by_kind, id: row.created_by_id, name: row.created_by_name },
  createdAt: row.created_at
})
