/** Reads the alert history and its deliveries. */
import { type AlertHistoryEntry, DeliveryStatus, Trigger } from "@kanmon/domain/AlertRule"
import { AlertId, ChannelId, MonitorId, type ProjectId, RuleId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Cursor from "@kanmon/platform/database/Cursor"
import type { Page, PageOptions } from "@kanmon/platform/database/Page"
import * as Rows from "@kanmon/platform/database/Rows"
import { type Attempt, storedAttempt } from "./DeliveryRecords.ts"

/** One delivery of a notice to one channel. */
export interface DeliveryRecord {
  readonly id: string
  /** The event of the notice. */
  readonly event: string
  /** `merged`: a later notice included it. */
  readonly status: DeliveryStatus | "merged"
  readonly error: string | null
  /** The delivery of another rule whose message also covered this one; null when it was sent itself. */
  readonly sharedWith: string | null
  readonly attempts: ReadonlyArray<Omit<Attempt, "recipient"> & { readonly recipient: string | null }>
  readonly createdAt: EpochMillis
  /** Null when no further attempt follows. */
  readonly nextAttemptAt: EpochMillis | null
}

export class HistoryRepository extends Context.Service<
  HistoryRepository,
  {
    /** Entries that were triggered in `[from, to)`, newest first. */
    readonly list: (
      projectId: ProjectId,
      from: EpochMillis,
      to: EpochMillis,
      options: PageOptions
    ) => Effect.Effect<Page<AlertHistoryEntry>>
    readonly exists: (projectId: ProjectId, id: AlertId) => Effect.Effect<boolean>
    /** The deliveries of an entry, oldest first. */
    readonly findDeliveries: (id: AlertId) => Effect.Effect<ReadonlyArray<DeliveryRecord>>
  }
>()("@kanmon/monitoring/alerts/HistoryRepository") {
  static readonly layer = Layer.effect(
    HistoryRepository,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const list: HistoryRepository["Service"]["list"] = (projectId, from, to, { cursor, limit }) => {
        const before = Cursor.decode(cursor)
        const conditions = [
          sql`project_id = ${projectId}`,
          sql`triggered_at >= ${new Date(from)}`,
          sql`triggered_at < ${new Date(to)}`,
          ...(before === undefined ? [] : [sql`id < ${before}`])
        ]
        return entries(sql`SELECT id, rule_id AS "ruleId", monitor_id AS "monitorId", channel_id AS "channelId", type,
            triggered_at AS "triggeredAt", resolved_at AS "resolvedAt", status, error
          FROM alert_history WHERE ${sql.and(conditions)} ORDER BY id DESC LIMIT ${limit + 1}`).pipe(
          Effect.map((rows) => Cursor.page(rows, limit))
        )
      }

      const findDeliveries: HistoryRepository["Service"]["findDeliveries"] = (id) =>
        deliveries(sql`SELECT id, notice->>'event' AS event, status, error, COALESCE(grouped_with, shared_with) AS "sharedWith", attempts,
            created_at AS "createdAt", CASE WHEN status = 'pending' THEN next_attempt_at END AS "nextAttemptAt"
          FROM deliveries WHERE entry_id = ${id} ORDER BY created_at, id`).pipe(
          Effect.map((rows) =>
            rows.map((row) => ({
              ...row,
              attempts: row.attempts.map((attempt) => ({ recipient: null, ...storedAttempt.decode(attempt) }))
            }))
          )
        )

      return HistoryRepository.of({
        list,
        exists: (projectId, id) =>
          Rows.any(sql`SELECT 1 FROM alert_history WHERE id = ${id} AND project_id = ${projectId}`),
        findDeliveries
      })
    })
  )
}

const entries = Rows.all(
  Schema.Struct({
    id: AlertId,
    ruleId: RuleId,
    monitorId: MonitorId,
    channelId: Schema.NullOr(ChannelId),
    type: Trigger,
    triggeredAt: Rows.Time,
    resolvedAt: Schema.NullOr(Rows.Time),
    status: DeliveryStatus,
    error: Schema.NullOr(Schema.String)
  })
)

const deliveries = Rows.all(
  Schema.Struct({
    id: Schema.String,
    event: Schema.String,
    status: Schema.Union([DeliveryStatus, Schema.Literal("merged")]),
    error: Schema.NullOr(Schema.String),
    sharedWith: Schema.NullOr(Schema.String),
    attempts: Schema.Array(Schema.Unknown),
    createdAt: Rows.Time,
    nextAttemptAt: Schema.NullOr(Rows.Time)
  })
)
