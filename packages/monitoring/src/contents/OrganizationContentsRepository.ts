/** The contents of organizations' projects: counted for limits and plans, and copied for their people. */
import { OrganizationId } from "@kanmon/domain/Ids"
import { toIso } from "@kanmon/domain/Timestamp"
import { type Copied, type CountedRecord, OrganizationContents } from "@kanmon/identity/organizations"
import { Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

export const layer = Layer.effect(
  OrganizationContents,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const counted: Readonly<Record<CountedRecord, Statement.Fragment>> = {
      channels: sql`FROM channels t JOIN projects p ON p.id = t.project_id`,
      alertRules: sql`FROM alert_rules t JOIN projects p ON p.id = t.project_id`,
      statusPages: sql`FROM status_pages t JOIN projects p ON p.id = t.project_id`,
      openIncidents: sql`FROM incidents t JOIN projects p ON p.id = t.project_id AND t.resolved_at IS NULL`
    }
    const copied = {
      monitors: sql`FROM monitors t`,
      channels: sql`FROM channels t`,
      alert_rules: sql`FROM alert_rules t`,
      integrations: sql`FROM integrations t`,
      drills: sql`FROM drills t`,
      status_pages: sql`FROM status_pages t`,
      incidents: sql`FROM incidents t`,
      silences: sql`FROM silences t`
    }

    const copies = Effect.fnUntraced(function* (
      kinds: Readonly<Record<string, Statement.Fragment>>,
      which: Statement.Fragment,
      hidden: ReadonlyArray<string>
    ) {
      const entries = yield* Effect.forEach(Object.entries(kinds), ([kind, from]) =>
        Effect.map(records(sql`SELECT (to_jsonb(t) - ${hidden}::text[])::text AS row ${from} ${which}`), (rows) => [
          kind,
          rows.map(({ row }) => row)
        ])
      )
      return Object.fromEntries(entries) as Copied
    })

    return OrganizationContents.of({
      count: Effect.fn("OrganizationContents.count")((id, kind) =>
        Effect.map(
          total(sql`SELECT count(*) AS total ${counted[kind]} WHERE p.organization_id = ${id}`),
          (row) => row.total
        )
      ),
      countMonitors: Effect.fn("OrganizationContents.countMonitors")((shares) => {
        const rows = shares.map(({ before, organizationId }) => ({
          id: organizationId,
          before: before === null ? null : toIso(before)
        }))
        return monitorCount(sql`SELECT count(*) AS total, count(*) FILTER (WHERE NOT m.paused) AS running
          FROM json_to_recordset(${JSON.stringify(rows)}::json) AS v(id text, before timestamptz)
            JOIN projects p ON p.organization_id = v.id JOIN monitors m ON m.project_id = p.id
          WHERE v.before IS NULL OR m.created_at < v.before`)
      }),
      monitorsOf: Effect.fn("OrganizationContents.monitorsOf")((ids) =>
        Effect.map(
          perOrganization(sql`SELECT p.organization_id AS id, count(*) AS total
            FROM projects p JOIN monitors m ON m.project_id = p.id
            WHERE p.organization_id = ANY(${ids}::text[]) GROUP BY p.organization_id`),
          (rows) => new Map(rows.map((row) => [row.id, row.total]))
        )
      ),
      copy: Effect.fn("OrganizationContents.copy")((projects, hidden) =>
        copies(copied, sql`WHERE t.project_id = ANY(${projects}::text[]) ORDER BY t.id`, hidden)
      ),
      copyShared: Effect.fn("OrganizationContents.copyShared")((ids, hidden) => {
        const own = sql`WHERE t.organization_id = ANY(${ids}::text[]) ORDER BY t.id`
        return copies(
          { schedules: sql`FROM schedules t`, escalation_policies: sql`FROM escalation_policies t` },
          own,
          hidden
        )
      }),
      copyOfAccount: Effect.fn("OrganizationContents.copyOfAccount")(function* (userId, hidden) {
        const away = yield* copies({ away: sql`FROM away_periods t` }, sql`WHERE t.user_id = ${userId}`, hidden)
        const about = sql`WHERE ${userId} IN (t.user_id, t.replaces, t.created_by) ORDER BY t.sequence`
        const overrides = yield* copies({ overrides: sql`FROM schedule_overrides t` }, about, hidden)
        const calendars = yield* copies(
          { calendars: sql`FROM calendar_tokens t` },
          sql`WHERE t.user_id = ${userId}`,
          hidden
        )
        const own = sql`WHERE t.user_id = ${userId}`
        const methods = yield* copies({ contactMethods: sql`FROM contact_methods t` }, own, [...hidden, "destination"])
        const rules = yield* copies({ notificationRules: sql`FROM notification_rules t` }, own, hidden)
        const quiet = yield* copies({ quietHours: sql`FROM personal_quiet_hours t` }, own, hidden)
        const tests = yield* copies({ pageTests: sql`FROM page_tests t` }, own, hidden)
        const pages = yield* copies(
          { pageTestPages: sql`FROM page_test_pages t` },
          sql`WHERE t.test_id IN (SELECT id FROM page_tests WHERE user_id = ${userId})`,
          hidden
        )
        const replies = yield* copies({ pageReplies: sql`FROM page_replies t` }, own, [...hidden, "destination"])
        return { ...away, ...overrides, ...calendars, ...methods, ...rules, ...quiet, ...tests, ...pages, ...replies }
      })
    })
  })
)

const total = Rows.one(Schema.Struct({ total: Rows.Count }))
const monitorCount = Rows.one(Schema.Struct({ total: Rows.Count, running: Rows.Count }))
const perOrganization = Rows.all(Schema.Struct({ id: OrganizationId, total: Rows.Count }))
const records = Rows.all(Schema.Struct({ row: Schema.String }))
