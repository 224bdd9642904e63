/** Organizations in the database, and how many records of each kind they have. */
import { OrganizationId, type ProjectId, type UserId } from "@kanmon/domain/Ids"
import type { CountedKind } from "@kanmon/domain/OrganizationQuotas"
import { type MemberSource, Role } from "@kanmon/domain/Role"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as Rows from "../platform/database/Rows.ts"

export interface StoredOrganization {
  readonly id: OrganizationId
  readonly name: string
  readonly createdAt: EpochMillis
  readonly updatedAt: EpochMillis
}

const OrganizationRow = Schema.Struct({
  id: OrganizationId,
  name: Schema.String,
  createdAt: Rows.Time,
  updatedAt: Rows.Time
})

const Id = Schema.Struct({ id: OrganizationId })

/** The tables of kinds that belong to projects. */
const tables = {
  channels: "channels",
  alertRules: "alert_rules",
  statusPages: "status_pages",
  openIncidents: "incidents"
} as const satisfies Record<Exclude<CountedKind, "projects">, string>

export class OrganizationRepository extends Context.Service<
  OrganizationRepository,
  {
    readonly find: (id: OrganizationId) => Effect.Effect<StoredOrganization | undefined>
    readonly insert: (organization: StoredOrganization) => Effect.Effect<void>
    readonly insertMember: (
      id: OrganizationId,
      userId: UserId,
      role: Role,
      source: MemberSource,
      at: EpochMillis
    ) => Effect.Effect<void>
    /** The role of an account in the organization; undefined when it is no member. */
    readonly roleOf: (userId: UserId, id: OrganizationId) => Effect.Effect<Role | undefined>
    /** Whether an administrator of the installation has disabled the organization. */
    readonly isDisabled: (id: OrganizationId) => Effect.Effect<boolean>
    /** Writes that it is disabled, or that it is not; returns its name, or undefined when it was so already. */
    readonly setDisabled: (
      id: OrganizationId,
      isDisabled: boolean,
      at: EpochMillis
    ) => Effect.Effect<string | undefined>
    /** The oldest organization in which an account has one of these roles. */
    readonly oldest: (userId: UserId, roles: ReadonlyArray<Role>) => Effect.Effect<OrganizationId | undefined>
    /** Locks an organization until the transaction ends. */
    readonly lock: (id: OrganizationId) => Effect.Effect<void>
    /** Locks the owner of a project until the transaction ends; undefined when there is no such project. */
    readonly lockOwner: (projectId: ProjectId) => Effect.Effect<OrganizationId | undefined>
    /** How many records of a kind the organization has over all its projects. Incidents count until they are resolved. */
    readonly count: (id: OrganizationId, kind: CountedKind) => Effect.Effect<number>
  }
>()("@kanmon/control-plane/organizations/OrganizationRepository") {
  static readonly layer = Layer.effect(
    OrganizationRepository,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const find = Effect.fn("OrganizationRepository.find")((id: OrganizationId) =>
        Rows.first(OrganizationRow)(sql`SELECT id, name, created_at AS "createdAt", updated_at AS "updatedAt"
          FROM organizations WHERE id = ${id}`)
      )

      const insert = Effect.fn("OrganizationRepository.insert")(
        ({ createdAt, id, name, updatedAt }: StoredOrganization) =>
          sql`INSERT INTO organizations (id, name, created_at, updated_at)
            VALUES (${id}, ${name}, ${new Date(createdAt)}, ${new Date(updatedAt)})`.pipe(Effect.asVoid, Effect.orDie)
      )

      const insertMember: OrganizationRepository["Service"]["insertMember"] = Effect.fn(
        "OrganizationRepository.insertMember"
      )((id, userId, role, source, at) =>
        sql`INSERT INTO organization_members (organization_id, user_id, role, source, created_at)
          VALUES (${id}, ${userId}, ${role}, ${source}, ${new Date(at)})`.pipe(Effect.asVoid, Effect.orDie)
      )

      const roleOf = Effect.fn("OrganizationRepository.roleOf")((userId: UserId, id: OrganizationId) =>
        Effect.map(
          Rows.first(Schema.Struct({ role: Role }))(sql`SELECT role FROM organization_members
            WHERE organization_id = ${id} AND user_id = ${userId}`),
          (row) => row?.role
        )
      )

      const isDisabled = Effect.fn("OrganizationRepository.isDisabled")((id: OrganizationId) =>
        Rows.any(sql`SELECT 1 FROM organizations WHERE id = ${id} AND disabled_at IS NOT NULL`)
      )

      const setDisabled = Effect.fn("OrganizationRepository.setDisabled")(
        (id: OrganizationId, disabled: boolean, at: EpochMillis) =>
          Effect.map(
            Rows.first(Schema.Struct({ name: Schema.String }))(sql`UPDATE organizations
              SET disabled_at = ${disabled ? new Date(at) : null}
              WHERE id = ${id} AND (disabled_at IS NOT NULL) <> ${disabled} RETURNING name`),
            (row) => row?.name
          )
      )

      const oldest = Effect.fn("OrganizationRepository.oldest")((userId: UserId, roles: ReadonlyArray<Role>) =>
        Effect.map(
          Rows.first(Id)(sql`SELECT o.id FROM organization_members m JOIN organizations o ON o.id = m.organization_id
            WHERE m.user_id = ${userId} AND m.role = ANY(${roles}::text[]) ORDER BY o.created_at, o.id LIMIT 1`),
          (row) => row?.id
        )
      )

      const lock = Effect.fn("OrganizationRepository.lock")((id: OrganizationId) =>
        Effect.asVoid(Rows.any(sql`SELECT id FROM organizations WHERE id = ${id} FOR NO KEY UPDATE`))
      )

      const lockOwner = Effect.fn("OrganizationRepository.lockOwner")((projectId: ProjectId) =>
        Effect.map(
          Rows.first(Id)(sql`SELECT o.id FROM organizations o JOIN projects p ON p.organization_id = o.id
            WHERE p.id = ${projectId} FOR NO KEY UPDATE OF o`),
          (row) => row?.id
        )
      )

      const counted = (statement: Statement.Statement<unknown>) =>
        Effect.map(Rows.one(Schema.Struct({ count: Rows.Count }))(statement), ({ count }) => count)

      const count = Effect.fn("OrganizationRepository.count")((id: OrganizationId, kind: CountedKind) => {
        if (kind === "projects")
          return counted(sql`SELECT count(*) AS count FROM projects WHERE organization_id = ${id}`)
        return counted(sql`SELECT count(*) AS count FROM ${sql(tables[kind])} t JOIN projects p ON p.id = t.project_id
          WHERE p.organization_id = ${id} ${kind === "openIncidents" ? sql`AND t.resolved_at IS NULL` : sql``}`)
      })

      return OrganizationRepository.of({ find, insert, insertMember, roleOf, isDisabled, setDisabled, oldest, lock, lockOwner, count })
    })
  )
}
