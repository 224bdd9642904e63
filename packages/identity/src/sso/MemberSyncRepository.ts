/** Memberships as single sign-on asks for them. */
import type { OrganizationId, UserId } from "@kanmon/domain/Ids"
import { MemberSource, Role } from "@kanmon/domain/Role"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

const MemberRow = Schema.Struct({ role: Role, source: MemberSource })

export class MemberSyncRepository extends Context.Service<
  MemberSyncRepository,
  {
    readonly find: (id: OrganizationId, userId: UserId) => Effect.Effect<typeof MemberRow.Type | undefined>
    /** Whether the account is a member of any organization. */
    readonly isMember: (userId: UserId) => Effect.Effect<boolean>
    /** Whether the account owns the organization. */
    readonly isOwner: (id: OrganizationId, userId: UserId) => Effect.Effect<boolean>
  }
>()("@kanmon/identity/sso/MemberSyncRepository") {
  static readonly layer = Layer.effect(
    MemberSyncRepository,
    Effect.map(SqlClient.SqlClient, (sql) =>
      MemberSyncRepository.of({
        find: Effect.fn("MemberSyncRepository.find")((id, userId) =>
          Rows.first(MemberRow)(sql`SELECT role, source FROM organization_members
            WHERE organization_id = ${id} AND user_id = ${userId}`)
        ),
        isMember: Effect.fn("MemberSyncRepository.isMember")((userId) =>
          Rows.any(sql`SELECT 1 FROM organization_members WHERE user_id = ${userId} LIMIT 1`)
        ),
        isOwner: Effect.fn("MemberSyncRepository.isOwner")((id, userId) =>
          Rows.any(sql`SELECT 1 FROM organization_members
            WHERE organization_id = ${id} AND user_id = ${userId} AND role = 'owner'`)
        )
      })
    )
  )
}
