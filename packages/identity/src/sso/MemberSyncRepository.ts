/** Memberships as single sign-on asks for them. */
import type { OrganizationId, UserId } from "@kanmon/domain/Ids"
import { MemberSource, Role } from "@kanmon/domain/Role"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

const MemberRow = Schema.Struct({ role: Role, source: MemberSource })

export class MemberSyncRepository extends Context.Service<MemberSyncRepository>()(
  "@kanmon/identity/sso/MemberSyncRepository",
  {
    make: Effect.map(SqlClient.SqlClient, (sql) => ({
      find: Effect.fn("MemberSyncRepository.find")((id: OrganizationId, userId: UserId) =>
        Rows.first(MemberRow)(sql`SELECT role, source FROM organization_members
            WHERE organization_id = ${id} AND user_id = ${userId}`)
      ),
      /** Whether the account is a member of any organization. */
      isMember: Effect.fn("MemberSyncRepository.isMember")((userId: UserId) =>
        Rows.any(sql`SELECT 1 FROM organization_members WHERE user_id = ${userId} LIMIT 1`)
      ),
      /** Whether the account owns the organization. */
      isOwner: Effect.fn("MemberSyncRepository.isOwner")((id: OrganizationId, userId: UserId) =>
        Rows.any(sql`SELECT 1 FROM organization_members
            WHERE organization_id = ${id} AND user_id = ${userId} AND role = 'owner'`)
      )
    }))
  }
) {
  static readonly layer = Layer.effect(MemberSyncRepository, MemberSyncRepository.make)
}
