/** People whom an organization's identity provider provisions. */
import { OrganizationId, UserId } from "@kanmon/domain/Ids"
import { ScimUserBody } from "@kanmon/domain/Scim"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as Persisted from "../platform/database/Persisted.ts"
import * as Rows from "../platform/database/Rows.ts"

const persistedUser = Persisted.make(ScimUserBody)

const UserRow = Schema.Struct({
  organizationId: OrganizationId,
  userId: UserId,
  active: Schema.Boolean,
  attributes: Schema.Unknown,
  createdAt: Rows.Time,
  updatedAt: Rows.Time
})

export interface ScimUser {
  readonly organizationId: OrganizationId
  readonly userId: UserId
  readonly active: boolean
  readonly body: ScimUserBody
  readonly createdAt: EpochMillis
  readonly updatedAt: EpochMillis
}

export class ScimUserRepository extends Context.Service<
  ScimUserRepository,
  {
    /** In the order of their ids. */
    readonly list: (id: OrganizationId) => Effect.Effect<ReadonlyArray<ScimUser>>
    readonly find: (id: OrganizationId, userId: string) => Effect.Effect<ScimUser | undefined>
    readonly findByName: (id: OrganizationId, userName: string) => Effect.Effect<ScimUser | undefined>
    readonly save: (user: ScimUser) => Effect.Effect<void>
    readonly remove: (id: OrganizationId, userId: UserId) => Effect.Effect<void>
  }
>()("@kanmon/control-plane/sso/ScimUserRepository") {
  static readonly layer = Layer.effect(
    ScimUserRepository,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const selected = (condition: Statement.Fragment) => sql`SELECT organization_id AS "organizationId",
          user_id AS "userId", active, attributes, created_at AS "createdAt", updated_at AS "updatedAt"
        FROM scim_users WHERE ${condition} ORDER BY user_id`
      const first = (condition: Statement.Fragment) =>
        Effect.map(Rows.first(UserRow)(selected(condition)), (row) => (row === undefined ? undefined : read(row)))

      const list = Effect.fn("ScimUserRepository.list")((id: OrganizationId) =>
        Effect.map(Rows.all(UserRow)(selected(sql`organization_id = ${id}`)), (rows) => rows.map(read))
      )
      const find = Effect.fn("ScimUserRepository.find")((id: OrganizationId, userId: string) =>
        first(sql`organization_id = ${id} AND user_id = ${userId}`)
      )
      const findByName = Effect.fn("ScimUserRepository.findByName")((id: OrganizationId, userName: string) =>
        first(sql`organization_id = ${id} AND lower(user_name) = lower(${userName})`)
      )

      const save = Effect.fn("ScimUserRepository.save")(function* (user: ScimUser) {
        yield* sql`INSERT INTO scim_users (organization_id, user_id, user_name, external_id, active, attributes,
            created_at, updated_at)
          VALUES (${user.organizationId}, ${user.userId}, ${user.body.userName}, ${user.body.externalId ?? null},
            ${user.active}, ${JSON.stringify(persistedUser.encode(user.body))}::jsonb, ${new Date(user.createdAt)},
            ${new Date(user.updatedAt)})
          ON CONFLICT (organization_id, user_id) DO UPDATE SET user_name = EXCLUDED.user_name,
            external_id = EXCLUDED.external_id, active = EXCLUDED.active, attributes = EXCLUDED.attributes,
            updated_at = EXCLUDED.updated_at`
      }, Effect.orDie)

      const remove = Effect.fn("ScimUserRepository.remove")(function* (id: OrganizationId, userId: UserId) {
        yield* sql`DELETE FROM scim_group_members m USING scim_groups g
          WHERE g.id = m.group_id AND g.organization_id = ${id} AND m.user_id = ${userId}`
        yield* sql`DELETE FROM scim_users WHERE organization_id = ${id} AND user_id = ${userId}`
      }, Effect.orDie)

      return ScimUserRepository.of({ list, find, findByName, save, remove })
    })
  )
}

const read = ({ attributes, ...row }: typeof UserRow.Type): ScimUser => ({
  ...row,
  body: persistedUser.decode(attributes)
})
