/** Projects in the database. Their API keys are found by hash and stored encrypted, so that a project can show its own. */
import { OrganizationId, ProjectId, UserId } from "@kanmon/domain/Ids"
import type { StoredProject } from "@kanmon/domain/Project"
import { highest, Role } from "@kanmon/domain/Role"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"
import { hashToken, Secrets } from "@kanmon/platform/database/Secrets"

const ProjectRow = Schema.Struct({
  id: ProjectId,
  organization_id: OrganizationId,
  name: Schema.String,
  timezone: Schema.String,
  api_key_encrypted: Schema.String,
  created_at: Rows.Time,
  updated_at: Rows.Time
})

/** Both roles of an account: the one in the organization, and the one in the project, if there is one. */
const rolesFields = { role: Role, raised: Schema.NullOr(Role) }
const RolesRow = Schema.Struct(rolesFields)
const StandingRow = Schema.Struct({ ...rolesFields, disabled: Schema.Boolean })
const MembershipRow = Schema.Struct({ userId: UserId, projectId: ProjectId, ...rolesFields })

/** An account and a project. */
interface Membership {
  readonly userId: UserId
  readonly projectId: ProjectId
}

const MemberRow = Schema.Struct({ ...ProjectRow.fields, ...rolesFields })

export class ProjectRepository extends Context.Service<ProjectRepository>()(
  "@kanmon/identity/projects/ProjectRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* Secrets

      const read = (row: typeof ProjectRow.Type): StoredProject => ({
        id: row.id,
        organizationId: row.organization_id,
        name: row.name,
        timezone: row.timezone,
        apiKey: secrets.decrypt(row.api_key_encrypted, row.id),
        createdAt: row.created_at,
        updatedAt: row.updated_at
      })

      const first = (statement: Statement.Statement<unknown>) =>
        Effect.map(Rows.first(ProjectRow)(statement), (row) => (row === undefined ? undefined : read(row)))

      /** The projects of an organization, newest first. */
      const ofOrganization = Effect.fn("ProjectRepository.ofOrganization")((organizationId: OrganizationId) =>
        Effect.map(
          Rows.all(ProjectRow)(sql`SELECT * FROM projects WHERE organization_id = ${organizationId} ORDER BY id DESC`),
          (rows) => rows.map(read)
        )
      )

      /** The projects of all organizations of an account, newest first, with its role in each. */
      const ofMember = Effect.fn("ProjectRepository.ofMember")((userId: UserId) =>
        Effect.map(
          Rows.all(MemberRow)(sql`SELECT p.*, m.role, r.role AS raised FROM organization_members m
            JOIN projects p ON p.organization_id = m.organization_id
            LEFT JOIN project_members r ON r.project_id = p.id AND r.user_id = m.user_id
            WHERE m.user_id = ${userId} ORDER BY p.id DESC`),
          (rows) => rows.map((row) => ({ ...read(row), role: effective(row) }))
        )
      )

      /** The role of an account in a project. */
      const standingOf = Effect.fn("ProjectRepository.standingOf")((userId: UserId, id: ProjectId) =>
        Effect.map(
          Rows.first(
            StandingRow
          )(sql`SELECT m.role, r.role AS raised, o.disabled_at IS NOT NULL AS disabled FROM projects p
            JOIN organizations o ON o.id = p.organization_id
            JOIN organization_members m ON m.organization_id = p.organization_id AND m.user_id = ${userId}
            LEFT JOIN project_members r ON r.project_id = p.id AND r.user_id = m.user_id
            WHERE p.id = ${id}`),
          (row) => (row === undefined ? undefined : { role: effective(row), isDisabled: row.disabled })
        )
      )

      /** The roles of accounts in projects. Accounts without a role are left out. */
      const rolesOf = Effect.fn("ProjectRepository.rolesOf")((memberships: ReadonlyArray<Membership>) =>
        Effect.map(
          Rows.all(MembershipRow)(sql`SELECT m.user_id AS "userId", p.id AS "projectId", m.role, r.role AS raised
            FROM json_to_recordset(${JSON.stringify(memberships)}::json) AS v("userId" text, "projectId" text)
            JOIN users u ON u.id = v."userId" AND u.disabled_at IS NULL
            JOIN projects p ON p.id = v."projectId"
            JOIN organizations o ON o.id = p.organization_id AND o.disabled_at IS NULL
            JOIN organization_members m ON m.organization_id = p.organization_id AND m.user_id = v."userId"
            LEFT JOIN project_members r ON r.project_id = p.id AND r.user_id = m.user_id`),
          (rows) => rows.map(({ projectId, userId, ...row }) => ({ userId, projectId, role: effective(row) }))
        )
      )

      const find = Effect.fn("ProjectRepository.find")((id: ProjectId) =>
        first(sql`SELECT * FROM projects WHERE id = ${id}`)
      )

      const owner = Effect.fn("ProjectRepository.owner")((id: ProjectId) =>
        Effect.map(
          Rows.first(Schema.Struct({ organization_id: OrganizationId }))(
            sql`SELECT organization_id FROM projects WHERE id = ${id}`
          ),
          (row) => row?.organization_id
        )
      )

      const insert = Effect.fn("ProjectRepository.insert")(function* (project: StoredProject) {
        const { apiKey, createdAt, id, name, organizationId, timezone } = project
        const at = new Date(createdAt)
        yield* sql`INSERT INTO projects (id, organization_id, name, timezone, api_key_hash, api_key_encrypted,
            created_at, updated_at)
          VALUES (${id}, ${organizationId}, ${name}, ${timezone}, ${hashToken(apiKey)}, ${secrets.encrypt(apiKey, id)}, ${at}, ${at})`
      }, Effect.orDie)

      /** The project, locked until the transaction ends. */
      const findLocked = Effect.fn("ProjectRepository.findLocked")((id: ProjectId) =>
        first(sql`SELECT * FROM projects WHERE id = ${id} FOR NO KEY UPDATE`)
      )

      /** Writes name and time zone; returns the project, or undefined when there is none. */
      const update = Effect.fn("ProjectRepository.update")(
        (id: ProjectId, { name, timezone }: Pick<StoredProject, "name" | "timezone">, at: EpochMillis) =>
          first(sql`UPDATE projects SET name = ${name}, timezone = ${timezone}, updated_at = ${new Date(at)}
            WHERE id = ${id} RETURNING *`)
      )

      /** Writes the API key; returns the project, or undefined when there is none. */
      const replaceKey = Effect.fn("ProjectRepository.replaceKey")((id: ProjectId, apiKey: string, at: EpochMillis) =>
        first(sql`UPDATE projects SET api_key_hash = ${hashToken(apiKey)},
            api_key_encrypted = ${secrets.encrypt(apiKey, id)}, updated_at = ${new Date(at)}
          WHERE id = ${id} RETURNING *`)
      )

      // A monitor that is created at the same time waits here, and then finds no project.
      /** The project, locked until the transaction ends against changes and against new records in it. */
      const lock = Effect.fn("ProjectRepository.lock")((id: ProjectId) =>
        first(sql`SELECT * FROM projects WHERE id = ${id} FOR UPDATE`)
      )

      /** Deletes the project with everything in it. */
      const remove = Effect.fn("ProjectRepository.remove")(function* (id: ProjectId) {
        yield* sql`DELETE FROM projects WHERE id = ${id}`
      }, Effect.orDie)

      return {
        ofOrganization,
        ofMember,
        standingOf,
        rolesOf,
        find,
        owner,
        insert,
        findLocked,
        update,
        replaceKey,
        lock,
        remove
      }
    })
  }
) {
  static readonly layer = Layer.effect(ProjectRepository, ProjectRepository.make)
}

const effective = ({ raised, role }: typeof RolesRow.Type): Role => (raised === null ? role : highest(role, raised))
