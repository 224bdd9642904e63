/** The table of the audit log. */
import { Actor } from "@kanmon/domain/Actor"
import { AuditedFields, type AuditEntry } from "@kanmon/domain/AuditEntry"
import { AuditId, type OrganizationId, ProjectId, type UserId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Persisted from "@kanmon/platform/database/Persisted"
import * as Rows from "@kanmon/platform/database/Rows"

/** The fields before and after a change as JSON. */
export const storedChange = Persisted.make(Schema.Struct({ before: AuditedFields, after: AuditedFields }))

const AuditRow = Schema.Struct({
  id: AuditId,
  at: Rows.Time,
  project_id: Schema.NullOr(ProjectId),
  actor_kind: Actor.fields.kind,
  actor_id: Actor.fields.id,
  actor_name: Actor.fields.name,
  on_behalf_of_id: Schema.NullOr(Schema.String),
  on_behalf_of_name: Schema.NullOr(Schema.String),
  address: Schema.NullOr(Schema.String),
  action: Schema.String,
  target_id: Schema.String,
  target_name: Schema.String,
  change: Schema.Unknown
})

/**
 * Whose entries: a project's, an organization's with its projects, an account's, with or without those of the organizations that
 * it owns, or those that belong to no project.
 */
export type AuditScope =
  | { readonly projectId: ProjectId }
  | { readonly organizationId: OrganizationId }
  | { readonly userId: UserId; readonly withOwned: boolean }
  | "installation"

export interface AuditFilter {
  readonly from: EpochMillis
  readonly to: EpochMillis
  /** An ID, or a kind of actor. */
  readonly actor?: string | undefined
  /** An action, or the kind of its target and `.*`. */
  readonly action?: string | undefined
  /** The ID of a target. */
  readonly target?: string | undefined
}

/** An entry, and whom it belongs to besides its project's organization. */
interface NewEntry {
  readonly entry: AuditEntry
  readonly accountId: UserId | null
  readonly organizationId: OrganizationId | null
}

export class AuditRepository extends Context.Service<AuditRepository>()("@kanmon/identity/audit/AuditRepository", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const insert = Effect.fn("AuditRepository.insert")(function* (entries: ReadonlyArray<NewEntry>) {
      if (entries.length === 0) return
      const rows = entries.map(
        ({
          accountId,
          entry: { action, actor, address, after, at, before, id, projectId, target },
          organizationId
        }) => ({
          id,
          at: new Date(at).toISOString(),
          project_id: projectId,
          account_id: accountId,
          organization_id: organizationId,
          actor_kind: actor.kind,
          actor_id: actor.id,
          actor_name: actor.name,
          on_behalf_of_id: actor.onBehalfOf?.id ?? null,
          on_behalf_of_name: actor.onBehalfOf?.name ?? null,
          address,
          action,
          target_id: target.id,
          target_name: target.name,
          change: storedChange.encode({ before, after })
        })
      )
      yield* sql`INSERT INTO audit_log (id, at, project_id, organization_id, account_id, actor_kind, actor_id, actor_name,
            on_behalf_of_id, on_behalf_of_name, address, action, target_id, target_name, change)
          SELECT e.id, e.at, e.project_id, coalesce(e.organization_id, p.organization_id), e.account_id, e.actor_kind, e.actor_id, e.actor_name,
            e.on_behalf_of_id, e.on_behalf_of_name, e.address, e.action, e.target_id, e.target_name, e.change
          FROM json_to_recordset(${JSON.stringify(rows)}::json) AS e (id text, at timestamptz, project_id text,
            organization_id text, account_id text, actor_kind text, actor_id text, actor_name text, on_behalf_of_id text,
            on_behalf_of_name text, address text, action text, target_id text,
            target_name text, change jsonb)
          LEFT JOIN projects p ON p.id = e.project_id`
    }, Effect.orDie)

    const ofScope = (scope: AuditScope) => {
      if (scope === "installation") return sql`project_id IS NULL`
      if ("projectId" in scope) return sql`project_id = ${scope.projectId}`
      if ("organizationId" in scope) return sql`organization_id = ${scope.organizationId}`
      if (!scope.withOwned) return sql`account_id = ${scope.userId}`
      return sql`(account_id = ${scope.userId} OR organization_id IN (SELECT organization_id FROM organization_members
          WHERE user_id = ${scope.userId} AND role = 'owner'))`
    }

    /** Newest first. `before`: only those with lower IDs. */
    const list = Effect.fn("AuditRepository.list")((
      scope: AuditScope,
      { action, actor, from, target, to }: AuditFilter,
      { before, limit }: { readonly before: string | undefined; readonly limit: number }
    ) => {
      const conditions = [
        ofScope(scope),
        sql`at >= ${new Date(from)} AND at < ${new Date(to)}`,
        ...(before === undefined ? [] : [sql`id < ${before}`]),
        ...(actor === undefined
          ? []
          : [sql`(actor_id = ${actor} OR actor_kind = ${actor} OR on_behalf_of_id = ${actor})`]),
        ...(target === undefined ? [] : [sql`target_id = ${target}`]),
        ...(action === undefined
          ? []
          : [action.endsWith(".*") ? sql`starts_with(action, ${action.slice(0, -1)})` : sql`action = ${action}`])
      ]
      return Effect.map(
        Rows.all(AuditRow)(sql`SELECT * FROM audit_log WHERE ${sql.and(conditions)} ORDER BY id DESC LIMIT ${limit}`),
        (rows) => rows.map(read)
      )
    })

    /** Deletes entries from before an instant; returns how many. */
    const deleteBefore = Effect.fn("AuditRepository.deleteBefore")((at: EpochMillis) =>
      sql`DELETE FROM audit_log WHERE at < ${new Date(at)}`.pipe(Effect.asVoid, Effect.orDie)
    )

    return { insert, list, deleteBefore }
  })
}) {
  static readonly layer = Layer.effect(AuditRepository, AuditRepository.make)
}

/** The kind of the target is the part of the action before the dot. */
export const kindOf = (action: string): string => action.slice(0, action.indexOf("."))

const read = (row: typeof AuditRow.Type): AuditEntry => ({
  id: row.id,
  at: row.at,
  actor: {
    kind: row.actor_kind,
    id: row.actor_id,
    name: row.actor_name,
    ...(row.on_behalf_of_id === null
      ? {}
      : { onBehalfOf: { id: row.on_behalf_of_id, name: row.on_behalf_of_name ?? row.on_behalf_of_id } })
  },
  action: row.action,
  target: { kind: kindOf(row.action), id: row.target_id, name: row.target_name },
  projectId: row.project_id,
  address: row.address,
  ...storedChange.decode(row.change)
})
