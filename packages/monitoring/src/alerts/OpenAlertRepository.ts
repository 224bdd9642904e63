/** Open alerts as rows, with their entries and where they come from. */
import { AlertSource } from "@kanmon/domain/Alert"
import { Trigger } from "@kanmon/domain/AlertRule"
import { ChannelId, MonitorId, RuleId } from "@kanmon/domain/Ids"
import { Severity } from "@kanmon/domain/Severity"
import { Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"
import { storedNotice } from "../delivery/index.ts"
import { channelsOf, type StoredAlert } from "./AlertRecords.ts"

/** The source of the alert `a` as JSON; null for an alert of a monitor. What its sender calls it is in the notice. */
export const sourceOf = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql`CASE WHEN a.integration_id IS NOT NULL THEN json_build_object('integrationId', a.integration_id, 'key', a.source_key,
    'title', a.notice->'monitor'->>'name', 'link', a.source->>'link', 'labels', a.source->'labels') END`

/** The part of a source that has no column of its own. */
export const sourceParts = ({ labels, link }: AlertSource) => ({ link, labels })

/** The columns of the open alert `a` that {@link readOpen} decodes. */
export const openColumns = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql`a.id, a.monitor_id AS "monitorId", a.rule_id AS "ruleId", a.trigger, a.severity, a.about, a.step,
    a.started_at AS "startedAt", a.notice, a.acknowledged_at IS NOT NULL AS "isAcknowledged",
    a.snoozed_until AS "snoozedUntil", ${sourceOf(sql)} AS source, a.resolve_at AS "resolveAt",
    COALESCE((SELECT json_agg(json_build_object('id', h.id, 'channelId', c.id,
        'isTold', NOT a.silenced OR EXISTS (SELECT FROM deliveries d WHERE d.entry_id = h.id)) ORDER BY h.id)
      FROM alert_history h LEFT JOIN channels c ON c.id = h.channel_id WHERE h.alert_id = a.id), '[]') AS entries`

const AlertRow = Schema.Struct({
  id: Schema.String,
  monitorId: Schema.NullOr(MonitorId),
  ruleId: RuleId,
  trigger: Trigger,
  severity: Severity,
  about: Schema.String,
  step: Schema.Int,
  startedAt: Rows.Time,
  notice: Schema.Unknown,
  isAcknowledged: Schema.Boolean,
  snoozedUntil: Schema.NullOr(Rows.Time),
  source: Schema.NullOr(AlertSource),
  resolveAt: Schema.NullOr(Rows.Time),
  entries: Schema.Array(
    Schema.Struct({ id: Schema.String, channelId: Schema.NullOr(ChannelId), isTold: Schema.Boolean })
  )
})
const rows = Rows.all(AlertRow)

/** The stored notice of an alert. Alerts from before severities existed take the severity in the row. */
export const noticeOf = ({ notice, severity }: { readonly notice: unknown; readonly severity: Severity }) => ({
  ...storedNotice.decode(notice),
  severity
})

const toAlert = (row: typeof AlertRow.Type): StoredAlert => ({
  ...row,
  channelIds: channelsOf(row.entries),
  // Decoded on demand: most decisions leave an open alert as it is.
  get notice() {
    return noticeOf(row)
  }
})

export const readOpen = (statement: Parameters<typeof rows>[0]): Effect.Effect<ReadonlyArray<StoredAlert>> =>
  Effect.map(rows(statement), (all) => all.map(toAlert))
