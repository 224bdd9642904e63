/** Reads the time lines of alerts, and their pages with the names of those whom they were for. */
import { AlertActor } from "@kanmon/domain/Alert"
import { PageCause, PageOutcome, timelineTypes } from "@kanmon/domain/AlertTimeline"
import { ChannelId, UserId } from "@kanmon/domain/Ids"
import type { PageReason } from "@kanmon/domain/PageReason"
import * as Rows from "@kanmon/platform/database/Rows"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { storedReason } from "./EscalationRecords.ts"

/** Most entries, and most pages, that are read of one alert: the newest. */
const mostEntries = 1000

const EntryRow = Schema.Struct({
  at: Rows.Time,
  type: Schema.Literals(timelineTypes),
  round: Schema.NullOr(Schema.Int),
  step: Schema.NullOr(Schema.Int),
  by: Schema.NullOr(AlertActor),
  note: Schema.NullOr(Schema.String),
  until: Schema.NullOr(Rows.Time),
  target: Schema.NullOr(Schema.String)
})
export type EntryRow = typeof EntryRow.Type

const PageRow = Schema.Struct({
  id: Schema.String,
  /** The page with the message that also covered this one. */
  carrier: Schema.String,
  cause: PageCause,
  round: Schema.Int,
  step: Schema.NullOr(Schema.Int),
  userId: Schema.NullOr(UserId),
  userName: Schema.NullOr(Schema.String),
  methodType: Schema.NullOr(Schema.String),
  channelId: Schema.NullOr(ChannelId),
  channelName: Schema.NullOr(Schema.String),
  reason: Schema.NullOr(Schema.Unknown),
  outcome: PageOutcome,
  detail: Schema.NullOr(Schema.String),
  createdAt: Rows.Time,
  finishedAt: Schema.NullOr(Rows.Time),
  heldUntil: Schema.NullOr(Rows.Time)
})
export interface PageRow extends Omit<typeof PageRow.Type, "reason"> {
  readonly reason: PageReason | null
}

export class TimelineRepository extends Context.Service<TimelineRepository>()(
  "@kanmon/monitoring/escalation/TimelineRepository",
  {
    make: Effect.map(SqlClient.SqlClient, (sql) => ({
      /** The newest entries, oldest first. */
      entries: Effect.fn("TimelineRepository.entries")((alertId: string) =>
        Effect.map(
          entries(sql`SELECT at, type, round, step, note, until, target,
                CASE WHEN actor_kind IS NOT NULL THEN json_build_object('kind', actor_kind, 'name', actor) END AS by
              FROM alert_timeline WHERE alert_id = ${alertId} ORDER BY sequence DESC LIMIT ${mostEntries}`),
          (rows) => rows.toReversed()
        )
      ),
      /** The newest pages, oldest first. */
      pages: Effect.fn("TimelineRepository.pages")((alertId: string) =>
        Effect.map(
          pages(sql`SELECT p.id, coalesce(p.shared_with, p.id) AS carrier, p.cause, p.round, p.step,
                p.user_id AS "userId", u.name AS "userName",
                CASE WHEN m.id IS NOT NULL THEN coalesce(m.type, 'email') END AS "methodType",
                p.channel_id AS "channelId", c.name AS "channelName", p.reason,
                CASE p.outcome WHEN 'held' THEN 'pending' ELSE p.outcome END AS outcome, p.detail,
                CASE p.outcome WHEN 'held' THEN p.held_until END AS "heldUntil",
                p.created_at AS "createdAt", p.finished_at AS "finishedAt"
              FROM escalation_pages p LEFT JOIN users u ON u.id = p.user_id
                LEFT JOIN contact_methods m ON m.id = p.method_id LEFT JOIN channels c ON c.id = p.channel_id
              WHERE p.alert_id = ${alertId} ORDER BY p.created_at DESC, p.id DESC LIMIT ${mostEntries}`),
          (rows) =>
            rows.toReversed().map(({ reason, ...row }) => ({
              ...row,
              reason: reason === null ? null : storedReason.decode(reason)
            }))
        )
      )
    }))
  }
) {
  static readonly layer = Layer.effect(TimelineRepository, TimelineRepository.make)
}

const entries = Rows.all(EntryRow)
const pages = Rows.all(PageRow)
