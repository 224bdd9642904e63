/** Organizations in the database. */
import { OrganizationId, type ProjectId, type UserId } from "@kanmon/domain/Ids"
import { Role } from "@kanmon/domain/Role"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

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

/** An organization as one of its members sees it. */
const MemberOrganizationRow = Schema.Struct({ ...OrganizationRow.fields, role: Role, members: Rows.Count })

const Id = Schema.Struct({ id: OrganizationId })

/** An organization of an account that is about to leave. */
const HeldRow = Schema.Struct({
  id: OrganizationId,
  name: Schema.String,
  isAlone: Schema.Boolean,
  isLastOwner: Schema.Boolean
})

export class OrganizationRepository extends Context.Service<OrganizationRepository>()(
  "@kanmon/identity/organizations/OrganizationRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const columns = sql`o.id, o.name, o.created_at AS "createdAt", o.updated_at AS "updatedAt"`
      const counted = (statement: Statement.Statement<unknown>) =>
        Effect.map(Rows.one(Schema.Struct({ count: Rows.Count }))(statement), ({ count }) => count)

      const find = Effect.fn("OrganizationRepository.find")((id: OrganizationId) =>
        Rows.first(OrganizationRow)(sql`SELECT ${columns} FROM organizations o WHERE o.id = ${id}`)
      )

      const insert = Effect.fn("OrganizationRepository.insert")(
        ({ createdAt, id, name, updatedAt }: StoredOrganization) =>
          sql`INSERT INTO organizations (id, name, created_at, updated_at)
            VALUES (${id}, ${name}, ${new Date(createdAt)}, ${new Date(updatedAt)})`.pipe(Effect.asVoid, Effect.orDie)
      )

      /** Reports whether it was inserted. Only one of several concurrent callers inserts it. */
      const insertIfAbsent = Effect.fn("OrganizationRepository.insertIfAbsent")(
        ({ createdAt, id, name, updatedAt }: StoredOrganization) =>
          Rows.any(sql`INSERT INTO organizations (id, name, created_at, updated_at)
            VALUES (${id}, ${name}, ${new Date(createdAt)}, ${new Date(updatedAt)})
            ON CONFLICT DO NOTHING RETURNING 1`)
      )

      const insertFounder = Effect.fn("OrganizationRepository.insertFounder")(
        (id: OrganizationId, userId: UserId, at: EpochMillis) =>
          sql`WITH founded AS (UPDATE organizations SET founded_by = ${userId} WHERE id = ${id})
            INSERT INTO organization_members (organization_id, user_id, role, source, created_at)
            VALUES (${id}, ${userId}, 'owner', 'founder', ${new Date(at)})`.pipe(Effect.asVoid, Effect.orDie)
      )

      const membership = (userId: UserId) => sql`SELECT ${columns}, m.role,
          (SELECT count(*) FROM organization_members c WHERE c.organization_id = o.id) AS members
        FROM organization_members m JOIN organizations o ON o.id = m.organization_id WHERE m.user_id = ${userId}`

      /** The organizations of an account, oldest first, with its role in each. */
      const ofMember = Effect.fn("OrganizationRepository.ofMember")((userId: UserId) =>
        Rows.all(MemberOrganizationRow)(sql`${membership(userId)} ORDER BY o.created_at, o.id`)
      )

      const findOfMember = Effect.fn("OrganizationRepository.findOfMember")((id: OrganizationId, userId: UserId) =>
        Rows.first(MemberOrganizationRow)(sql`${membership(userId)} AND o.id = ${id}`)
      )

      const rename = Effect.fn("OrganizationRepository.rename")((id: OrganizationId, name: string, at: EpochMillis) =>
        sql`UPDATE organizations SET name = ${name}, updated_at = ${new Date(at)} WHERE id = ${id}`.pipe(
          Effect.asVoid,
          Effect.orDie
        )
      )

      const remove = Effect.fn("OrganizationRepository.remove")((id: OrganizationId) =>
        sql`DELETE FROM organizations WHERE id = ${id}`.pipe(Effect.asVoid, Effect.orDie)
      )

      /** Counts the organizations that an account owns. */
      const countOwned = Effect.fn("OrganizationRepository.countOwned")((userId: UserId) =>
        counted(sql`SELECT count(*) AS count FROM organization_members WHERE user_id = ${userId} AND role = 'owner'`)
      )

      /** Locks the organizations of which an account is the only member. */
      const lockAlone = Effect.fn("OrganizationRepository.lockAlone")(function* (userId: UserId) {
        const ofTheirs = sql`EXISTS (SELECT FROM organization_members WHERE organization_id = o.id AND user_id = ${userId})`
        // First the locks: a statement that waits for one sees the members as they were before it waited.
        yield* Rows.any(sql`SELECT o.id FROM organizations o WHERE ${ofTheirs} ORDER BY o.id FOR UPDATE OF o`)
        return yield* Rows.all(OrganizationRow)(sql`SELECT ${columns} FROM organizations o WHERE ${ofTheirs}
          AND NOT EXISTS (SELECT FROM organization_members WHERE organization_id = o.id AND user_id <> ${userId})
          ORDER BY o.id`)
      })

      /** Locks the organizations of an account until the transaction ends. */
      const lockHeld = Effect.fn("OrganizationRepository.lockHeld")(function* (userId: UserId) {
        const mine = sql`FROM organizations o JOIN organization_members m ON m.organization_id = o.id AND m.user_id = ${userId}
          ORDER BY o.id`
        // First the locks: a statement that waits for one sees the members as they were before it waited.
        yield* Rows.any(sql`SELECT o.id ${mine} FOR UPDATE OF o`)
        return yield* Rows.all(HeldRow)(sql`SELECT o.id, o.name,
            NOT EXISTS (SELECT FROM organization_members x WHERE x.organization_id = o.id AND x.user_id <> ${userId}) AS "isAlone",
            m.role = 'owner' AND NOT EXISTS (SELECT FROM organization_members x
              WHERE x.organization_id = o.id AND x.user_id <> ${userId} AND x.role = 'owner') AS "isLastOwner"
          ${mine}`)
      })

      /** The role of an account in the organization; undefined when it is no member. */
      const roleOf = Effect.fn("OrganizationRepository.roleOf")((userId: UserId, id: OrganizationId) =>
        Effect.map(
          Rows.first(Schema.Struct({ role: Role }))(sql`SELECT role FROM organization_members
            WHERE organization_id = ${id} AND user_id = ${userId}`),
          (row) => row?.role
        )
      )

      /** Whether an administrator of the installation has disabled the organization. */
      const isDisabled = Effect.fn("OrganizationRepository.isDisabled")((id: OrganizationId) =>
        Rows.any(sql`SELECT 1 FROM organizations WHERE id = ${id} AND disabled_at IS NOT NULL`)
      )

      /** Writes that it is disabled, or that it is not; returns its name, or undefined when it was so already. */
      const setDisabled = Effect.fn("OrganizationRepository.setDisabled")(
        (id: OrganizationId, disabled: boolean, at: EpochMillis) =>
          Effect.map(
            Rows.first(Schema.Struct({ name: Schema.String }))(sql`UPDATE organizations
              SET disabled_at = ${disabled ? new Date(at) : null}
              WHERE id = ${id} AND (disabled_at IS NOT NULL) <> ${disabled} RETURNING name`),
            (row) => row?.name
          )
      )

      /** The oldest organization in which an account has one of these roles. */
      const oldest = Effect.fn("OrganizationRepository.oldest")((userId: UserId, roles: ReadonlyArray<Role>) =>
        Effect.map(
          Rows.first(Id)(sql`SELECT o.id FROM organization_members m JOIN organizations o ON o.id = m.organization_id
            WHERE m.user_id = ${userId} AND m.role = ANY(${roles}::text[]) ORDER BY o.created_at, o.id LIMIT 1`),
          (row) => row?.id
        )
      )

      /** Locks an organization until the transaction ends. */
      const lock = Effect.fn("OrganizationRepository.lock")((id: OrganizationId) =>
        Effect.asVoid(Rows.any(sql`SELECT id FROM organizations WHERE id = ${id} FOR NO KEY UPDATE`))
      )

      /** Locks the owner of a project until the transaction ends; undefined when there is no such project. */
      const lockOwner = Effect.fn("OrganizationRepository.lockOwner")((projectId: ProjectId) =>
        Effect.map(
          Rows.first(Id)(sql`SELECT o.id FROM organizations o JOIN projects p ON p.organization_id = o.id
            WHERE p.id = ${projectId} FOR NO KEY UPDATE OF o`),
          (row) => row?.id
        )
      )

      const countProjects = Effect.fn("OrganizationRepository.countProjects")((id: OrganizationId) =>
        counted(sql`SELECT count(*) AS count FROM projects WHERE organization_id = ${id}`)
      )

      return {
        find,
        insert,
        insertIfAbsent,
        insertFounder,
        ofMember,
        findOfMember,
        rename,
        remove,
        countOwned,
        lockAlone,
        lockHeld,
        roleOf,
        isDisabled,
        setDisabled,
        oldest,
        lock,
        lockOwner,
        countProjects
      }
    })
  }
) {
  static readonly layer = Layer.effect(OrganizationRepository, OrganizationRepository.make)
}
