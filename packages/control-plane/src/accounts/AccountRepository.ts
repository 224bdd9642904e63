/** Accounts in the database, and how many records of each kind they have. */
import type { CountedKind } from "@kanmon/domain/AccountQuotas"
import { type ProjectId, UserId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as Rows from "../platform/database/Rows.ts"

export interface Account {
  readonly id: UserId
  readonly email: string
  readonly name: string
  readonly emailVerified: boolean
  readonly createdAt: EpochMillis
}

const AccountRow = Schema.Struct({
  id: UserId,
  email: Schema.String,
  name: Schema.String,
  emailVerified: Schema.Boolean,
  createdAt: Rows.Time
})

const Id = Schema.Struct({ id: UserId })

/** The tables of kinds that belong to projects. */
const tables = {
  channels: "channels",
  alertRules: "alert_rules",
  statusPages: "status_pages",
  openIncidents: "incidents"
} as const satisfies Record<Exclude<CountedKind, "projects">, string>

export class AccountRepository extends Context.Service<
  AccountRepository,
  {
    /** Whether there is any account. */
    readonly exist: Effect.Effect<boolean>
    /** Finds an account by its normalized e-mail address. */
    readonly find: (email: string) => Effect.Effect<Account | undefined>
    readonly setAdmin: (email: string, isAdmin: boolean) => Effect.Effect<Account | undefined>
    /** Accounts with these normalized addresses that are no admins and whose addresses are not verified. */
    readonly unproven: (emails: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Account>>
    /** Locks an account until the transaction ends. */
    readonly lock: (id: UserId) => Effect.Effect<void>
    /** Locks the owner of a project until the transaction ends; undefined when there is no such project. */
    readonly lockOwner: (projectId: ProjectId) => Effect.Effect<UserId | undefined>
    /** How many records of a kind the account has over all its projects. Incidents count until they are resolved. */
    readonly count: (id: UserId, kind: CountedKind) => Effect.Effect<number>
  }
>()("@kanmon/control-plane/accounts/AccountRepository") {
  static readonly layer = Layer.effect(
    AccountRepository,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const columns = sql`id, email, name, email_verified AS "emailVerified", created_at AS "createdAt"`

      const exist = Rows.any(sql`SELECT 1 FROM users LIMIT 1`)

      const find = Effect.fn("AccountRepository.find")((email: string) =>
        Rows.first(AccountRow)(sql`SELECT ${columns} FROM users WHERE lower(email) = ${email}`)
      )

      const setAdmin = Effect.fn("AccountRepository.setAdmin")((email: string, isAdmin: boolean) =>
        Rows.first(AccountRow)(
          sql`UPDATE users SET is_admin = ${isAdmin} WHERE lower(email) = ${email} RETURNING ${columns}`
        )
      )

      const unproven = Effect.fn("AccountRepository.unproven")((emails: ReadonlyArray<string>) =>
        Rows.all(AccountRow)(sql`SELECT ${columns} FROM users WHERE lower(email) = ANY(${emails}::text[])
          AND NOT is_admin AND NOT email_verified ORDER BY email`)
      )

      const lock = Effect.fn("AccountRepository.lock")((id: UserId) =>
        Effect.asVoid(Rows.any(sql`SELECT id FROM users WHERE id = ${id} FOR NO KEY UPDATE`))
      )

      const lockOwner = Effect.fn("AccountRepository.lockOwner")((projectId: ProjectId) =>
        Effect.map(
          Rows.first(Id)(sql`SELECT u.id FROM users u JOIN projects p ON p.user_id = u.id
            WHERE p.id = ${projectId} FOR NO KEY UPDATE OF u`),
          (row) => row?.id
        )
      )

      const counted = (statement: Statement.Statement<unknown>) =>
        Effect.map(Rows.one(Schema.Struct({ count: Rows.Count }))(statement), ({ count }) => count)

      const count = Effect.fn("AccountRepository.count")((id: UserId, kind: CountedKind) => {
        if (kind === "projects") return counted(sql`SELECT count(*) AS count FROM projects WHERE user_id = ${id}`)
        return counted(sql`SELECT count(*) AS count FROM ${sql(tables[kind])} t JOIN projects p ON p.id = t.project_id
          WHERE p.user_id = ${id} ${kind === "openIncidents" ? sql`AND t.resolved_at IS NULL` : sql``}`)
      })

      return AccountRepository.of({ exist, find, setAdmin, unproven, lock, lockOwner, count })
    })
  )
}
