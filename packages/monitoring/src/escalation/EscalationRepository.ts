/** The tables of escalations, of their pages, and of the time lines of alerts. */
import type { Escalation } from "@kanmon/domain/Escalation"
import { Trigger } from "@kanmon/domain/AlertRule"
import type { Page } from "@kanmon/domain/EscalationLists"
import { EscalationPolicyId, OrganizationId, ProjectId, UserId } from "@kanmon/domain/Ids"
import { Severity } from "@kanmon/domain/Severity"
import { type EpochMillis, toIso } from "@kanmon/domain/Timestamp"
import * as Rows from "@kanmon/platform/database/Rows"
import type { Question } from "@kanmon/platform/DueWork"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { Coverage } from "../alerts/index.ts"
import { storedNotice } from "../delivery/index.ts"
import {
  columnsOf,
  EscalationRow,
  EventPage,
  EventSubject,
  pageOf,
  SettledRow,
  stepNumber,
  type StoredEscalation,
  storedReason,
  storedState,
  type TimelineEntry
} from "./EscalationRecords.ts"
import { storedPlan } from "./PolicyRecords.ts"

/** The largest number of alerts of one request, besides the first, that one transaction runs a step for. */
const mostTogether = 1000

/** The selected pages. */
export type Paged =
  { readonly _tag: "All" } | { readonly _tag: "AllBut" | "Only"; readonly userIds: ReadonlyArray<UserId> }

/** A page that is about to be sent. */
export interface NewPage {
  readonly id: string
  readonly page: Page
}

/** Whether an escalation is due, or the outcome of one of its pages is to be taken into account. */
export const isEscalationDue: Question = (sql, now) =>
  sql`EXISTS (SELECT FROM escalations WHERE due_at <= ${now})
    OR EXISTS (SELECT FROM escalation_pages WHERE outcome <> 'pending' AND NOT is_settled)`

