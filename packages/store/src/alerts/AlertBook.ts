/**
 * The alerts of monitors within a transaction that decides about them: what is open and who would be told in, what opens,
 * closes and repeats out. Whoever uses it has locked the monitors' states, so that nobody else decides about them.
 */
import type { AlertRule, Trigger } from "@kanmon/domain/AlertRule"
import type { OpenAlert } from "@kanmon/domain/Alerting"
import type { ChannelId, MonitorId, ProjectId, RuleId } from "@kanmon/domain/Ids"
import { dayMillis, type EpochMillis, toIso } from "@kanmon/domain/Timestamp"
import { Clock, Effect, type Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { OutboxEvent } from "../outbox/Outbox.ts"
import { readRule, type RuleRow } from "./RuleRow.ts"
import * as Timeline from "../history/Timeline.ts"

/** A monitor as its notices name it. */
export interface BookedMonitor {
  readonly id: MonitorId
  readonly projectId: ProjectId
  readonly projectName: string
  readonly name: string
  readonly type: string
  readonly config: Schema.JsonObject
}

/** An open alert with those who were told of it and what they were told. */
export interface BookedAlert extends OpenAlert {
  readonly monitorId: MonitorId
  readonly notice: Schema.JsonObject
  readonly entries: ReadonlyArray<BookedEntry>
}

/** New entries of an alert that was open already. */
export interface ExtendedAlert {
  readonly id: string
  readonly entries: ReadonlyArray<BookedEntry>
}

export interface BookedEntry {
  readonly id: string
  readonly channelId: ChannelId | null
}

export interface Book {
  readonly monitors: ReadonlyMap<MonitorId, BookedMonitor>
  readonly rules: (projectId: ProjectId) => ReadonlyArray<AlertRule>
  readonly channels: (projectId: ProjectId) => ReadonlyArray<ChannelId>
  readonly open: (monitorId: MonitorId) => ReadonlyArray<BookedAlert>
  /** Nobody is to be told of this monitor at this instant. */
  readonly inMaintenance: (monitorId: MonitorId, at: EpochMillis) => boolean
}

export interface OpenedAlert extends BookedAlert {
  readonly projectId: ProjectId
  readonly at: EpochMillis
}

/** One notice on its way to one channel. */
export interface NewDelivery {
  readonly id: string
  readonly entryId: string
  readonly channelId: ChannelId
  readonly projectId: ProjectId
  readonly purpose: "open" | "repeat" | "close"
  readonly notice: Schema.JsonObject
}

export interface AlertChanges {
  readonly opened: ReadonlyArray<OpenedAlert>
  readonly extended: ReadonlyArray<ExtendedAlert>
  readonly repeated: ReadonlyArray<{ readonly alertId: string; readonly about: string; readonly step: number }>
  readonly closed: ReadonlyArray<{ readonly alertId: string; readonly at: EpochMillis }>
  readonly deliveries: ReadonlyArray<NewDelivery>
  readonly events: ReadonlyArray<OutboxEvent>
}

export const nobodyTold = "No channel: nobody was told. Add a channel to the project or to the rule"

/** Reads what concerns these monitors. Rules and channels cannot be deleted until the transaction ends. */
export const load = Effect.fnUntraced(function* (ids: ReadonlyArray<MonitorId>) {
  const sql = yield* SqlClient.SqlClient
  const monitors = new Map(
    (yield* sql<BookedMonitor>`SELECT m.id, m.project_id AS "projectId", p.name AS "projectName", m.name, m.type, m.config
      FROM monitors m JOIN projects p ON p.id = m.project_id WHERE m.id = ANY(${ids}::text[])`).map((row) => [
      row.id,
      row
    ])
  )
  const projectIds = [...new Set([...monitors.values()].map(({ projectId }) => projectId))]
  const rules = Map.groupBy(yield* heldRules(projectIds), ({ projectId }) => projectId)
  const channels = Map.groupBy(
    yield* sql<{ id: ChannelId; project_id: ProjectId }>`SELECT id, project_id FROM channels
      WHERE project_id = ANY(${projectIds}::text[]) ORDER BY id FOR KEY SHARE`,
    ({ project_id }) => project_id
  )
  const open = Map.groupBy(yield* openAlerts(sql`a.monitor_id = ANY(${ids}::text[])`), ({ monitorId }) => monitorId)
  const now = yield* Clock.currentTimeMillis
  const windows = yield* Timeline.windows(ids, now - dayMillis, now + dayMillis)
  return {
    monitors,
    rules: (projectId) => rules.get(projectId) ?? [],
    channels: (projectId) => channels.get(projectId)?.map(({ id }) => id) ?? [],
    open: (monitorId) => open.get(monitorId) ?? [],
    inMaintenance: (monitorId, at) => windows.get(monitorId)?.some(({ from, to }) => at >= from && at < to) ?? false
  } satisfies Book
})

/** The rules of these projects, oldest first, held against deletion until the transaction ends. */
const heldRules = Effect.fnUntraced(function* (projectIds: ReadonlyArray<ProjectId>) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<RuleRow>`SELECT * FROM alert_rules WHERE project_id = ANY(${projectIds}::text[])
    ORDER BY id FOR KEY SHARE`
  return rows.map(readRule)
})

