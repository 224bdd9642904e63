/** Memberships as an identity provider changes them. */
import type { OrganizationId, UserId } from "@kanmon/domain/Ids"
import { MemberSource, Role } from "@kanmon/domain/Role"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as Rows from "../platform/database/Rows.ts"

const MemberRow = Schema.Struct({ role: Role, source: MemberSource })

export class MemberSyncRepository extends Context.Service<
  MemberSyncRepository,
  {
    readonly find: (id: OrganizationId, userId: UserId) => Effect.Effect<typeof MemberRow.Type | undefined>
    readonly insert: (
      id: OrganizationId,
      userId: UserId,
      role: Role,
      source: MemberSource,
      at: EpochMillis
    ) => Effect.Effect<void>
    readonly update: (id: OrganizationId, userId: UserId, role: Role) => Effect.Effect<void>
    /** Also from teams and projects of the organization, with the open invitations that the account sent. */
    readonly remove: (id: OrganizationId, userId: UserId) => Effect.Effect<void>
    readonly countOwners: (id: OrganizationId) => Effect.Effect<number>
    /** Whether the account is a member of any organization. */
    readonly isMember: (userId: UserId) => Effect.Effect<boolean>
    /** Whether the account owns the organization. */
    readonly isOwner: (id: OrganizationId, userId: UserId) => Effect.Effect<boolean>
  }
>()("@kanmon/control-plane/sso/MemberSyncRepository") {
  static readonly layer = Layer.effect(
    MemberSyncRepository,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const counted = (statement: Statement.Statement<unknown>) =>
        Effect.map(Rows.one(Schema.Struct({ count: Rows.Count }))(statement), ({ count }) => count)

      const find = Effect.fn("MemberSyncRepository.find")((id: OrganizationId, userId: UserId) =>
        Rows.first(MemberRow)(sql`SELECT role, source FROM organization_members
          WHERE organization_id = ${id} AND user_id = ${userId}`)
      )

      const insert: MemberSyncRepository["Service"]["insert"] = Effect.fn("MemberSyncRepository.insert")(function* (
        id,
        userId,
        role,
        source,
        at
      ) {
        yield* sql`INSERT INTO organization_members (organization_id, user_id, role, source, created_at)
            VALUES (${id}, ${userId}, ${role}, ${source}, ${new Date(at)})`
      }, Effect.orDie)

      const update = Effect.fn("MemberSyncRepository.update")(function* (
        id: OrganizationId,
        userId: UserId,
        role: Role
      ) {
        yield* sql`UPDATE organization_members SET role = ${role}
          WHERE organization_id = ${id} AND user_id = ${userId}`
      }, Effect.orDie)

      const remove = Effect.fn("MemberSyncRepository.remove")(function* (id: OrganizationId, userId: UserId) {
        yield* sql`DELETE FROM project_members pm USING projects p
          WHERE p.id = pm.project_id AND p.organization_id = ${id} AND pm.user_id = ${userId}`
        yield* sql`DELETE FROM team_members tm USING teams t
          WHERE t.id = tm.team_id AND t.organization_id = ${id} AND tm.user_id = ${userId}`
        yield* sql`DELETE FROM invitations WHERE organization_id = ${id} AND invited_by = ${userId}`
        yield* sql`DELETE FROM organization_members WHERE organization_id = ${id} AND user_id = ${userId}`
      }, Effect.orDie)

      const countOwners = Effect.fn("MemberSyncRepository.countOwners")((id: OrganizationId) =>
        counted(sql`SELECT count(*) AS count FROM organization_members
          WHERE organization_id = ${id} AND role = 'owner'`)
      )

      const isMember = Effect.fn("MemberSyncRepository.isMember")((userId: UserId) =>
        Rows.any(sql`SELECT 1 FROM organization_members WHERE user_id = ${userId} LIMIT 1`)
      )

      const isOwner = Effect.fn("MemberSyncRepository.isOwner")((id: OrganizationId, userId: UserId) =>
        Rows.any(sql`SELECT 1 FROM organization_members
          WHERE organization_id = ${id} AND user_id = ${userId} AND role = 'owner'`)
      )

      return MemberSyncRepository.of({
        find,
        insert,
        update,
        remove,
        countOwners,
        isMember,
        isOwner
      })
    })
  )
}
