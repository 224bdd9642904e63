/** Everything that the database holds about one account, as a copy for its owner. */
import { OrganizationId, ProjectId, type UserId } from "@kanmon/domain/Ids"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { OrganizationContents } from "../organizations/index.ts"
import * as Rows from "@kanmon/platform/database/Rows"

const OrganizationRow = Schema.Struct({ id: OrganizationId })
const ProjectRow = Schema.Struct({ id: ProjectId })
// Texts of the database, which go into the answer as they are: to read and write thousands would hold the event loop.
const Row = Schema.Struct({ row: Schema.String })

/** Columns that are as secret as passwords, or only speed up searches. */
const hidden = ["api_key_hash", "api_key_encrypted", "config_encrypted", "token", "token_hash", "search"]

export class AccountDataRepository extends Context.Service<AccountDataRepository>()(
  "@kanmon/identity/accounts/AccountDataRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const contents = yield* OrganizationContents
      const projectIds = (statement: Statement.Statement<unknown>) =>
        Effect.map(Rows.all(ProjectRow)(statement), (rows) => rows.map(({ id }) => id))
      const many = (from: Statement.Fragment) =>
        Effect.map(Rows.all(Row)(sql`SELECT (to_jsonb(t) - ${hidden}::text[])::text AS row FROM ${from}`), (rows) =>
          rows.map(({ row }) => row)
        )

      /** Each record is the text of a JSON object. */
      const copy = Effect.fn("AccountDataRepository.copy")(function* (id: UserId) {
        const alone = sql`(SELECT m.organization_id FROM organization_members m WHERE m.user_id = ${id} AND NOT EXISTS
          (SELECT FROM organization_members o WHERE o.organization_id = m.organization_id AND o.user_id <> ${id}))`
        const [account = "{}"] = yield* many(sql`users t WHERE t.id = ${id}`)
        const owned: Record<string, ReadonlyArray<string>> = {
          organizations: yield* many(sql`organizations t WHERE t.id IN ${alone} ORDER BY t.id`),
          projects: yield* many(sql`projects t WHERE t.organization_id IN ${alone} ORDER BY t.id`)
        }
        const inProjects = yield* contents.copy(
          yield* projectIds(sql`SELECT id FROM projects WHERE organization_id IN ${alone}`),
          hidden
        )
        const ownedIds = yield* Rows.all(OrganizationRow)(sql`SELECT id FROM organizations WHERE id IN ${alone}`)
        const shared = yield* contents.copyShared(
          ownedIds.map((organization) => organization.id),
          hidden
        )
        return {
          account,
          sessions: yield* many(sql`sessions t WHERE t.user_id = ${id} ORDER BY t.id`),
          passkeys: yield* many(sql`(SELECT id, name, device_type, backed_up, created_at FROM passkeys
            WHERE user_id = ${id} ORDER BY id) t`),
          memberships: yield* many(sql`(SELECT o.id, o.name, m.role, m.source, m.created_at FROM organization_members m
            JOIN organizations o ON o.id = m.organization_id WHERE m.user_id = ${id} ORDER BY o.id) t`),
          projectRoles: yield* many(sql`(SELECT project_id, role, created_at FROM project_members
            WHERE user_id = ${id} ORDER BY project_id) t`),
          auditLog: yield* many(sql`(SELECT id, at, action, target_name, address, change FROM audit_log
            WHERE account_id = ${id} OR (actor_kind = 'person' AND actor_id = ${id}) ORDER BY id DESC LIMIT 1000) t`),
          onCall: yield* contents.copyOfAccount(id, hidden),
          owned: { ...owned, ...inProjects, ...shared }
        }
      })

      return { copy }
    })
  }
) {
  static readonly layer = Layer.effect(AccountDataRepository, AccountDataRepository.make)
}