/** Open alerts that meet a condition on `alerts a`. */
export const openAlerts = Effect.fnUntraced(function* (condition: Statement.Fragment) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<AlertRow>`SELECT a.*,
      (SELECT json_agg(json_build_object('id', h.id, 'channelId', c.id) ORDER BY h.id)
        FROM alert_history h LEFT JOIN channels c ON c.id = h.channel_id WHERE h.alert_id = a.id) AS entries
    FROM alerts a WHERE a.resolved_at IS NULL AND ${condition} ORDER BY a.id`
  return rows.map((row): BookedAlert => ({
    id: row.id,
    monitorId: row.monitor_id,
    ruleId: row.rule_id,
    trigger: row.trigger,
    about: row.about,
    step: row.step,
    startedAt: row.started_at.getTime(),
    notice: row.notice,
    entries: row.entries ?? [],
    channelIds: channelsOf(row.entries ?? [])
  }))
})

/** The channels behind entries. */
export const channelsOf = (entries: ReadonlyArray<BookedEntry>): ReadonlyArray<ChannelId> =>
  entries.flatMap(({ channelId }) => channelId ?? [])

/**
 * Writes decisions. What was open is closed first, so that the same may open anew; what opened may have been closed again in
 * the same breath.
 */
export const write = Effect.fnUntraced(function* (changes: AlertChanges, at: EpochMillis) {
  const sql = yield* SqlClient.SqlClient
  const now = new Date(at)
  if (changes.closed.length > 0) {
    const rows = changes.closed.map(({ alertId, at }) => ({ id: alertId, at: toIso(at) }))
    yield* sql`WITH v AS (SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json) AS v(id text, at timestamptz)),
      done AS (UPDATE alerts a SET resolved_at = v.at FROM v WHERE a.id = v.id AND a.resolved_at IS NULL)
      UPDATE alert_history h SET resolved_at = v.at FROM v WHERE h.alert_id = v.id AND h.resolved_at IS NULL`
  }
  if (changes.opened.length > 0) {
    const ends = new Map(changes.closed.map((end) => [end.alertId, toIso(end.at)]))
    const alerts = changes.opened.map((alert) => ({
      id: alert.id,
      project_id: alert.projectId,
      rule_id: alert.ruleId,
      monitor_id: alert.monitorId,
      trigger: alert.trigger,
      about: alert.about,
      step: alert.step,
      started_at: toIso(alert.startedAt),
      at: toIso(alert.at),
      resolved_at: ends.get(alert.id) ?? null,
      notice: alert.notice
    }))
    yield* sql`INSERT INTO alerts
        (id, project_id, rule_id, monitor_id, trigger, about, step, started_at, opened_at, notified_at, resolved_at, notice)
      SELECT id, project_id, rule_id, monitor_id, trigger, about, step, started_at, at, ${now}, resolved_at, notice
      FROM json_to_recordset(${JSON.stringify(alerts)}::json) AS v(id text, project_id text, rule_id text,
        monitor_id text, trigger text, about text, step integer, started_at timestamptz, at timestamptz,
        resolved_at timestamptz, notice jsonb)`
  }
  if (changes.opened.length + changes.extended.length > 0) {
    const entries = [...changes.opened, ...changes.extended].flatMap((alert) =>
      alert.entries.map((entry) => ({
        id: entry.id,
        alert_id: alert.id,
        channel_id: entry.channelId,
        status: entry.channelId === null ? "failed" : "pending",
        error: entry.channelId === null ? nobodyTold : null
      }))
    )
    yield* sql`INSERT INTO alert_history
        (id, alert_id, project_id, rule_id, monitor_id, channel_id, type, triggered_at, resolved_at, status, error)
      SELECT v.id, a.id, a.project_id, a.rule_id, a.monitor_id, v.channel_id, a.trigger, a.opened_at, a.resolved_at,
        v.status, v.error
      FROM json_to_recordset(${JSON.stringify(entries)}::json)
        AS v(id text, alert_id text, channel_id text, status text, error text)
      JOIN alerts a ON a.id = v.alert_id`
  }
  if (changes.repeated.length > 0) {
    yield* sql`UPDATE alerts a SET about = v.about, step = v.step, notified_at = ${now}
      FROM json_to_recordset(${JSON.stringify(changes.repeated)}::json) AS v("alertId" text, about text, step integer)
      WHERE a.id = v."alertId"`
  }
  if (changes.deliveries.length > 0) {
    yield* sql`INSERT INTO deliveries
        (id, entry_id, channel_id, project_id, purpose, notice, status, next_attempt_at, created_at)
      SELECT id, "entryId", "channelId", "projectId", purpose, notice, 'pending', ${now}, ${now}
      FROM json_to_recordset(${JSON.stringify(changes.deliveries)}::json)
        AS v(id text, "entryId" text, "channelId" text, "projectId" text, purpose text, notice jsonb)`
    yield* sql`UPDATE alert_history SET status = 'pending'
      WHERE id = ANY(${changes.deliveries.map(({ entryId }) => entryId)}::text[])`
  }
  if (changes.events.length > 0) {
    yield* sql`INSERT INTO outbox (kind, event, created_at)
      SELECT 'event', event, ${now} FROM json_array_elements(${JSON.stringify(changes.events)}::json) AS event`
  }
})

