/** Groups that an identity provider provisions, and their members. */
import { OrganizationId, ScimGroupId, UserId } from "@kanmon/domain/Ids"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

const GroupRow = Schema.Struct({
  id: ScimGroupId,
  organizationId: OrganizationId,
  displayName: Schema.String,
  externalId: Schema.NullOr(Schema.String),
  createdAt: Rows.Time,
  updatedAt: Rows.Time
})
export type StoredGroup = typeof GroupRow.Type

const GroupOfUserRow = Schema.Struct({ userId: UserId, groupId: ScimGroupId, displayName: Schema.String })

const MemberRow = Schema.Struct({ groupId: ScimGroupId, userId: UserId, userName: Schema.String })

export class ScimGroupRepository extends Context.Service<ScimGroupRepository>()(
  "@kanmon/identity/sso/ScimGroupRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const columns = sql`id, organization_id AS "organizationId", display_name AS "displayName",
        external_id AS "externalId", created_at AS "createdAt", updated_at AS "updatedAt"`
      const first = (condition: Statement.Fragment) =>
        Rows.first(GroupRow)(sql`SELECT ${columns} FROM scim_groups WHERE ${condition}`)

      const list = Effect.fn("ScimGroupRepository.list")((id: OrganizationId) =>
        Rows.all(GroupRow)(sql`SELECT ${columns} FROM scim_groups WHERE organization_id = ${id} ORDER BY id`)
      )
      const find = Effect.fn("ScimGroupRepository.find")((id: OrganizationId, group: string) =>
        first(sql`organization_id = ${id} AND id = ${group}`)
      )
      const findByName = Effect.fn("ScimGroupRepository.findByName")((id: OrganizationId, name: string) =>
        first(sql`organization_id = ${id} AND lower(display_name) = lower(${name})`)
      )

      const insert = Effect.fn("ScimGroupRepository.insert")(function* (group: StoredGroup) {
        yield* sql`INSERT INTO scim_groups ${sql.insert({
          id: group.id,
          organization_id: group.organizationId,
          display_name: group.displayName,
          external_id: group.externalId,
          created_at: new Date(group.createdAt),
          updated_at: new Date(group.updatedAt)
        })}`
      }, Effect.orDie)

      const update = Effect.fn("ScimGroupRepository.update")(function* (group: StoredGroup) {
        yield* sql`UPDATE scim_groups SET display_name = ${group.displayName}, external_id = ${group.externalId},
          updated_at = ${new Date(group.updatedAt)} WHERE id = ${group.id}`
      }, Effect.orDie)

      const remove = Effect.fn("ScimGroupRepository.remove")(function* (group: string) {
        yield* sql`DELETE FROM scim_groups WHERE id = ${group}`
      }, Effect.orDie)

      const findByExternalId = Effect.fn("ScimGroupRepository.findByExternalId")(
        (id: OrganizationId, externalId: string) => first(sql`organization_id = ${id} AND external_id = ${externalId}`)
      )

      /** The members of groups. */
      const members = Effect.fn("ScimGroupRepository.members")((groups: ReadonlyArray<ScimGroupId>) =>
        Rows.all(MemberRow)(sql`SELECT m.group_id AS "groupId", m.user_id AS "userId", u.user_name AS "userName"
          FROM scim_group_members m JOIN scim_groups g ON g.id = m.group_id
            JOIN scim_users u ON u.user_id = m.user_id AND u.organization_id = g.organization_id
          WHERE m.group_id = ANY(${groups}::text[]) ORDER BY m.user_id`)
      )

      /** The groups of accounts. */
      const ofUsers = Effect.fn("ScimGroupRepository.ofUsers")((id: OrganizationId, userIds: ReadonlyArray<UserId>) =>
        Rows.all(GroupOfUserRow)(sql`SELECT m.user_id AS "userId", g.id AS "groupId", g.display_name AS "displayName"
          FROM scim_group_members m JOIN scim_groups g ON g.id = m.group_id
          WHERE g.organization_id = ${id} AND m.user_id = ANY(${userIds}::text[]) ORDER BY g.id`)
      )

      /** Replaces the members with these accounts, limited to accounts that are provisioned to the organization. */
      const setMembers = Effect.fn("ScimGroupRepository.setMembers")(function* (
        group: StoredGroup,
        users: ReadonlyArray<string>
      ) {
        yield* sql`DELETE FROM scim_group_members WHERE group_id = ${group.id} AND user_id <> ALL(${users}::text[])`
        yield* sql`INSERT INTO scim_group_members (group_id, user_id)
          SELECT ${group.id}, user_id FROM scim_users
          WHERE organization_id = ${group.organizationId} AND user_id = ANY(${users}::text[])
          ON CONFLICT DO NOTHING`
      }, Effect.orDie)

      /** All names and identifiers of an account's groups that a role mapping may use. */
      const namesOf = Effect.fn("ScimGroupRepository.namesOf")((id: OrganizationId, userId: UserId) =>
        Effect.map(
          Rows.all(GroupRow)(sql`SELECT ${columns} FROM scim_groups WHERE organization_id = ${id}
            AND id IN (SELECT group_id FROM scim_group_members WHERE user_id = ${userId})`),
          (rows) => rows.flatMap(namesOfGroup)
        )
      )

      return {
        list,
        find,
        findByName,
        findByExternalId,
        insert,
        update,
        remove,
        members,
        setMembers,
        namesOf,
        ofUsers
      }
    })
  }
) {
  static readonly layer = Layer.effect(ScimGroupRepository, ScimGroupRepository.make)
}

/**
 * The names of a group that a role mapping may use. Claims of Entra ID contain identifiers, those of other providers
 * names.
 */
export const namesOfGroup = ({
  displayName,
  externalId
}: Pick<StoredGroup, "displayName" | "externalId">): ReadonlyArray<string> =>
  externalId === null ? [displayName] : [displayName, externalId]
