/** Members of organizations in the database, with the roles that are raised for single projects. */
import { type OrganizationId, type ProjectId, UserId } from "@kanmon/domain/Ids"
import type { ProjectMember } from "@kanmon/domain/Organization"
import { highest, MemberSource, Role } from "@kanmon/domain/Role"
import { byNameAnd } from "@kanmon/domain/SearchText"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"
import { MemberPresence } from "./OrganizationHooks.ts"

const MemberRow = Schema.Struct({
  userId: UserId,
  name: Schema.String,
  email: Schema.String,
  role: Role,
  source: MemberSource,
  twoFactor: Schema.Boolean,
  lastSeenAt: Schema.NullOr(Rows.Time),
  createdAt: Rows.Time
})

const ProjectMemberRow = Schema.Struct({
  userId: UserId,
  name: Schema.String,
  email: Schema.String,
  organizationRole: Role,
  projectRole: Schema.NullOr(Role)
})

const Total = Schema.Struct({ count: Rows.Count })

export class MemberRepository extends Context.Service<MemberRepository>()(
  "@kanmon/identity/organizations/MemberRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      // Every way into an organization and out of it leads through this table.
      const { changing } = yield* MemberPresence
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.asVoid(Effect.orDie(statement))

      const members = (id: OrganizationId) => sql`SELECT u.id AS "userId", u.name, u.email, m.role, m.source,
          u.two_factor_enabled AS "twoFactor", (SELECT max(s.updated_at) FROM sessions s
            WHERE s.user_id = u.id AND s.impersonated_by IS NULL) AS "lastSeenAt",
          m.created_at AS "createdAt"
        FROM organization_members m JOIN users u ON u.id = m.user_id WHERE m.organization_id = ${id}`

      const ofProject = (projectId: ProjectId) => sql`SELECT u.id AS "userId", u.name, u.email,
          m.role AS "organizationRole", r.role AS "projectRole"
        FROM projects p JOIN organization_members m ON m.organization_id = p.organization_id
        JOIN users u ON u.id = m.user_id
        LEFT JOIN project_members r ON r.project_id = p.id AND r.user_id = m.user_id
        WHERE p.id = ${projectId}`

      const count = (statement: Parameters<ReturnType<typeof Rows.one<typeof Total>>>[0]) =>
        Effect.map(Rows.one(Total)(statement), ({ count }) => count)

      return {
        /** By name. */
        list: Effect.fn("MemberRepository.list")((id: OrganizationId) =>
          Effect.map(
            Rows.all(MemberRow)(members(id)),
            byNameAnd(({ userId }: typeof MemberRow.Type) => userId)
          )
        ),
        find: Effect.fn("MemberRepository.find")((id: OrganizationId, userId: UserId) =>
          Rows.first(MemberRow)(sql`${members(id)} AND m.user_id = ${userId}`)
        ),
        /** Adds a member; false when the account is one already. */
        insert: Effect.fn("MemberRepository.insert")(
          (
            id: OrganizationId,
            {
              at,
              role,
              source,
              userId
            }: { readonly userId: UserId; readonly role: Role; readonly source: MemberSource; readonly at: EpochMillis }
          ) =>
            changing(
              userId,
              Rows.any(sql`INSERT INTO organization_members (organization_id, user_id, role, source, created_at)
              VALUES (${id}, ${userId}, ${role}, ${source}, ${new Date(at)}) ON CONFLICT DO NOTHING RETURNING user_id`)
            )
        ),
        setRole: (id: OrganizationId, userId: UserId, role: Role) =>
          changing(
            userId,
            run(
              sql`UPDATE organization_members SET role = ${role} WHERE organization_id = ${id} AND user_id = ${userId}`
            )
          ),
        /** Removes a member, also from the organization's projects and teams. */
        remove: Effect.fn("MemberRepository.remove")(function* (id: OrganizationId, userId: UserId) {
          yield* sql`DELETE FROM project_members WHERE user_id = ${userId}
            AND project_id IN (SELECT id FROM projects WHERE organization_id = ${id})`
          yield* sql`DELETE FROM team_members WHERE user_id = ${userId}
            AND team_id IN (SELECT id FROM teams WHERE organization_id = ${id})`
          yield* changing(
            userId,
            sql`DELETE FROM organization_members WHERE organization_id = ${id} AND user_id = ${userId}`
          )
          // Contents that exist now still count for the founder; later ones do not.
          yield* sql`UPDATE organizations SET founder_left_at = ${new Date(yield* Clock.currentTimeMillis)}
            WHERE id = ${id} AND founded_by = ${userId}`
        }, Effect.orDie),
        countOwners: (id: OrganizationId) =>
          count(
            sql`SELECT count(*) AS count FROM organization_members WHERE organization_id = ${id} AND role = 'owner'`
          ),
        /** Members that count against the plan. Members with only the role viewer do not count. */
        countPaid: (id: OrganizationId) =>
          count(sql`SELECT count(*) AS count FROM organization_members m WHERE m.organization_id = ${id}
            AND (m.role <> 'viewer' OR EXISTS (SELECT FROM project_members r JOIN projects p ON p.id = r.project_id
              WHERE p.organization_id = ${id} AND r.user_id = m.user_id AND r.role <> 'viewer'))`),
        /** Whether an account with this normalized address is a member. */
        hasAddress: (id: OrganizationId, email: string) =>
          Rows.any(sql`SELECT 1 FROM organization_members m JOIN users u ON u.id = m.user_id
            WHERE m.organization_id = ${id} AND lower(u.email) = ${email}`),
        /** By name, as one project sees them. */
        ofProject: Effect.fn("MemberRepository.ofProject")((projectId: ProjectId) =>
          Effect.map(Rows.all(ProjectMemberRow)(ofProject(projectId)), (rows) =>
            byNameAnd(({ userId }: typeof ProjectMemberRow.Type) => userId)(rows).map(inProject)
          )
        ),
        findOfProject: Effect.fn("MemberRepository.findOfProject")((projectId: ProjectId, userId: UserId) =>
          Effect.map(
            Rows.first(ProjectMemberRow)(sql`${ofProject(projectId)} AND m.user_id = ${userId}`),
            (row) => row && inProject(row)
          )
        ),
        raise: (projectId: ProjectId, userId: UserId, role: Role, at: EpochMillis) =>
          run(sql`INSERT INTO project_members (project_id, user_id, role, created_at)
            VALUES (${projectId}, ${userId}, ${role}, ${new Date(at)})
            ON CONFLICT (project_id, user_id) DO UPDATE SET role = EXCLUDED.role`),
        reset: (projectId: ProjectId, userId: UserId) =>
          run(sql`DELETE FROM project_members WHERE project_id = ${projectId} AND user_id = ${userId}`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(MemberRepository, MemberRepository.make)
}

const inProject = (row: typeof ProjectMemberRow.Type): ProjectMember => ({
  ...row,
  role: row.projectRole === null ? row.organizationRole : highest(row.organizationRole, row.projectRole)
})
