/** The table of operations. */
import { Actor } from "@kanmon/domain/Actor"
import { MonitorId, OperationId, type ProjectId } from "@kanmon/domain/Ids"
import { maxFailures, Operation, OperationFailure } from "@kanmon/domain/Operation"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import * as Cursor from "@kanmon/platform/database/Cursor"
import type { PageOptions } from "@kanmon/platform/database/Page"
import * as Rows from "@kanmon/platform/database/Rows"
import type { Question } from "@kanmon/platform/DueWork"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"

/** An operation as it is kept; its sentence is made when it is read. */
export type StoredOperation = Omit<Operation, "summary">

/** What a runner needs: the change, for whom, and the monitors that come next. */
export interface OperationWork {
  readonly operation: StoredOperation
  readonly change: unknown
  readonly acting: { readonly actor: Actor; readonly address: string | null }
  readonly next: ReadonlyArray<MonitorId>
}

export class OperationRepository extends Context.Service<OperationRepository>()(
  "@kanmon/monitoring/operations/OperationRepository",
  {
    make: Effect.map(SqlClient.SqlClient, (sql) => {
      const one = (which: Statement.Fragment) => first(sql`SELECT ${columns(sql)} FROM operations WHERE ${which}`)

      return {
        /** The operations of a project, newest first. */
        list: (projectId: ProjectId, { cursor, limit }: PageOptions) => {
          const before = Cursor.decode(cursor)
          return Effect.map(
            all(sql`SELECT ${columns(sql)} FROM operations WHERE project_id = ${projectId}
              ${before === undefined ? sql`` : sql`AND id < ${before}`} ORDER BY id DESC LIMIT ${limit + 1}`),
            (rows) => Cursor.page(rows, limit)
          )
        },
        find: (projectId: ProjectId, id: OperationId) => one(sql`id = ${id} AND project_id = ${projectId}`),
        insert: (
          operation: StoredOperation,
          work: {
            readonly change: object
            readonly acting: OperationWork["acting"]
            readonly ids: ReadonlyArray<MonitorId>
          }
        ) =>
          sql`INSERT INTO operations (id, project_id, action, change, ids, position, done, failed, failures, status,
              created_by, created_by_kind, acting, created_at, leased_until)
            VALUES (${operation.id}, ${operation.projectId}, ${operation.action}, ${JSON.stringify(work.change)}::jsonb,
              ${work.ids}::text[], 0, 0, 0, '[]', 'running', ${operation.createdBy.name}, ${operation.createdBy.kind},
              ${JSON.stringify(work.acting)}::jsonb, ${new Date(operation.createdAt)}, ${new Date(operation.createdAt)})`.pipe(
            Effect.asVoid,
            Effect.orDie
          ),
        /** Removes those of a project that ended before an instant. */
        forget: (projectId: ProjectId, before: EpochMillis) =>
          sql`DELETE FROM operations WHERE project_id = ${projectId} AND finished_at < ${new Date(before)}`.pipe(
            Effect.asVoid,
            Effect.orDie
          ),
        /** Takes a running operation that no process has, until an instant. */
        claim: (now: EpochMillis, until: EpochMillis) =>
          Effect.map(
            claimed(sql`UPDATE operations SET leased_until = ${new Date(until)} WHERE id = (
                SELECT o.id FROM operations o WHERE ${isNext(sql, new Date(now))}
                ORDER BY o.leased_until, o.id LIMIT 1 FOR UPDATE OF o SKIP LOCKED)
              RETURNING id`),
            (row) => row?.id
          ),
        /** Locks an operation until the transaction ends, with the next monitors; undefined if it does not run any more. */
        lock: (id: OperationId, size: number) =>
          Effect.map(
            work(sql`SELECT ${columns(sql)}, change, acting, ids[position + 1:position + ${size}::integer] AS next
              FROM operations WHERE id = ${id} AND status = 'running' FOR UPDATE`),
            (row): OperationWork | undefined => {
              if (row === undefined) return undefined
              const { acting, change, next, ...operation } = row
              return { operation, change, acting, next }
            }
          ),
        /** Notes that the next monitors are done or refused, and keeps the lease. */
        advance: (
          id: OperationId,
          by: { readonly done: number; readonly failures: ReadonlyArray<OperationFailure> },
          until: EpochMillis
        ) =>
          first(sql`UPDATE operations SET position = position + ${by.done + by.failures.length}::integer,
              done = done + ${by.done}::integer, failed = failed + ${by.failures.length}::integer,
              failures = jsonb_path_query_array(failures || ${JSON.stringify(by.failures)}::jsonb,
                ${`$[0 to ${maxFailures - 1}]`}::jsonpath),
              leased_until = ${new Date(until)}
            WHERE id = ${id} RETURNING ${columns(sql)}`),
        /** Ends a running operation; undefined if it has ended. */
        finish: (id: OperationId, status: "completed" | "stopped", at: EpochMillis) =>
          first(sql`UPDATE operations SET status = ${status}, finished_at = ${new Date(at)}
            WHERE id = ${id} AND status = 'running' RETURNING ${columns(sql)}`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(OperationRepository, OperationRepository.make)
}

/** Whether an operation waits for a process. */
export const isRunDue: Question = (sql, now) => sql`EXISTS (SELECT FROM operations o WHERE ${isNext(sql, now)})`

/** Those of a project run in the order in which they were asked for: a later one may take an earlier one back. */
const isNext = (sql: SqlClient.SqlClient, now: Date) =>
  sql`o.status = 'running' AND o.leased_until <= ${now} AND NOT EXISTS (SELECT FROM operations earlier
    WHERE earlier.project_id = o.project_id AND earlier.status = 'running' AND earlier.id < o.id)`

const columns = (sql: SqlClient.SqlClient) =>
  sql`id, project_id AS "projectId", action, status, cardinality(ids) AS total, done, failed, failures,
    json_build_object('kind', created_by_kind, 'name', created_by) AS "createdBy", created_at AS "createdAt",
    finished_at AS "finishedAt"`

const { summary: _, ...fields } = Operation.fields
const Row = Schema.Struct({
  ...fields,
  failures: Schema.Array(OperationFailure),
  createdAt: Rows.Time,
  finishedAt: Schema.NullOr(Rows.Time)
})
const all = Rows.all(Row)
const first = Rows.first(Row)
const claimed = Rows.first(Schema.Struct({ id: OperationId }))
const work = Rows.first(
  Schema.Struct({
    ...Row.fields,
    change: Schema.Unknown,
    acting: Schema.Struct({ actor: Actor, address: Schema.NullOr(Schema.String) }),
    next: Schema.Array(MonitorId)
  })
)
