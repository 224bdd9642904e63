/** Reads pages, alerts and people of an organization for figures about its on-call duty. */
import { MonitorId, type OrganizationId, UserId } from "@kanmon/domain/Ids"
import type { Span } from "@kanmon/domain/Spans"
import * as Rows from "@kanmon/platform/database/Rows"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"

/** Most monitors that are listed. */
const mostMonitors = 20

const Reached = Schema.Struct({ userId: UserId, at: Rows.Time })
const Noisy = Schema.Struct({
  monitorId: MonitorId,
  name: Schema.NullOr(Schema.String),
  alerts: Rows.Count,
  pages: Rows.Count
})
const Waited = Schema.Struct({
  alerts: Rows.Count,
  p50: Schema.NullOr(Schema.Number),
  p90: Schema.NullOr(Schema.Number)
})
const PersonRow = Schema.Struct({
  userId: UserId,
  name: Schema.String,
  timezone: Schema.NullOr(Schema.String)
})

export class AnalyticsRepository extends Context.Service<AnalyticsRepository>()(
  "@kanmon/monitoring/analytics/AnalyticsRepository",
  {
    make: Effect.map(SqlClient.SqlClient, (sql) => {
      const opened = (id: OrganizationId, { from, to }: Span) =>
        sql`alerts a JOIN escalations e ON e.alert_id = a.id
          WHERE e.organization_id = ${id} AND a.drill_id IS NULL AND a.opened_at >= ${new Date(from)} AND a.opened_at < ${new Date(to)}`

      return {
        /** Messages that reached people: one for each message, whatever number of alerts it told of; its pages have one end. */
        pages: (id: OrganizationId, { from, to }: Span) =>
          reached(sql`SELECT DISTINCT p.user_id AS "userId", p.method_id, p.finished_at AS at
            FROM escalation_pages p JOIN escalations e ON e.alert_id = p.alert_id JOIN alerts a ON a.id = p.alert_id
            WHERE e.organization_id = ${id} AND a.drill_id IS NULL AND p.user_id IS NOT NULL AND p.outcome = 'reached'
              AND p.finished_at >= ${new Date(from)} AND p.finished_at < ${new Date(to)}`),
        /** How long alerts that opened in the window waited, in seconds. */
        waited: (id: OrganizationId, window: Span, until: "acknowledged" | "resolved") => {
          const end = until === "acknowledged" ? sql`a.acknowledged_at` : sql`a.resolved_at`
          return waited(sql`SELECT count(seconds) AS alerts,
              percentile_disc(0.5) WITHIN GROUP (ORDER BY seconds) AS p50,
              percentile_disc(0.9) WITHIN GROUP (ORDER BY seconds) AS p90
            FROM (SELECT round(extract(epoch FROM greatest(${end} - a.opened_at, '0')))::float8 AS seconds
              FROM ${opened(id, window)} AND ${end} IS NOT NULL) AS ended`)
        },
        /** The monitors whose alerts paged most. */
        noisiest: (id: OrganizationId, window: Span) =>
          noisy(sql`SELECT o."monitorId", m.name, o.alerts, o.pages FROM (
              SELECT a.monitor_id AS "monitorId", count(DISTINCT a.id) AS alerts, count(p.id) AS pages
              FROM (SELECT a.id, a.monitor_id FROM ${opened(id, window)} AND a.monitor_id IS NOT NULL) AS a
                LEFT JOIN escalation_pages p ON p.alert_id = a.id AND p.user_id IS NOT NULL AND p.outcome = 'reached'
              GROUP BY a.monitor_id) AS o LEFT JOIN monitors m ON m.id = o."monitorId"
            ORDER BY o.pages DESC, o.alerts DESC, o."monitorId" LIMIT ${mostMonitors}`),
        /** Names and time zones of the accounts that exist. */
        people: (ids: ReadonlyArray<UserId>) =>
          people(sql`SELECT id AS "userId", name, timezone FROM users WHERE id = ANY(${ids}::text[])`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(AnalyticsRepository, AnalyticsRepository.make)
}

const reached = Rows.all(Reached)
const noisy = Rows.all(Noisy)
const waited = Rows.one(Waited)
const people = Rows.all(PersonRow)
