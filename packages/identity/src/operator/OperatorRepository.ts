/** Accounts and organizations of the whole installation in the database, with how much they have. */
import { OrganizationId, ProjectId, UserId } from "@kanmon/domain/Ids"
import { Role } from "@kanmon/domain/Role"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

const AccountRow = Schema.Struct({
  id: UserId,
  email: Schema.String,
  name: Schema.String,
  emailVerified: Schema.Boolean,
  isAdmin: Schema.Boolean,
  organizations: Rows.Count,
  sessions: Rows.Count,
  createdAt: Rows.Time,
  lastSignedInAt: Schema.NullOr(Rows.Time),
  disabledAt: Schema.NullOr(Rows.Time)
})
export type AccountRow = typeof AccountRow.Type

const MembershipRow = Schema.Struct({
  organizationId: OrganizationId,
  name: Schema.String,
  role: Role,
  disabledAt: Schema.NullOr(Rows.Time)
})

const OrganizationRow = Schema.Struct({
  id: OrganizationId,
  name: Schema.String,
  owners: Schema.Array(Schema.String),
  members: Rows.Count,
  projects: Rows.Count,
  createdAt: Rows.Time,
  disabledAt: Schema.NullOr(Rows.Time)
})
export type OrganizationRow = typeof OrganizationRow.Type

/** Which ones. */
export interface PeopleFilter {
  /** Part of a name or an address, or an ID. */
  readonly text?: string | undefined
  readonly disabled?: boolean | undefined
}

interface PageOf {
  /** Only those with lower IDs. */
  readonly before: string | undefined
  readonly limit: number
}

export class OperatorRepository extends Context.Service<OperatorRepository>()(
  "@kanmon/identity/operator/OperatorRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const has = (text: string, column: Statement.Fragment) =>
        // The database lowers both: under the locale C it leaves letters such as Ü alone.
        sql`position(lower(${text}) IN lower(${column})) > 0`

      const conditions = (
        { disabled, text }: PeopleFilter,
        { before }: Pick<PageOf, "before">,
        columns: (text: string) => ReadonlyArray<Statement.Fragment>
      ) =>
        sql.and([
          sql`TRUE`,
          ...(text === undefined ? [] : [sql.or(columns(text))]),
          ...(disabled === undefined ? [] : [sql`(x.disabled_at IS NOT NULL) = ${disabled}`]),
          ...(before === undefined ? [] : [sql`x.id < ${before}`])
        ])

      const accountColumns = (now: EpochMillis) => sql`x.id, x.email, x.name, x.email_verified AS "emailVerified",
        x.is_admin AS "isAdmin", x.created_at AS "createdAt", x.last_signed_in_at AS "lastSignedInAt",
        x.disabled_at AS "disabledAt",
        (SELECT count(*) FROM organization_members m WHERE m.user_id = x.id) AS organizations,
        (SELECT count(*) FROM sessions s WHERE s.user_id = x.id AND s.expires_at > ${new Date(now)}) AS sessions`

      /** Newest first. `isAdmin` is only what the operator set by command. */
      const accounts = Effect.fn("OperatorRepository.accounts")((
        filter: PeopleFilter,
        page: PageOf,
        now: EpochMillis
      ) => {
        const searched = (text: string) => [has(text, sql`x.email`), has(text, sql`x.name`), sql`x.id = ${text}`]
        return Rows.all(AccountRow)(sql`SELECT ${accountColumns(now)} FROM users x
            WHERE ${conditions(filter, page, searched)} ORDER BY x.id DESC LIMIT ${page.limit}`)
      })

      const organizationColumns = sql`x.id, x.name, x.created_at AS "createdAt", x.disabled_at AS "disabledAt",
        ARRAY(SELECT u.email FROM organization_members m JOIN users u ON u.id = m.user_id
          WHERE m.organization_id = x.id AND m.role = 'owner' ORDER BY m.created_at, u.id LIMIT 10) AS owners,
        (SELECT count(*) FROM organization_members m WHERE m.organization_id = x.id) AS members,
        (SELECT count(*) FROM projects p WHERE p.organization_id = x.id) AS projects`

      /** Newest first. */
      const organizations = Effect.fn("OperatorRepository.organizations")((filter: PeopleFilter, page: PageOf) => {
        const searched = (text: string) => [
          has(text, sql`x.name`),
          sql`x.id = ${text}`,
          sql`EXISTS (SELECT FROM organization_members m JOIN users u ON u.id = m.user_id
            WHERE m.organization_id = x.id AND m.role = 'owner' AND ${has(text, sql`u.email`)})`
        ]
        return Rows.all(OrganizationRow)(sql`SELECT ${organizationColumns} FROM organizations x
          WHERE ${conditions(filter, page, searched)} ORDER BY x.id DESC LIMIT ${page.limit}`)
      })

      return {
        accounts,
        account: (id: UserId, now: EpochMillis) =>
          Rows.first(AccountRow)(sql`SELECT ${accountColumns(now)} FROM users x WHERE x.id = ${id}`),
        /** The organizations of an account, the oldest first. */
        memberships: (id: UserId) =>
          Rows.all(MembershipRow)(sql`SELECT o.id AS "organizationId", o.name, m.role, o.disabled_at AS "disabledAt"
            FROM organization_members m JOIN organizations o ON o.id = m.organization_id
            WHERE m.user_id = ${id} ORDER BY o.created_at, o.id`),
        organizations,
        organization: (id: OrganizationId) =>
          Rows.first(OrganizationRow)(sql`SELECT ${organizationColumns} FROM organizations x WHERE x.id = ${id}`),
        /** The projects of an organization. */
        projects: (id: OrganizationId) =>
          Effect.map(
            Rows.all(Schema.Struct({ id: ProjectId }))(sql`SELECT id FROM projects WHERE organization_id = ${id}`),
            (rows) => rows.map((row) => row.id)
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(OperatorRepository, OperatorRepository.make)
}