/** Alerts that people wish to be reminded of now, a notice to each of those who were told before; returns how many. */
export const remind = Effect.fnUntraced(function* (at: EpochMillis, nextId: Effect.Effect<string>) {
  const sql = yield* SqlClient.SqlClient
  const now = new Date(at)
  const due = yield* sql<{ id: string }>`SELECT a.id FROM alerts a JOIN alert_rules r ON r.id = a.rule_id
    WHERE a.resolved_at IS NULL AND r.resend_every > 0 AND a.notified_at + r.resend_every * interval '1 minute' <= ${now}
      AND NOT EXISTS (SELECT FROM maintenance_windows w
        WHERE w.monitor_id = a.monitor_id AND w.starts_at <= ${now} AND w.ends_at > ${now})
    ORDER BY a.id LIMIT 500 FOR UPDATE OF a SKIP LOCKED`
  if (due.length === 0) return 0
  const ids = due.map(({ id }) => id)
  // Who has not taken the last one yet is not sent another one on top.
  const told = yield* sql<{ entry: string; channel: ChannelId; project: ProjectId; notice: Schema.JsonObject }>`
    SELECT h.id AS entry, h.channel_id AS channel, h.project_id AS project, a.notice
    FROM alerts a JOIN alert_history h ON h.alert_id = a.id JOIN channels c ON c.id = h.channel_id
    WHERE a.id = ANY(${ids}::text[])
      AND NOT EXISTS (SELECT FROM deliveries d WHERE d.entry_id = h.id AND d.status = 'pending')`
  const deliveries = yield* Effect.forEach(told, ({ channel, entry, notice, project }) =>
    Effect.map(nextId, (id): NewDelivery => ({
      id,
      entryId: entry,
      channelId: channel,
      projectId: project,
      purpose: "repeat",
      notice: { ...notice, id, at: toIso(at), reminder: true }
    }))
  )
  yield* write({ opened: [], extended: [], repeated: [], closed: [], deliveries, events: [] }, at)
  yield* sql`UPDATE alerts SET notified_at = ${now} WHERE id = ANY(${ids}::text[])`
  return deliveries.length
})

/** Closes open alerts without a word, and calls off what was still to be said of them. */
export const dropWhere = Effect.fnUntraced(function* (condition: Statement.Fragment, at: EpochMillis, reason: string) {
  const sql = yield* SqlClient.SqlClient
  const now = new Date(at)
  yield* sql`WITH dropped AS (
      UPDATE alerts SET resolved_at = ${now} WHERE resolved_at IS NULL AND ${condition} RETURNING id),
    entries AS (
      UPDATE alert_history h SET resolved_at = ${now},
        status = CASE WHEN h.status = 'pending' THEN 'failed' ELSE h.status END,
        error = CASE WHEN h.status = 'pending' THEN ${reason} ELSE h.error END
      FROM dropped WHERE h.alert_id = dropped.id RETURNING h.id)
    UPDATE deliveries d SET status = 'failed', error = ${reason}, finished_at = ${now}
    FROM entries WHERE d.entry_id = entries.id AND d.status = 'pending'`
})

interface AlertRow {
  readonly id: string
  readonly monitor_id: MonitorId
  readonly rule_id: RuleId
  readonly trigger: Trigger
  readonly about: string
  readonly step: number
  readonly started_at: Date
  readonly notice: Schema.JsonObject
  readonly entries: ReadonlyArray<BookedEntry> | null
}
