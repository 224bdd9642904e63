/** API keys in the database. A key is found by its hash; the key itself is not stored. */
import { Actor } from "@kanmon/domain/Actor"
import type { ApiKey } from "@kanmon/domain/ApiKey"
import { ApiKeyId, ProjectId } from "@kanmon/domain/Ids"
import type { ProjectKey } from "@kanmon/domain/Principal"
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

/** A row of either table: the project's own key has no ID. */
const FoundRow = Schema.Struct({
  project_id: ProjectId,
  id: Schema.NullOr(ApiKeyId),
  name: Schema.NullOr(Schema.String),
  role: Schema.NullOr(KeyRole),
  last_used_at: Schema.NullOr(Rows.Time),
  disabled: Schema.Boolean
})

/** The owner of a key and its previous use. */
export interface FoundKey {
  readonly caller: ProjectKey
  readonly lastUsedAt: EpochMillis | null
}

export class ApiKeyRepository extends Context.Service<ApiKeyRepository>()(
  "@kanmon/identity/api-keys/ApiKeyRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      /** The project's own key or a further one that has not expired; undefined when there is none. */
      const find = Effect.fn("ApiKeyRepository.find")(function* (apiKey: string, at: EpochMillis) {
        const hash = hashToken(apiKey)
        const row = yield* Rows.first(FoundRow)(sql`SELECT k.*, o.disabled_at IS NOT NULL AS disabled
          FROM (SELECT id AS project_id, NULL AS id, NULL AS name, NULL AS role, NULL::timestamptz AS last_used_at
              FROM projects WHERE api_key_hash = ${hash}
            UNION ALL SELECT project_id, id, name, role, last_used_at
              FROM api_keys WHERE key_hash = ${hash} AND (expires_at IS NULL OR expires_at > ${new Date(at)})) k
            JOIN projects p ON p.id = k.project_id JOIN organizations o ON o.id = p.organization_id`)
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
        (projectId: ProjectId, { before, limit }: { readonly before: string | undefined; readonly limit: number }) =>
          Effect.map(
            Rows.all(KeyRow)(sql`SELECT * FROM api_keys WHERE project_id = ${projectId}
              ${before === undefined ? sql`` : sql`AND id < ${before}`} ORDER BY id DESC LIMIT ${limit}`),
            (rows) => rows.map(read)
          )
      )

      /** Locks the project until the transaction ends and counts its keys; undefined when there is no such project. */
      const lockAndCount = Effect.fn("ApiKeyRepository.lockAndCount")(function* (projectId: ProjectId) {
        const exists = yield* Rows.any(sql`SELECT 1 FROM projects WHERE id = ${projectId} FOR NO KEY UPDATE`)
        if (!exists) return undefined
        const { count } = yield* Rows.one(Schema.Struct({ count: Rows.Count }))(
          sql`SELECT count(*) AS count FROM api_keys WHERE project_id = ${projectId}`
        )
        return count
      })

      const insert = Effect.fn("ApiKeyRepository.insert")(function* (
        projectId: ProjectId,
        { createdAt, createdBy, expiresAt, id, name, role }: ApiKey,
        apiKey: string
      ) {
        yield* sql`INSERT INTO api_keys ${sql.insert({
          id,
          project_id: projectId,
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
      const remove = Effect.fn("ApiKeyRepository.remove")((projectId: ProjectId, id: ApiKeyId) =>
        Effect.map(
          Rows.first(KeyRow)(sql`DELETE FROM api_keys WHERE project_id = ${projectId} AND id = ${id} RETURNING *`),
          (row) => (row === undefined ? undefined : read(row))
        )
      )

      /** Deletes the keys of a project and returns them. */
      const removeAll = Effect.fn("ApiKeyRepository.removeAll")((projectId: ProjectId) =>
        Effect.map(Rows.all(KeyRow)(sql`DELETE FROM api_keys WHERE project_id = ${projectId} RETURNING *`), (rows) =>
          rows.map(read)
        )
      )

      return { find, markUsed, list, lockAndCount, insert, remove, removeAll }
    })
  }
) {
  static readonly layer = Layer.effect(ApiKeyRepository, ApiKeyRepository.make)
}

const found = ({ disabled, id, last_used_at, name, project_id, role }: typeof FoundRow.Type): FoundKey => ({
  caller: {
    _tag: "ProjectKey",
    projectId: project_id,
    ...(id === null || name === null || role === null ? {} : { key: { id, name, role } }),
    ...(disabled ? { isDisabled: true } : {})
  },
  lastUsedAt: last_used_at
})

const read = (row: typeof KeyRow.Type): ApiKey => ({
  id: row.id,
  name: row.name,
  role: row.role,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at,
  createdBy: { kind: row.created_by_kind, id: row.created_by_id, name: row.created_by_name },
  createdAt: row.created_at
})
