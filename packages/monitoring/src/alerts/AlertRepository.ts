/** The tables of open alerts and of their history entries. */
import { Trigger } from "@kanmon/domain/AlertRule"
import { ChannelId, type IntegrationId, MonitorId, ProjectId, type RuleId } from "@kanmon/domain/Ids"
import { MonitorConfig } from "@kanmon/domain/Monitor"
import { Severity } from "@kanmon/domain/Severity"
import { type EpochMillis, instant, toIso } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"
import * as SealedConfig from "@kanmon/platform/database/SealedConfig"
import { Secrets } from "@kanmon/platform/database/Secrets"
import {
  type AlertChanges,
  type EnteredAlert,
  type InsertedAlert,
  type SilenceSpan,
  type StoredAlert,
  withoutChannelOf
} from "./AlertRecords.ts"
import { storedNotice } from "../delivery/index.ts"
import { noticeOf, openColumns, readOpen, sourceParts } from "./OpenAlertRepository.ts"
import { type RuleDraft, RuleRow } from "./RuleRecords.ts"
import { behindDownParent, HoldJson, holdOf, ParentJson, parentsOf } from "./HoldRepository.ts"
import { ruleColumns } from "./RuleRepository.ts"
import { underMaintenance, underSilence } from "./CoverageRepository.ts"
import { silenceOver } from "./SilenceRepository.ts"

/** Open alerts that end without a notification. */
export type OpenOf =
  | { readonly _tag: "Monitors"; readonly ids: ReadonlyArray<MonitorId> }
  | { readonly _tag: "Rule"; readonly id: RuleId }
  /** Alerts that the rule no longer covers after a change. */
  | {
      readonly _tag: "Uncovered"
      readonly id: RuleId
      readonly rule: Pick<Required<RuleDraft>, "monitorIds" | "tags" | "triggers">
    }
  /** Alerts that their rules no longer cover after a change of the monitors' tags. */
  | { readonly _tag: "Left"; readonly ids: ReadonlyArray<MonitorId> }
  | { readonly _tag: "Integration"; readonly id: IntegrationId }

