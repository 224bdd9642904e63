/** People whom an organization's identity provider provisions. */
import { OrganizationId, UserId } from "@kanmon/domain/Ids"
import { ScimUser } from "@kanmon/domain/Scim"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as Persisted from "@kanmon/platform/database/Persisted"
import * as Rows from "@kanmon/platform/database/Rows"

export const persistedUser = Persisted.make(ScimUser)

const UserRow = Schema.Struct({
  organizationId: OrganizationId,
  userId: UserId,
  attributes: Schema.Unknown,
  createdAt: Rows.Time,
  updatedAt: Rows.Time
})

export interface ProvisionedUser {
  readonly organizationId: OrganizationId
  readonly userId: UserId
  readonly record: ScimUser
  readonly createdAt: EpochMillis
  readonly updatedAt: EpochMillis
}

interface Span {
  readonly offset: number
  readonly limit: number
}

export class ScimUserRepository extends Context.Service<ScimUserRepository>()(
  "@kanmon/identity/sso/ScimUserRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const selected = (condition: Statement.Fragment) => sql`SELECT organization_id AS "organizationId",
          user_id AS "userId", attributes, created_at AS "createdAt", updated_at AS "updatedAt"
        FROM scim_users WHERE ${condition}`
      const first = (condition: Statement.Fragment) =>
        Effect.map(Rows.first(UserRow)(selected(condition)), (row) => (row === undefined ? undefined : read(row)))

      /** In the order of their ids. */
      const list = Effect.fn("ScimUserRepository.list")((id: OrganizationId, span?: Span) =>
        Effect.map(
          Rows.all(UserRow)(sql`${selected(sql`organization_id = ${id}`)} ORDER BY user_id
            ${span === undefined ? sql`` : sql`OFFSET ${span.offset} LIMIT ${span.limit}`}`),
          (rows) => rows.map(read)
        )
      )
      const count = Effect.fn("ScimUserRepository.count")((id: OrganizationId) =>
        Effect.map(
          Rows.one(Schema.Struct({ count: Rows.Count }))(
            sql`SELECT count(*) AS count FROM scim_users WHERE organization_id = ${id}`
          ),
          ({ count }) => count
        )
      )
      const find = Effect.fn("ScimUserRepository.find")((id: OrganizationId, userId: string) =>
        first(sql`organization_id = ${id} AND user_id = ${userId}`)
      )
      const findByName = Effect.fn("ScimUserRepository.findByName")((id: OrganizationId, userName: string) =>
        first(sql`organization_id = ${id} AND lower(user_name) = lower(${userName})`)
      )
      const findByExternalId = Effect.fn("ScimUserRepository.findByExternalId")(
        (id: OrganizationId, externalId: string) => first(sql`organization_id = ${id} AND external_id = ${externalId}`)
      )

      const save = Effect.fn("ScimUserRepository.save")(function* ({
        createdAt,
        organizationId,
        record,
        updatedAt,
        userId
      }: ProvisionedUser) {
        yield* sql`INSERT INTO scim_users (organization_id, user_id, user_name, external_id, active, attributes,
            created_at, updated_at)
          VALUES (${organizationId}, ${userId}, ${record.userName}, ${record.externalId ?? null}, ${record.active},
            ${JSON.stringify(persistedUser.encode(record))}::jsonb, ${new Date(createdAt)}, ${new Date(updatedAt)})
          ON CONFLICT (organization_id, user_id) DO UPDATE SET user_name = EXCLUDED.user_name,
            external_id = EXCLUDED.external_id, active = EXCLUDED.active, attributes = EXCLUDED.attributes,
            updated_at = EXCLUDED.updated_at`
      }, Effect.orDie)

      /** Also from the groups of the organization. */
      const remove = Effect.fn("ScimUserRepository.remove")(function* (id: OrganizationId, userId: UserId) {
        yield* sql`DELETE FROM scim_group_members m USING scim_groups g
          WHERE g.id = m.group_id AND g.organization_id = ${id} AND m.user_id = ${userId}`
        yield* sql`DELETE FROM scim_users WHERE organization_id = ${id} AND user_id = ${userId}`
      }, Effect.orDie)

      /** Whether the identity provider took the access of the account away. */
      const isDeactivated = Effect.fn("ScimUserRepository.isDeactivated")((id: OrganizationId, userId: UserId) =>
        Rows.any(sql`SELECT 1 FROM scim_users WHERE organization_id = ${id} AND user_id = ${userId} AND NOT active`)
      )

      /** The ids among these that are provisioned to the organization. */
      const known = Effect.fn("ScimUserRepository.known")((id: OrganizationId, userIds: ReadonlyArray<string>) =>
        Effect.map(
          Rows.all(Schema.Struct({ userId: UserId }))(sql`SELECT user_id AS "userId" FROM scim_users
            WHERE organization_id = ${id} AND user_id = ANY(${userIds}::text[])`),
          (rows) => rows.map(({ userId }) => userId)
        )
      )

      return {
        list,
        count,
        find,
        findByName,
        findByExternalId,
        save,
        remove,
        isDeactivated,
        known
      }
    })
  }
) {
  static readonly layer = Layer.effect(ScimUserRepository, ScimUserRepository.make)
}

const read = ({ attributes, ...row }: typeof UserRow.Type): ProvisionedUser => ({
  ...row,
  record: persistedUser.decode(attributes)
})
