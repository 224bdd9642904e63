/** Everything that the database holds about one account: to be copied, and to be deleted. */
import { OrganizationId, type UserId } from "@kanmon/domain/Ids"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

type Json = Schema.JsonObject

const Row = Schema.Struct({ row: Schema.fromJsonString(Schema.Record(Schema.String, Schema.Json)) })

/** Tables of what belongs to projects. */
const ofProjects = ["monitors", "channels", "alert_rules", "status_pages", "incidents", "silences"] as const

/** Columns that are as secret as passwords, or only speed up searches. */
const hidden = ["api_key_hash", "api_key_encrypted", "config_encrypted", "token", "search"]

/** An organization of an account, which is locked until the transaction ends. */
const Held = Schema.Struct({
  id: OrganizationId,
  name: Schema.String,
  isAlone: Schema.Boolean,
  isLastOwner: Schema.Boolean
})

export class AccountDataRepository extends Context.Service<
  AccountDataRepository,
  {
    readonly copy: (id: UserId) => Effect.Effect<{
      readonly account: Json
      readonly sessions: ReadonlyArray<Json>
      readonly passkeys: ReadonlyArray<Json>
      readonly memberships: ReadonlyArray<Json>
      readonly projectRoles: ReadonlyArray<Json>
      readonly auditLog: ReadonlyArray<Json>
      readonly owned: Readonly<Record<string, ReadonlyArray<Json>>>
    }>
    readonly lockOrganizations: (id: UserId) => Effect.Effect<ReadonlyArray<typeof Held.Type>>
    /** Its sessions, passkeys and memberships go with it. */
    readonly remove: (id: UserId) => Effect.Effect<void>
  }
>()("@kanmon/identity/accounts/AccountDataRepository") {
  static readonly layer = Layer.effect(
    AccountDataRepository,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const many = (from: Statement.Fragment) =>
        Effect.map(Rows.all(Row)(sql`SELECT (to_jsonb(t) - ${hidden}::text[])::text AS row FROM ${from}`), (rows) =>
          rows.map(({ row }) => row)
        )

      const copy: AccountDataRepository["Service"]["copy"] = Effect.fn("AccountDataRepository.copy")(function* (id) {
        const alone = sql`(SELECT m.organization_id FROM organization_members m WHERE m.user_id = ${id} AND NOT EXISTS
          (SELECT FROM organization_members o WHERE o.organization_id = m.organization_id AND o.user_id <> ${id}))`
        const [account = {}] = yield* many(sql`users t WHERE t.id = ${id}`)
        const owned: Record<string, ReadonlyArray<Json>> = {
          organizations: yield* many(sql`organizations t WHERE t.id IN ${alone} ORDER BY t.id`),
          projects: yield* many(sql`projects t WHERE t.organization_id IN ${alone} ORDER BY t.id`)
        }
        for (const table of ofProjects)
          owned[table] = yield* many(sql`${sql(table)} t JOIN projects p ON p.id = t.project_id
            WHERE p.organization_id IN ${alone} ORDER BY t.id`)
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
          owned
        }
      })

      const lockOrganizations = Effect.fn("AccountDataRepository.lockOrganizations")(function* (id: UserId) {
        const mine = sql`FROM organizations o JOIN organization_members m ON m.organization_id = o.id AND m.user_id = ${id}
          ORDER BY o.id`
        // First the locks: a statement that waits for one sees the members as they were before it waited.
        yield* Rows.any(sql`SELECT o.id ${mine} FOR UPDATE OF o`)
        return yield* Rows.all(Held)(sql`SELECT o.id, o.name,
            NOT EXISTS (SELECT FROM organization_members x WHERE x.organization_id = o.id AND x.user_id <> ${id}) AS "isAlone",
            m.role = 'owner' AND NOT EXISTS (SELECT FROM organization_members x
              WHERE x.organization_id = o.id AND x.user_id <> ${id} AND x.role = 'owner') AS "isLastOwner"
          ${mine}`)
      })

      const remove = Effect.fn("AccountDataRepository.remove")((id: UserId) =>
        sql`DELETE FROM users WHERE id = ${id}`.pipe(Effect.asVoid, Effect.orDie)
      )

      return AccountDataRepository.of({ copy, lockOrganizations, remove })
    })
  )
}