export class AlertRepository extends Context.Service<AlertRepository>()("@kanmon/monitoring/alerts/AlertRepository", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const secrets = yield* Secrets

    /** Monitors with the silences over them and what their dependencies hold, at an instant. */
    const findMonitors = (ids: ReadonlyArray<MonitorId>, at: EpochMillis) => {
      const now = new Date(at)
      return monitors(sql`SELECT m.id, m.project_id AS "projectId", p.name AS "projectName", m.name, m.type, m.config,
            m.config_encrypted AS "encryptedConfig", m.tags,
            ${silenceOver(sql, now)} AS silence, ${parentsOf(sql, now)} AS parents, ${holdOf(sql)} AS hold
          FROM monitors m JOIN projects p ON p.id = m.project_id LEFT JOIN alert_holds h ON h.monitor_id = m.id
          WHERE m.id = ANY(${ids}::text[])`).pipe(
        Effect.map((rows) =>
          rows.map(({ encryptedConfig, hold, ...row }) => ({
            ...row,
            hold: hold ?? undefined,
            config: SealedConfig.open(secrets, row.id, { config: row.config, encryptedConfig })
          }))
        )
      )
    }

    /** The rules of projects, oldest first. None of them can be deleted until the transaction ends. */
    const lockRules = (projectIds: ReadonlyArray<ProjectId>) =>
      rules(sql`SELECT ${ruleColumns(sql)} FROM alert_rules WHERE project_id = ANY(${projectIds}::text[])
          ORDER BY id FOR KEY SHARE`)

    /** The channels of projects, oldest first. None of them can be deleted until the transaction ends. */
    const lockChannels = (projectIds: ReadonlyArray<ProjectId>) =>
      channels(sql`SELECT id, project_id AS "projectId", type FROM channels
          WHERE project_id = ANY(${projectIds}::text[]) ORDER BY id FOR KEY SHARE`)

    const findOpen = (monitorIds: ReadonlyArray<MonitorId>) =>
      readOpen(sql`SELECT ${openColumns(sql)} FROM alerts a
          WHERE a.resolved_at IS NULL AND a.monitor_id = ANY(${monitorIds}::text[]) ORDER BY a.id`)

    /** Closes alerts and their entries. They are dated by their ends, which may be known later. */
    const close = Effect.fnUntraced(function* (closed: AlertChanges["closed"], now: EpochMillis) {
      if (closed.length === 0) return
      const rows = closed.map(({ alertId, at }) => ({ id: alertId, at: toIso(at) }))
      yield* sql`WITH v AS (SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json) AS v(id text, at timestamptz)),
          done AS (UPDATE alerts a SET resolved_at = v.at, closed_at = ${new Date(now)} FROM v WHERE a.id = v.id AND a.resolved_at IS NULL)
          UPDATE alert_history h SET resolved_at = v.at FROM v WHERE h.alert_id = v.id AND h.resolved_at IS NULL`
    }, Effect.orDie)

    /** Inserts alerts. Alerts in `closed` are inserted as closed. */
    const insert = Effect.fnUntraced(function* (
      alerts: ReadonlyArray<InsertedAlert>,
      closed: AlertChanges["closed"],
      at: EpochMillis
    ) {
      if (alerts.length === 0) return
      const ends = new Map(closed.map((end) => [end.alertId, toIso(end.at)]))
      const rows = alerts.map((alert) => ({
        id: alert.id,
        project_id: alert.projectId,
        rule_id: alert.ruleId,
        monitor_id: alert.monitorId,
        trigger: alert.trigger,
        severity: alert.severity,
        about: alert.about,
        step: alert.step,
        started_at: toIso(alert.startedAt),
        at: toIso(alert.at),
        resolved_at: ends.get(alert.id) ?? null,
        notice: storedNotice.encode(alert.notice),
        integration_id: alert.source?.integrationId ?? null,
        source_key: alert.source?.key ?? null,
        source: alert.source === null ? null : sourceParts(alert.source),
        resolve_at: alert.resolveAt === null ? null : toIso(alert.resolveAt),
        drill_id: alert.drillId ?? null
      }))
      yield* sql`INSERT INTO alerts
            (id, project_id, rule_id, monitor_id, trigger, severity, about, step, started_at, opened_at, notified_at, resolved_at,
              recorded_at, closed_at, notice, integration_id, source_key, source, resolve_at, drill_id)
          SELECT id, project_id, rule_id, monitor_id, trigger, severity, about, step, started_at, at, ${new Date(at)}, resolved_at,
            ${new Date(at)}, CASE WHEN resolved_at IS NOT NULL THEN ${new Date(at)}::timestamptz END, notice,
            integration_id, source_key, source, resolve_at, drill_id
          FROM json_to_recordset(${JSON.stringify(rows)}::json) AS v(id text, project_id text, rule_id text,
            monitor_id text, trigger text, severity text, about text, step integer, started_at timestamptz, at timestamptz,
            resolved_at timestamptz, notice jsonb, integration_id text, source_key text, source jsonb, resolve_at timestamptz, drill_id text)`
    }, Effect.orDie)

    /** Inserts entries of stored alerts. `withoutChannel` is the error of an entry that has no channel. */
    const insertEntries = Effect.fnUntraced(function* (alerts: ReadonlyArray<EnteredAlert>, withoutChannel: string) {
      if (alerts.length === 0) return
      const rows = alerts.flatMap((alert) =>
        alert.entries.map((entry) => ({
          id: entry.id,
          alert_id: alert.id,
          channel_id: entry.channelId,
          ...(entry.channelId === null
            ? withoutChannelOf(alert, withoutChannel)
            : { status: "pending", error: alert.silence === null ? null : keptBack(alert.silence) })
        }))
      )
      yield* sql`INSERT INTO alert_history
              (id, alert_id, project_id, rule_id, monitor_id, channel_id, type, triggered_at, resolved_at, status, error)
            SELECT v.id, a.id, a.project_id, a.rule_id, a.monitor_id, v.channel_id, a.trigger, a.opened_at, a.resolved_at,
              v.status, v.error
            FROM json_to_recordset(${JSON.stringify(rows)}::json)
              AS v(id text, alert_id text, channel_id text, status text, error text)
            JOIN alerts a ON a.id = v.alert_id`
      const silenced = alerts.flatMap(({ id, silence }) => (silence === null ? [] : [id]))
      if (silenced.length > 0) yield* sql`UPDATE alerts SET silenced = true WHERE id = ANY(${silenced}::text[])`
    }, Effect.orDie)

    const repeat = Effect.fnUntraced(function* (repeated: AlertChanges["repeated"], at: EpochMillis) {
      if (repeated.length === 0) return
      yield* sql`UPDATE alerts a SET about = v.about, step = v.step, notified_at = ${new Date(at)}
          FROM json_to_recordset(${JSON.stringify(repeated)}::json) AS v("alertId" text, about text, step integer)
          WHERE a.id = v."alertId"`
      const others = repeated.filter(({ isOther }) => isOther).map(({ alertId }) => alertId)
      if (others.length === 0) return
      yield* sql`UPDATE alerts SET acknowledged_at = NULL, acknowledged_by = NULL, acknowledged_by_kind = NULL, note = NULL,
          snoozed_until = NULL, snoozed_by = NULL, snoozed_by_kind = NULL WHERE id = ANY(${others}::text[])`
    }, Effect.orDie)

    /** Ends entries with a suppressed notification. */
    const failEntries = Effect.fnUntraced(function* (entryIds: ReadonlyArray<string>, error: string) {
      if (entryIds.length === 0) return
      yield* sql`UPDATE alert_history SET status = 'failed', error = ${error} WHERE id = ANY(${entryIds}::text[])`
    }, Effect.orDie)

    const markPending = Effect.fnUntraced(function* (entryIds: ReadonlyArray<string>) {
      if (entryIds.length === 0) return
      yield* sql`UPDATE alert_history SET status = 'pending' WHERE id = ANY(${entryIds}::text[])`
    }, Effect.orDie)

    /**
     * Locks open alerts with a due reminder or an expired snooze; except those that are acknowledged, silenced, held or
     * in maintenance. Returns their ids.
     */
    const lockDueReminders = (at: EpochMillis, limit: number) => {
      const now = new Date(at)
      return ids(sql`SELECT a.id FROM alerts a JOIN alert_rules r ON r.id = a.rule_id
          WHERE a.resolved_at IS NULL AND a.drill_id IS NULL AND a.acknowledged_at IS NULL AND NOT a.silenced
            AND (a.snoozed_until <= ${now} OR (a.snoozed_until IS NULL AND r.resend_every > 0
              AND a.notified_at + r.resend_every * interval '1 minute' <= ${now}))
            AND NOT ${underMaintenance(sql, now)} AND NOT ${underSilence(sql, now)} AND NOT ${behindDownParent(sql)}
          ORDER BY a.id LIMIT ${limit} FOR UPDATE OF a SKIP LOCKED`).pipe(
        Effect.map((rows) => rows.map(({ id }) => id))
      )
    }

    /** Locks open, unhandled alerts that a silence suppressed and no longer does; returns their ids. */
    const lockReleased = (at: EpochMillis, limit: number) => {
      const now = new Date(at)
      return ids(sql`SELECT a.id FROM alerts a WHERE a.resolved_at IS NULL AND a.silenced
            AND a.acknowledged_at IS NULL AND (a.snoozed_until IS NULL OR a.snoozed_until <= ${now})
            AND NOT ${underMaintenance(sql, now)} AND NOT ${underSilence(sql, now)}
          ORDER BY a.id LIMIT ${limit} FOR UPDATE OF a SKIP LOCKED`).pipe(
        Effect.map((rows) => rows.map(({ id }) => id))
      )
    }

    const entriesWithout = (deliveries: Statement.Fragment, alertIds: ReadonlyArray<string>) =>
      idleEntries(sql`SELECT h.id AS "entryId", h.channel_id AS "channelId", h.project_id AS "projectId", a.trigger,
            a.severity, COALESCE(r.resend_every, 0) AS "resendEvery", a.notice
          FROM alerts a JOIN alert_history h ON h.alert_id = a.id
            JOIN channels c ON c.id = h.channel_id LEFT JOIN alert_rules r ON r.id = a.rule_id
          WHERE a.id = ANY(${alertIds}::text[])
            AND NOT EXISTS (SELECT FROM deliveries d WHERE d.entry_id = h.id AND ${deliveries})`)

    /** The entries of alerts that have a channel and no pending delivery. */
    const findIdleEntries = (alertIds: ReadonlyArray<string>) => entriesWithout(sql`d.status = 'pending'`, alertIds)

    /** The entries of alerts with a suppressed opening that has not been queued since. */
    const findUntoldEntries = (alertIds: ReadonlyArray<string>) => entriesWithout(sql`true`, alertIds)

    /** Notes that nothing keeps back these alerts any more. */
    const markReleased = Effect.fnUntraced(function* (alertIds: ReadonlyArray<string>) {
      yield* sql`UPDATE alerts SET silenced = false WHERE id = ANY(${alertIds}::text[])`
      yield* sql`UPDATE alert_history SET error = NULL WHERE alert_id = ANY(${alertIds}::text[]) AND status = 'pending'`
    }, Effect.orDie)

    const markNotified = Effect.fnUntraced(function* (alertIds: ReadonlyArray<string>, at: EpochMillis) {
      const now = new Date(at)
      yield* sql`UPDATE alerts SET notified_at = ${now},
            snoozed_by = CASE WHEN snoozed_until > ${now} THEN snoozed_by END,
            snoozed_by_kind = CASE WHEN snoozed_until > ${now} THEN snoozed_by_kind END,
            snoozed_until = CASE WHEN snoozed_until > ${now} THEN snoozed_until END
          WHERE id = ANY(${alertIds}::text[])`
    }, Effect.orDie)

    const open = (which: OpenOf): Statement.Fragment => {
      switch (which._tag) {
        case "Monitors":
          return sql`monitor_id = ANY(${which.ids}::text[])`
        case "Rule":
          return sql`rule_id = ${which.id}`
        case "Integration":
          return sql`integration_id = ${which.id}`
        case "Uncovered": {
          const { monitorIds, tags, triggers } = which.rule
          return sql`rule_id = ${which.id} AND NOT (trigger = ANY(${triggers}::text[])
              AND (${monitorIds.length === 0 && tags.length === 0} OR monitor_id = ANY(${monitorIds}::text[])
                OR EXISTS (SELECT FROM monitors m WHERE m.id = monitor_id AND m.tags && ${tags}::text[])))`
        }
        case "Left":
          return sql`monitor_id = ANY(${which.ids}::text[]) AND EXISTS (
              SELECT FROM alert_rules r JOIN monitors m ON m.id = monitor_id
              WHERE r.id = rule_id AND r.tags <> '{}' AND NOT r.tags && m.tags AND NOT m.id = ANY(r.monitor_ids))`
      }
    }

    /** Closes open alerts; returns their ids. Their entries stay as they are. */
    const closeAll = (which: OpenOf, at: EpochMillis) =>
      ids(
        sql`UPDATE alerts SET resolved_at = ${new Date(at)} WHERE resolved_at IS NULL AND ${open(which)} RETURNING id`
      ).pipe(Effect.map((rows) => rows.map(({ id }) => id)))

    /** Closes the entries of alerts. Waiting entries fail with `reason`. */
    const cancelEntries = Effect.fnUntraced(function* (
      alertIds: ReadonlyArray<string>,
      at: EpochMillis,
      reason: string
    ) {
      yield* sql`UPDATE alert_history SET resolved_at = ${new Date(at)},
            status = CASE WHEN status = 'pending' THEN 'failed' ELSE status END,
            error = CASE WHEN status = 'pending' THEN ${reason} ELSE error END
          WHERE alert_id = ANY(${alertIds}::text[])`
    }, Effect.orDie)

    return {
      findMonitors,
      lockRules,
      lockChannels,
      findOpen,
      close,
      insert,
      insertEntries,
      failEntries,
      repeat,
      markPending,
      lockDueReminders,
      lockReleased,
      findUntoldEntries,
      markReleased,
      findIdleEntries,
      markNotified,
      closeAll,
      cancelEntries
    }
  })
}) {
  static readonly layer = Layer.effect(AlertRepository, AlertRepository.make)
}

