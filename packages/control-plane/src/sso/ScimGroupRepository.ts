/** Groups that an identity provider provisions, and their members. */
import { OrganizationId, UserId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as Rows from "../platform/database/Rows.ts"

const GroupRow = Schema.Struct({
  id: Schema.String,
  organizationId: OrganizationId,
  displayName: Schema.String,
  externalId: Schema.NullOr(Schema.String),
  createdAt: Rows.Time,
  updatedAt: Rows.Time
})
export type ScimGroup = typeof GroupRow.Type

const MemberRow = Schema.Struct({ userId: UserId, userName: Schema.String })
export type ScimGroupMember = typeof MemberRow.Type

export class ScimGroupRepository extends Context.Service<
  ScimGroupRepository,
  {
    readonly list: (id: OrganizationId) => Effect.Effect<ReadonlyArray<ScimGroup>>
    readonly find: (id: OrganizationId, group: string) => Effect.Effect<ScimGroup | undefined>
    readonly findByName: (id: OrganizationId, name: string) => Effect.Effect<ScimGroup | undefined>
    readonly insert: (group: ScimGroup) => Effect.Effect<void>
    readonly update: (group: ScimGroup) => Effect.Effect<void>
    readonly remove: (group: string) => Effect.Effect<void>
    readonly members: (group: string) => Effect.Effect<ReadonlyArray<ScimGroupMember>>
    /** Those of these accounts that are provisioned to the organization become the members. */
    readonly setMembers: (group: ScimGroup, users: ReadonlyArray<string>) => Effect.Effect<void>
    /** The names of the groups of an account, or of nobody's. */
    readonly namesOf: (id: OrganizationId, userId: UserId) => Effect.Effect<ReadonlyArray<string>>
    /** Gives a team of the organization with the name of the group the members of both. */
    readonly mirrorToTeam: (group: ScimGroup, at: EpochMillis) => Effect.Effect<void>
  }
>()("@kanmon/control-plane/sso/ScimGroupRepository") {
  static readonly layer = Layer.effect(
    ScimGroupRepository,
    Effect.gen(function* () {
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

      const insert = Effect.fn("ScimGroupRepository.insert")(function* (group: ScimGroup) {
        yield* sql`INSERT INTO scim_groups ${sql.insert({
          id: group.id,
          organization_id: group.organizationId,
          display_name: group.displayName,
          external_id: group.externalId,
          created_at: new Date(group.createdAt),
          updated_at: new Date(group.updatedAt)
        })}`
      }, Effect.orDie)

      const update = Effect.fn("ScimGroupRepository.update")(function* (group: ScimGroup) {
        yield* sql`UPDATE scim_groups SET display_name = ${group.displayName}, external_id = ${group.externalId},
          updated_at = ${new Date(group.updatedAt)} WHERE id = ${group.id}`
      }, Effect.orDie)

      const remove = Effect.fn("ScimGroupRepository.remove")(function* (group: string) {
        yield* sql`DELETE FROM scim_groups WHERE id = ${group}`
      }, Effect.orDie)

      const members = Effect.fn("ScimGroupRepository.members")((group: string) =>
        Rows.all(MemberRow)(sql`SELECT m.user_id AS "userId", u.user_name AS "userName"
          FROM scim_group_members m JOIN scim_groups g ON g.id = m.group_id
            JOIN scim_users u ON u.user_id = m.user_id AND u.organization_id = g.organization_id
          WHERE m.group_id = ${group} ORDER BY m.user_id`)
      )

      const setMembers = Effect.fn("ScimGroupRepository.setMembers")(function* (
        group: ScimGroup,
        users: ReadonlyArray<string>
      ) {
        yield* sql`DELETE FROM scim_group_members WHERE group_id = ${group.id} AND user_id <> ALL(${users}::text[])`
        yield* sql`INSERT INTO scim_group_members (group_id, user_id)
          SELECT ${group.id}, user_id FROM scim_users
          WHERE organization_id = ${group.organizationId} AND user_id = ANY(${users}::text[])
          ON CONFLICT DO NOTHING`
      }, Effect.orDie)

      const namesOf = Effect.fn("ScimGroupRepository.namesOf")((id: OrganizationId, userId: UserId) =>
        Effect.map(
          Rows.all(Schema.Struct({ name: Schema.String }))(sql`SELECT g.display_name AS name
            FROM scim_group_members m JOIN scim_groups g ON g.id = m.group_id
            WHERE g.organization_id = ${id} AND m.user_id = ${userId}`),
          (rows) => rows.map(({ name }) => name)
        )
      )

      const mirrorToTeam = Effect.fn("ScimGroupRepository.mirrorToTeam")(function* (group: ScimGroup, at: EpochMillis) {
        const team = sql`SELECT id FROM teams
          WHERE organization_id = ${group.organizationId} AND lower(name) = lower(${group.displayName})`
        const users = sql`SELECT g.user_id FROM scim_group_members g
            JOIN organization_members m ON m.user_id = g.user_id AND m.organization_id = ${group.organizationId}
          WHERE g.group_id = ${group.id}`
        yield* sql`DELETE FROM team_members WHERE team_id IN (${team}) AND user_id NOT IN (${users})`
        yield* sql`INSERT INTO team_members (team_id, user_id, created_at)
          SELECT t.id, u.user_id, ${new Date(at)}::timestamptz FROM (${team}) t CROSS JOIN (${users}) u
          ON CONFLICT DO NOTHING`
      }, Effect.orDie)

      return ScimGroupRepository.of({
        list,
        find,
        findByName,
        insert,
        update,
        remove,
        members,
        setMembers,
        namesOf,
        mirrorToTeam
      })
    })
  )
}