export class EscalationRepository extends Context.Service<EscalationRepository>()(
  "@kanmon/monitoring/escalation/EscalationRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.asVoid(Effect.orDie(statement))

      /** Whether a silence or maintenance covers the monitor of the alert `a`. */
      const covered = (now: Date): Statement.Fragment =>
        sql`(${Coverage.underMaintenance(sql, now)} OR ${Coverage.underSilence(sql, now)})`

      const returning = sql`RETURNING p.id, p.alert_id AS "alertId", p.cause, p.round, p.step, p.user_id AS "userId",
        p.method_id AS "methodId", p.channel_id AS "channelId", p.outcome, p.detail`

      const of = (paged: Paged): Statement.Fragment => {
        switch (paged._tag) {
          case "All":
            return sql`true`
          case "AllBut":
            return sql`(p.user_id IS NULL OR p.user_id <> ALL(${paged.userIds}::text[]))`
          case "Only":
            return sql`p.user_id = ANY(${paged.userIds}::text[])`
        }
      }

      const insert = (
        all: ReadonlyArray<Omit<StoredEscalation, "policyName"> & { readonly dueAt: EpochMillis | null }>
      ) => {
        const rows = all.map(({ dueAt, plan, state, ...ids }) => ({
          ...ids,
          plan: storedPlan.encode(plan),
          state: storedState.encode(state),
          isHeld: state.isHeld,
          status: state.status,
          nextStep: stepNumber({ plan, state }),
          dueAt: dueAt === null ? null : toIso(dueAt)
        }))
        return run(sql`INSERT INTO escalations (alert_id, organization_id, policy_id, plan, state, is_held, status, next_step, due_at)
          SELECT "alertId", "organizationId", "policyId", plan, state, "isHeld", status, "nextStep", "dueAt"
          FROM json_to_recordset(${JSON.stringify(rows)}::json) AS v("alertId" text, "organizationId" text,
            "policyId" text, plan jsonb, state jsonb, "isHeld" boolean,
            status text, "nextStep" integer, "dueAt" timestamptz)`)
      }

      /**
       * Inserts pages. Returns those that are sent, with how many of the outage the target got before; the others are in messages
       * about the same outage that another rule causes.
       */
      const insertPages = Effect.fn("EscalationRepository.insertPages")(function* (
        alertId: string,
        topic: string,
        pages: ReadonlyArray<NewPage>,
        at: EpochMillis
      ) {
        const sent: Array<NewPage & { readonly ordinal: number }> = []
        for (const { id, page } of pages) {
          const { cause, channelId, methodId, round, step, userId } = columnsOf(page)
          const target = methodId ?? channelId
          const reason = page._tag === "Person" && page.reason !== undefined ? storedReason.encode(page.reason) : null
          const why = sql`${reason === null ? null : JSON.stringify(reason)}::jsonb`
          const values = sql`${id}, ${alertId}, ${cause}, ${round}, ${step}, ${userId}, ${methodId}, ${channelId}, ${why}, ${topic}`
          const { ordinal } = yield* counted(sql`SELECT count(*) AS ordinal FROM escalation_pages
            WHERE alert_id = ${alertId} AND coalesce(method_id, channel_id) = ${target}`)
          const inserted = yield* Rows.any(sql`INSERT INTO escalation_pages (id, alert_id, cause, round, step, user_id,
              method_id, channel_id, reason, topic, ordinal, created_at, outcome, is_settled)
            VALUES (${values}, ${ordinal}, ${new Date(at)}, 'pending', false) ON CONFLICT DO NOTHING RETURNING id`)
          if (inserted) {
            sent.push({ id, page, ordinal })
            continue
          }
          yield* run(sql`INSERT INTO escalation_pages (id, alert_id, cause, round, step, user_id, method_id, channel_id,
              reason, topic, ordinal, created_at, outcome, detail, finished_at, held_until, shared_with, is_settled)
            SELECT ${values}, ${ordinal}, ${new Date(at)}, o.outcome, o.detail, o.finished_at, o.held_until, o.id, false
            FROM escalation_pages o WHERE o.topic = ${topic} AND coalesce(o.method_id, o.channel_id) = ${target}
              AND o.ordinal = ${ordinal} AND o.shared_with IS NULL ON CONFLICT DO NOTHING`)
        }
        return sent
      })

      return {
        /** The policies as they are now, of those that exist. */
        policies: Effect.fn("EscalationRepository.policies")((wanted: ReadonlyArray<EscalationPolicyId>) =>
          Effect.map(
            policies(sql`SELECT id, organization_id AS "organizationId", plan
              FROM escalation_policies WHERE id = ANY(${wanted}::text[])`),
            (rows) =>
              new Map(
                rows.map(({ id, organizationId, plan }) => [id, { organizationId, plan: storedPlan.decode(plan) }])
              )
          )
        ),
        insert,
        /** Locks the escalations of alerts until the transaction ends, in the order of their ids. */
        lock: Effect.fn("EscalationRepository.lock")((alertIds: ReadonlyArray<string>) =>
          Effect.map(
            escalations(sql`SELECT alert_id AS "alertId", organization_id AS "organizationId", policy_id AS "policyId",
                (SELECT name FROM escalation_policies p WHERE p.id = policy_id) AS "policyName", plan, state
              FROM escalations WHERE alert_id = ANY(${alertIds}::text[]) ORDER BY alert_id FOR UPDATE`),
            (rows) =>
              rows.map(({ plan, state, ...row }) => ({
                ...row,
                plan: storedPlan.decode(plan),
                state: storedState.decode(state)
              }))
          )
        ),
        /**
         * Locks an alert with a due escalation, unless another process has it, and returns its id. An alert of an integration brings
         * those of the same request along, whose step is due at the same instant: a person is paged once for all of them.
         */
        claim: Effect.fn("EscalationRepository.claim")(function* (now: EpochMillis) {
          const [first] =
            yield* claimed(sql`SELECT a.id, a.integration_id AS "integrationId", a.opened_at AS "openedAt" FROM alerts a
            WHERE a.id IN (
              SELECT alert_id FROM escalations WHERE due_at <= ${new Date(now)}
              UNION SELECT alert_id FROM escalation_pages WHERE outcome <> 'pending' AND NOT is_settled)
            LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`)
          if (first === undefined) return []
          const { id, integrationId, openedAt } = first
          if (integrationId === null) return [id]
          const others = yield* waked(sql`SELECT a.id FROM alerts a JOIN escalations e ON e.alert_id = a.id
            WHERE a.integration_id = ${integrationId} AND a.opened_at = ${new Date(openedAt)} AND a.resolved_at IS NULL
              AND a.id <> ${id} AND e.due_at = (SELECT due_at FROM escalations WHERE alert_id = ${id})
              AND e.due_at <= ${new Date(now)} ORDER BY a.id LIMIT ${mostTogether} FOR NO KEY UPDATE OF a SKIP LOCKED`)
          return [id, ...others.map((other) => other.id)]
        }),
        /** The alert of a locked escalation, at an instant. */
        alertOf: Effect.fn("EscalationRepository.alertOf")((alertId: string, at: EpochMillis) =>
          Effect.map(
            alerts(sql`SELECT a.project_id AS "projectId", a.trigger, a.severity, a.notice,
                a.resolved_at IS NOT NULL AS "isResolved", a.snoozed_until AS "snoozedUntil",
                ${covered(new Date(at))} AS "isCovered" FROM alerts a WHERE a.id = ${alertId}`),
            (row) => row && { ...row, notice: { ...storedNotice.decode(row.notice), severity: row.severity } }
          )
        ),
        save: ({ alertId, plan }: StoredEscalation, state: Escalation, dueAt: EpochMillis | null) =>
          run(sql`UPDATE escalations SET state = ${JSON.stringify(storedState.encode(state))}::jsonb,
              is_held = ${state.isHeld}, status = ${state.status}, next_step = ${stepNumber({ plan, state })},
              due_at = ${dueAt === null ? null : new Date(dueAt)} WHERE alert_id = ${alertId}`),
        /** Wakes the escalations of alerts with a silence or maintenance that began or ended since their last run. */
        wakeCovered: Effect.fn("EscalationRepository.wakeCovered")((now: EpochMillis) =>
          Effect.map(
            waked(sql`UPDATE escalations e SET due_at = ${new Date(now)} FROM alerts a
              WHERE a.id = e.alert_id AND e.status <> 'ended' AND e.is_held <> ${covered(new Date(now))}
                AND (e.due_at IS NULL OR e.due_at > ${new Date(now)}) RETURNING a.id`),
            (rows) => rows.length
          )
        ),
        insertPages,
        /** Outcomes of pages that the escalation has not taken into account; marks them. */
        takeOutcomes: Effect.fn("EscalationRepository.takeOutcomes")((alertId: string) =>
          Effect.map(
            settled(sql`UPDATE escalation_pages SET is_settled = true
              WHERE alert_id = ${alertId} AND outcome <> 'pending' AND NOT is_settled
              RETURNING id, cause, round, step, user_id AS "userId", method_id AS "methodId", channel_id AS "channelId",
                outcome`),
            (rows) =>
              rows.flatMap((row) =>
                row.outcome === "dropped" ? [] : [{ page: pageOf(row), reached: row.outcome !== "failed" }]
              )
          )
        ),
        /** Stores the outcomes of pages, and of those that they stand for; returns all of them. */
        settle: (
          outcomes: ReadonlyArray<{ readonly id: string; readonly reached: boolean; readonly detail: string }>,
          at: EpochMillis
        ) =>
          eventPages(sql`UPDATE escalation_pages p SET detail = v.detail, finished_at = ${new Date(at)}, is_settled = false,
              outcome = CASE WHEN v.reached THEN 'reached' ELSE 'failed' END
            FROM json_to_recordset(${JSON.stringify(outcomes)}::json) AS v(id text, reached boolean, detail text)
            WHERE v.id IN (p.id, p.shared_with) AND p.outcome IN ('pending', 'held') ${returning}`),
        /** Marks pages, and those that they stand for, as held by quiet hours. */
        hold: (pageIds: ReadonlyArray<string>, until: EpochMillis) =>
          run(sql`UPDATE escalation_pages SET held_until = ${new Date(until)}, outcome = 'held'
            WHERE (id = ANY(${pageIds}::text[]) OR shared_with = ANY(${pageIds}::text[])) AND outcome IN ('pending', 'held')`),
        /** Fails pages with a lost message: deleted with its target, or withdrawn. */
        settleLost: (detail: string, at: EpochMillis) =>
          eventPages(sql`UPDATE escalation_pages p SET outcome = 'failed', detail = ${detail}, finished_at = ${new Date(at)}
            FROM escalation_pages o WHERE o.id = coalesce(p.shared_with, p.id) AND p.outcome IN ('pending', 'held')
              AND NOT EXISTS (SELECT FROM deliveries d WHERE d.entry_id = o.id AND d.status = 'pending') ${returning}`),
        /** Entries of messages that pages of alerts without an outcome alone wait for: no page of another alert does. */
        unsent: Effect.fn("EscalationRepository.unsent")((alertIds: ReadonlyArray<string>, paged: Paged) =>
          Effect.map(
            waked(sql`WITH gone AS (SELECT p.id, coalesce(p.shared_with, p.id) AS carrier FROM escalation_pages p
                WHERE p.outcome IN ('pending', 'held') AND p.alert_id = ANY(${alertIds}::text[]) AND ${of(paged)})
              SELECT DISTINCT g.carrier AS id FROM gone g WHERE NOT EXISTS (SELECT FROM escalation_pages o
                WHERE g.carrier IN (o.id, o.shared_with) AND o.outcome IN ('pending', 'held') AND o.id NOT IN (SELECT id FROM gone))`),
            (rows) => rows.map(({ id }) => id)
          )
        ),
        /** Ends pages of alerts without an outcome, because they are not sent any more. */
        drop: (alertIds: ReadonlyArray<string>, paged: Paged, detail: string, at: EpochMillis) =>
          eventPages(sql`UPDATE escalation_pages p SET outcome = 'dropped', detail = ${detail}, finished_at = ${new Date(at)},
              is_settled = true
            WHERE p.outcome IN ('pending', 'held') AND p.alert_id = ANY(${alertIds}::text[]) AND ${of(paged)} ${returning}`),
        /** The last page of each target that a page of the alert reached. */
        reached: Effect.fn("EscalationRepository.reached")((alertId: string) =>
          Effect.map(
            settled(sql`SELECT DISTINCT ON (coalesce(method_id, channel_id)) id, cause, round, step, user_id AS "userId",
                method_id AS "methodId", channel_id AS "channelId", outcome FROM escalation_pages
              WHERE alert_id = ${alertId} AND outcome = 'reached'
              ORDER BY coalesce(method_id, channel_id), created_at DESC`),
            (rows) => rows.map((row) => ({ id: row.id, page: pageOf(row) }))
          )
        ),
        append: (entries: ReadonlyArray<TimelineEntry>) => {
          if (entries.length === 0) return Effect.void
          const rows = entries.map(({ actor, at, until, ...entry }) => ({
            ...entry,
            at: toIso(at),
            actor: actor?.name ?? null,
            actorKind: actor?.kind ?? null,
            until: until === undefined ? null : toIso(until)
          }))
          return run(sql`INSERT INTO alert_timeline (alert_id, at, type, round, step, actor, actor_kind, note, until, target)
            SELECT "alertId", at, type, round, step, actor, "actorKind", note, until, target
            FROM json_to_recordset(${JSON.stringify(rows)}::json) AS v("alertId" text, at timestamptz, type text,
              round integer, step integer, actor text, "actorKind" text, note text, until timestamptz, target text)`)
        },
        /** The alerts as their events name them. Alerts of drills have none. */
        subjects: Effect.fn("EscalationRepository.subjects")((alertIds: ReadonlyArray<string>) =>
          eventSubjects(sql`SELECT id AS "alertId", project_id AS "projectId", rule_id AS "ruleId", monitor_id AS "monitorId",
            CASE WHEN integration_id IS NOT NULL
              THEN json_build_object('integrationId', integration_id, 'key', source_key) END AS source,
            severity FROM alerts WHERE id = ANY(${alertIds}::text[]) AND drill_id IS NULL`)
        ),
        /** A policy of the organization of a project, locked against deletion. */
        findPolicy: (
          projectId: ProjectId,
          { id, key }: { readonly id: EscalationPolicyId | null; readonly key: string | null }
        ) =>
          Effect.map(
            policyIds(sql`SELECT e.id FROM escalation_policies e JOIN projects p ON p.organization_id = e.organization_id
              WHERE p.id = ${projectId} AND ${id === null ? sql`(e.key = ${key} OR e.key IS NULL AND e.id = ${key})` : sql`e.id = ${id}`}
              FOR KEY SHARE OF e`),
            (row) => row?.id
          ),
        organizationOf: (projectId: ProjectId) =>
          Effect.map(
            organization(sql`SELECT organization_id AS "organizationId" FROM projects WHERE id = ${projectId}`),
            ({ organizationId }) => organizationId
          ),
        /** The owners of an organization. */
        owners: (id: OrganizationId) =>
          Effect.map(
            members(sql`SELECT user_id AS "userId" FROM organization_members
              WHERE organization_id = ${id} AND role = 'owner' ORDER BY user_id`),
            (rows) => rows.map(({ userId }) => userId)
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(EscalationRepository, EscalationRepository.make)
}

const policyIds = Rows.first(Schema.Struct({ id: EscalationPolicyId }))
const eventPages = Rows.all(EventPage)
const eventSubjects = Rows.all(EventSubject)
const organization = Rows.one(Schema.Struct({ organizationId: OrganizationId }))
const claimed = Rows.all(
  Schema.Struct({ id: Schema.String, integrationId: Schema.NullOr(Schema.String), openedAt: Rows.Time })
)
const waked = Rows.all(Schema.Struct({ id: Schema.String }))
const counted = Rows.one(Schema.Struct({ ordinal: Rows.Count }))
const escalations = Rows.all(EscalationRow)
const settled = Rows.all(SettledRow)
const members = Rows.all(Schema.Struct({ userId: UserId }))
const policies = Rows.all(
  Schema.Struct({ id: EscalationPolicyId, organizationId: OrganizationId, plan: Schema.Unknown })
)
const alerts = Rows.first(
  Schema.Struct({
    projectId: ProjectId,
    trigger: Trigger,
    severity: Severity,
    notice: Schema.Unknown,
    isResolved: Schema.Boolean,
    snoozedUntil: Schema.NullOr(Rows.Time),
    isCovered: Schema.Boolean
  })
)