const ids = Rows.all(Schema.Struct({ id: Schema.String }))
const rules = Rows.all(RuleRow)
const channels = Rows.all(Schema.Struct({ id: ChannelId, projectId: ProjectId, type: Schema.String }))

const monitors = Rows.all(
  Schema.Struct({
    id: MonitorId,
    projectId: ProjectId,
    projectName: Schema.String,
    name: Schema.String,
    type: Schema.String,
    config: MonitorConfig,
    encryptedConfig: Schema.NullOr(Schema.String),
    tags: Schema.Array(Schema.String),
    silence: Schema.NullOr(Schema.Struct({ until: Schema.Finite, reason: Schema.String })),
    parents: Schema.Array(ParentJson),
    hold: Schema.NullOr(HoldJson)
  })
)

/** The error of an entry that waits for the end of a silence. */
const keptBack = ({ reason, until }: SilenceSpan): string => `Not sent before ${instant(until)}: silenced. ${reason}`

const IdleRow = Schema.Struct({
  entryId: Schema.String,
  channelId: ChannelId,
  projectId: ProjectId,
  trigger: Trigger,
  severity: Severity,
  /** Minutes between the reminders of its rule. */
  resendEvery: Schema.Int,
  notice: Schema.Unknown
})
const idleRows = Rows.all(IdleRow)
const idleEntries = (statement: Parameters<typeof idleRows>[0]): Effect.Effect<ReadonlyArray<IdleEntry>> =>
  Effect.map(idleRows(statement), (rows) => rows.map((row) => ({ ...row, notice: noticeOf(row) })))

/** An entry, and the notice that opened its alert. */
export interface IdleEntry extends Omit<typeof IdleRow.Type, "notice"> {
  readonly notice: StoredAlert["notice"]
}
