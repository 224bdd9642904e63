/** The alert history that users read, and every attempt to deliver. */
import type { AlertHistoryEntry, DeliveryStatus, Trigger } from "@kanmon/domain/AlertRule"
import { AlertId, type ChannelId, type MonitorId, type ProjectId, type RuleId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Cursor from "../database/Cursor.ts"
import type { Attempt } from "./Deliveries.ts"
import type { Page, PageOptions } from "../database/Page.ts"

export class AlertNotFound extends Schema.TaggedError<AlertNotFound>()("AlertNotFound", { id: AlertId }) {}

/** One notice to one channel. */
export interface DeliveryRecord {
  readonly id: string
  /** The event the notice told of. */
  readonly event: string
  /** `merged`: a later notice said it too. */
  readonly status: DeliveryStatus | "merged"
  readonly error: string | null
  /** The delivery of another rule whose message also covered this one; null when it was sent itself. */
  readonly sharedWith: string | null
  readonly attempts: ReadonlyArray<Attempt>
  readonly createdAt: EpochMillis
  /** Null when nothing more will be tried. */
  readonly nextAttemptAt: EpochMillis | null
}

export class AlertHistory extends Context.Service<
  AlertHistory,
  {
    /** Entries that were triggered in `[from, to)`, newest first. */
    readonly list: (
      projectId: ProjectId,
      from: EpochMillis,
      to: EpochMillis,
      options: PageOptions
    ) => Effect.Effect<Page<AlertHistoryEntry>>
    /** Every notice of an entry, oldest first. */
    readonly deliveries: (
      projectId: ProjectId,
      id: AlertId
    ) => Effect.Effect<ReadonlyArray<DeliveryRecord>, AlertNotFound>
  }
>()("@kanmon/store/alerts/AlertHistory") {
  static readonly layer = Layer.effect(
    AlertHistory,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const list: AlertHistory["Service"]["list"] = Effect.fn("AlertHistory.list")(function* (
        projectId,
        from,
        to,
        { cursor, limit }
      ) {
        const before = Cursor.decode(cursor)
        const conditions = [
          sql`project_id = ${projectId}`,
          sql`triggered_at >= ${new Date(from)}`,
          sql`triggered_at < ${new Date(to)}`,
          ...(before === undefined ? [] : [sql`id < ${before}`])
        ]
        const rows = yield* Effect.orDie(
          sql<EntryRow>`SELECT * FROM alert_history WHERE ${sql.and(conditions)} ORDER BY id DESC LIMIT ${limit + 1}`
        )
        return Cursor.page(rows.map(read), limit)
      })

      const deliveries: AlertHistory["Service"]["deliveries"] = Effect.fn("AlertHistory.deliveries")(
        function* (projectId, id) {
          const [entry] = yield* Effect.orDie(
            sql`SELECT 1 FROM alert_history WHERE id = ${id} AND project_id = ${projectId}`
          )
          if (entry === undefined) return yield* new AlertNotFound({ id })
          const rows = yield* Effect.orDie(
            sql<DeliveryRow>`SELECT id, notice->>'event' AS event, status, error, shared_with, attempts, created_at, next_attempt_at
              FROM deliveries WHERE entry_id = ${id} ORDER BY created_at, id`
          )
          return rows.map((row) => ({
            id: row.id,
            event: row.event,
            status: row.status,
            error: row.error,
            sharedWith: row.shared_with,
            attempts: row.attempts,
            createdAt: row.created_at.getTime(),
            nextAttemptAt: row.status === "pending" ? row.next_attempt_at.getTime() : null
          }))
        }
      )

      return AlertHistory.of({ list, deliveries })
    })
  )
}

interface EntryRow {
  readonly id: AlertId
  readonly rule_id: RuleId
  readonly monitor_id: MonitorId
  readonly channel_id: ChannelId | null
  readonly type: Trigger
  readonly triggered_at: Date
  readonly resolved_at: Date | null
  readonly status: DeliveryStatus
  readonly error: string | null
}

const read = (row: EntryRow): AlertHistoryEntry => ({
  id: row.id,
  ruleId: row.rule_id,
  monitorId: row.monitor_id,
  channelId: row.channel_id,
  type: row.type,
  triggeredAt: row.triggered_at.getTime(),
  resolvedAt: row.resolved_at?.getTime() ?? null,
  status: row.status,
  error: row.error
})

interface DeliveryRow {
  readonly id: string
  readonly event: string
  readonly status: DeliveryRecord["status"]
  readonly error: string | null
  readonly shared_with: string | null
  readonly attempts: ReadonlyArray<Attempt>
  readonly created_at: Date
  readonly next_attempt_at: Date
}
