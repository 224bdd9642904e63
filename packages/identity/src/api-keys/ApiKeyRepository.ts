/** API keys in the database. A key is found by its hash; the key itself is not stored. */
import { Actor } from "@kanmon/domain/Actor"
import type { ApiKey } from "@kanmon/domain/ApiKey"
import { ApiKeyId, OrganizationId, ProjectId } from "@kanmon/domain/Ids"
import type { AnyKey } from "@kanmon/domain/Principal"
import { KeyRole } from "@kanmon/domain/Role"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"
import { hashToken } from "@kanmon/platform/database/Secrets"

const KeyRow = Schema.Struct({
  id: ApiKeyId,
  name: Schema.String,
  role: KeyRole,
  expires_at: Schema.NullOr(Rows.Time),
  last_used_at: Schema.NullOr(Rows.Time),
  created_by_kind: Actor.fields.kind,
  created_by_id: Actor.fields.id,
  created_by_name: Actor.fields.name,
  created_at: Rows.Time
})

/** A row of either table: the project's own key has no ID. A further key belongs to a project or to an organization. */
const FoundRow = Schema.Struct({
  project_id: Schema.NullOr(ProjectId),
  organization_id: OrganizationId,
  id: Schema.NullOr(ApiKeyId),
  name: Schema.NullOr(Schema.String),
  role: Schema.NullOr(KeyRole),
  last_used_at: Schema.NullOr(Rows.Time),
  disabled: Schema.Boolean
})

/** The project or the organization that a key belongs to. */
export type KeyOwner = { readonly projectId: ProjectId } | { readonly organizationId: OrganizationId }

/** The owner of a key and its previous use. */
export interface FoundKey {
  readonly caller: AnyKey
  readonly lastUsedAt: EpochMillis | null
}

export class ApiKeyRepository extends Context.Service<ApiKeyRepository>()(
  "@kanmon/identity/api-keys/ApiKeyRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const isOf = (owner: KeyOwner) =>
        "projectId" in owner ? sql`project_id = ${owner.projectId}` : sql`organization_id = ${owner.organizationId}`

      /** The project's own key or a further one that has not expired; undefined when there is none. */
      const find = Effect.fn("ApiKeyRepository.find")(function* (apiKey: string, at: EpochMillis) {
        const hash = hashToken(apiKey)
        const row = yield* Rows.first(FoundRow)(sql`SELECT k.project_id, o.id AS organization_id, k.id, k.name, k.role,
            k.last_used_at, o.disabled_at IS NOT NULL AS disabled
          FROM (SELECT id AS project_id, organization_id, NULL AS id, NULL AS name, NULL AS role,
                NULL::timestamptz AS last_used_at
              FROM projects WHERE api_key_hash = ${hash}
            UNION ALL SELECT k.project_id, coalesce(k.organization_id, p.organization_id), k.id, k.name, k.role,
                k.last_used_at
              FROM api_keys k LEFT JOIN projects p ON p.id = k.project_id
              WHERE k.key_hash = ${hash} AND (k.expires_at IS NULL OR k.expires_at > ${new Date(at)})) k
            JOIN organizations o ON o.id = k.organization_id`)
        return row === undefined ? undefined : found(row)
      })

      /** Writes when a key was used, unless another process wrote a time after `before`. */
      const markUsed = Effect.fn("ApiKeyRepository.markUsed")((id: ApiKeyId, before: EpochMillis, at: EpochMillis) =>
        sql`UPDATE api_keys SET last_used_at = ${new Date(at)}
          WHERE id = ${id} AND (last_used_at IS NULL OR last_used_at <= ${new Date(before)})`.pipe(
          Effect.asVoid,
          Effect.orDie
        )
      )

      /** Newest first. `before`: only those with lower IDs. */
      const list = Effect.fn("ApiKeyRepository.list")(
        (owner: KeyOwner, { before, limit }: { readonly before: string | undefined; readonly limit: number }) =>
          Effect.map(
            Rows.all(KeyRow)(sql`SELECT * FROM api_keys WHERE ${isOf(owner)}
              ${before === undefined ? sql`` : sql`AND id < ${before}`} ORDER BY id DESC LIMIT ${limit}`),
            (rows) => rows.map(read)
          )
      )

      /** Locks the owner until the transaction ends and counts its keys; undefined when there is no such owner. */
      const lockAndCount = Effect.fn("ApiKeyRepository.lockAndCount")(function* (owner: KeyOwner) {
        const exists = yield* Rows.any(
          "projectId" in owner
            ? sql`SELECT 1 FROM projects WHERE id = ${owner.projectId} FOR NO KEY UPDATE`
            : sql`SELECT 1 FROM organizations WHERE id = ${owner.organizationId} FOR NO KEY UPDATE`
        )
        if (!exists) return undefined
        const { count } = yield* Rows.one(Schema.Struct({ count: Rows.Count }))(
          sql`SELECT count(*) AS count FROM api_keys WHERE ${isOf(owner)}`
        )
        return count
      })

      const insert = Effect.fn("ApiKeyRepository.insert")(function* (
        owner: KeyOwner,
        { createdAt, createdBy, expiresAt, id, name, role }: ApiKey,
        apiKey: string
      ) {
        yield* sql`INSERT INTO api_keys ${sql.insert({
          id,
          project_id: "projectId" in owner ? owner.projectId : null,
          organization_id: "projectId" in owner ? null : owner.organizationId,
          name,
          role,
          key_hash: hashToken(apiKey),
          expires_at: expiresAt === null ? null : new Date(expiresAt),
          created_by_kind: createdBy.kind,
          created_by_id: createdBy.id,
          created_by_name: createdBy.name,
          created_at: new Date(createdAt)
        })}`
      }, Effect.orDie)

      /** Deletes the key and returns it; undefined when there is none. */
      const remove = Effect.fn("ApiKeyRepository.remove")((owner: KeyOwner, id: ApiKeyId) =>
        Effect.map(
          Rows.first(KeyRow)(sql`DELETE FROM api_keys WHERE ${isOf(owner)} AND id = ${id} RETURNING *`),
          (row) => (row === undefined ? undefined : read(row))
        )
      )

      /** Deletes the keys of an owner and returns them. */
      const removeAll = Effect.fn("ApiKeyRepository.removeAll")((owner: KeyOwner) =>
        Effect.map(Rows.all(KeyRow)(sql`DELETE FROM api_keys WHERE ${isOf(owner)} RETURNING *`), (rows) =>
          rows.map(read)
        )
      )

      return { find, markUsed, list, lockAndCount, insert, remove, removeAll }
    })
  }
) {
  static readonly layer = Layer.effect(ApiKeyRepository, ApiKeyRepository.make)
}

const found = (row: typeof FoundRow.Type): FoundKey | undefined => {
  const { id, last_used_at: lastUsedAt, name, organization_id: organizationId, project_id: projectId, role } = row
  const key = id === null || name === null || role === null ? undefined : { id, name, role }
  const disabled = row.disabled ? { isDisabled: true as const } : {}
  if (projectId !== null)
    return { caller: { _tag: "ProjectKey", projectId, ...(key === undefined ? {} : { key }), ...disabled }, lastUsedAt }
  return key && { caller: { _tag: "OrganizationKey", organizationId, key, ...disabled }, lastUsedAt }
}

const read = (row: typeof KeyRow.Type): ApiKey => ({
  id: row.id,
  name: row.name,
  role: row.role,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at,
  createdBy: { kind: row.created_by_kind, id: row.created_by_id, name: row.created_by_name },
  createdAt: row.created_at
})
