/** The tables of subscriptions and of the payment provider's events. */
import { OrganizationId, PlanId, UserId } from "@kanmon/domain/Ids"
import { graceMillis, liveStatuses, SubscriptionStatus } from "@kanmon/domain/Subscription"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"
import type { Question } from "@kanmon/platform/DueWork"

const SubscriptionRow = Schema.Struct({
  id: Schema.String,
  itemId: Schema.String,
  planId: PlanId,
  status: SubscriptionStatus,
  currentPeriodStart: Rows.Time,
  currentPeriodEnd: Rows.Time,
  cancelAt: Schema.NullOr(Rows.Time),
  pastDueSince: Schema.NullOr(Rows.Time),
  createdAt: Rows.Time,
  version: Schema.Int
})

/** A subscription with its ids at the payment provider. */
export type StoredSubscription = Omit<typeof SubscriptionRow.Type, "version">

/** Reports whether an organization still has to be fitted to its plan. */
export const isDue: Question = (sql, now) => sql`EXISTS (SELECT FROM subscriptions WHERE fit_at <= ${now})`

export class SubscriptionRepository extends Context.Service<SubscriptionRepository>()(
  "@kanmon/identity/billing/SubscriptionRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.asVoid(Effect.orDie(statement))

      /** Inserts or replaces the account's subscription. */
      const save = (organizationId: OrganizationId, subscription: StoredSubscription, at: EpochMillis) =>
        run(sql`INSERT INTO subscriptions (organization_id, subscription_id, item_id, plan_id, status, current_period_start,
            current_period_end, cancel_at, past_due_since, began_at, updated_at)
          VALUES (${organizationId}, ${subscription.id}, ${subscription.itemId}, ${subscription.planId}, ${subscription.status},
            ${new Date(subscription.currentPeriodStart)}, ${new Date(subscription.currentPeriodEnd)},
            ${date(subscription.cancelAt)}, ${date(subscription.pastDueSince)}, ${new Date(subscription.createdAt)},
            ${new Date(at)})
          ON CONFLICT (organization_id) DO UPDATE SET subscription_id = EXCLUDED.subscription_id, item_id = EXCLUDED.item_id,
            plan_id = EXCLUDED.plan_id, status = EXCLUDED.status, current_period_start = EXCLUDED.current_period_start,
            current_period_end = EXCLUDED.current_period_end, cancel_at = EXCLUDED.cancel_at,
            past_due_since = EXCLUDED.past_due_since, began_at = EXCLUDED.began_at, updated_at = EXCLUDED.updated_at,
            version = subscriptions.version + 1`)

      /** Without a subscription in force, as `planInForce` decides it. */
      const isFree = (at: EpochMillis) => sql`NOT EXISTS (SELECT FROM subscriptions s WHERE s.organization_id = o.id
        AND s.status = ANY(${liveStatuses}::text[]) AND (s.status <> 'past_due' OR s.past_due_since IS NULL
          OR s.past_due_since > ${new Date(at - graceMillis)}))`
      const hasFounder = sql`EXISTS (SELECT FROM organization_members f
        WHERE f.organization_id = o.id AND f.user_id = o.founded_by)`
      const firstOwner = sql`(SELECT m.user_id FROM organization_members m
        WHERE m.organization_id = o.id AND m.role = 'owner' ORDER BY m.created_at, m.user_id LIMIT 1)`

      /**
       * The organizations without a subscription in force that share one plan with this one, and which of their monitors count;
       * undefined when it has a subscription in force. With `lock`, others that create in the same share wait until the transaction ends.
       */
      const findShared = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        at: EpochMillis,
        { lock }: { readonly lock: boolean }
      ) {
        const share = yield* shareOf(sql`SELECT ${hasFounder} AS "hasFounder",
              CASE WHEN ${hasFounder} THEN o.founded_by ELSE ${firstOwner} END AS account
            FROM organizations o WHERE o.id = ${organizationId} AND ${isFree(at)}`)
        if (share === undefined) return undefined
        const { account } = share
        // Without any owner it is on its own.
        if (account === null) return [{ organizationId, before: null }]
        // Always after the organization's own row, so that no two wait for each other.
        if (lock) yield* run(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`free plan of ${account}`}, 0))`)
        const founded = sql`o.founded_by = ${account} AND (${hasFounder} OR o.founder_left_at IS NOT NULL)`
        const taken = sql`NOT ${hasFounder} AND ${firstOwner} = ${account}`
        const isWhole = share.hasFounder ? hasFounder : sql`(${hasFounder} OR (${taken}))`
        const counted = share.hasFounder ? founded : sql`((${founded}) OR (${taken}))`
        return yield* shares(sql`SELECT o.id AS "organizationId", CASE WHEN NOT ${isWhole} THEN o.founder_left_at END AS before
          FROM organizations o WHERE ${isFree(at)} AND ${counted}`)
      })

      return {
        findShared,
        /** The account's subscription; `version` grows with every change. */
        find: (organizationId: OrganizationId) =>
          subscription(sql`SELECT subscription_id AS id, item_id AS "itemId", plan_id AS "planId", status,
              current_period_start AS "currentPeriodStart", current_period_end AS "currentPeriodEnd",
              cancel_at AS "cancelAt", past_due_since AS "pastDueSince", began_at AS "createdAt", version
            FROM subscriptions WHERE organization_id = ${organizationId}`),
        save,
        hasEvent: (eventId: string) => Rows.any(sql`SELECT 1 FROM payment_events WHERE id = ${eventId}`),
        /** Stores an event; returns false when it is already stored. */
        insertEvent: (eventId: string, at: EpochMillis) =>
          Rows.any(sql`INSERT INTO payment_events (id, received_at) VALUES (${eventId}, ${new Date(at)})
            ON CONFLICT DO NOTHING RETURNING id`),
        deleteEvents: (before: EpochMillis) =>
          run(sql`DELETE FROM payment_events WHERE received_at < ${new Date(before)}`),
        /** When the account's monitors are next fitted to its plan. */
        setFitAt: (organizationId: OrganizationId, at: EpochMillis | null) =>
          run(sql`UPDATE subscriptions SET fit_at = ${date(at)} WHERE organization_id = ${organizationId}`),
        /** Schedules the subscribers of a plan; `fallback` includes accounts that are on it as the default plan. */
        scheduleSubscribers: (planId: PlanId, fallback: boolean, at: EpochMillis) =>
          run(sql`UPDATE subscriptions SET fit_at = ${new Date(at)}
            WHERE plan_id = ${planId} OR (${fallback} AND status <> 'active')`),
        /** Schedules the accounts with an ended subscription. */
        scheduleEnded: (at: EpochMillis) =>
          run(sql`UPDATE subscriptions SET fit_at = ${new Date(at)} WHERE status <> ALL(${liveStatuses}::text[])`),
        findDue: (at: EpochMillis) =>
          accounts(sql`SELECT organization_id AS "organizationId" FROM subscriptions WHERE fit_at <= ${new Date(at)}
            ORDER BY fit_at LIMIT 1000`).pipe(Effect.map((rows) => rows.map(({ organizationId }) => organizationId))),
        /** Live subscriptions with a period that ended before an instant. */
        findOverdue: (before: EpochMillis) =>
          overdue(sql`SELECT organization_id AS "organizationId", subscription_id AS id FROM subscriptions
            WHERE status = ANY(${liveStatuses}::text[]) AND current_period_end < ${new Date(before)}
            ORDER BY current_period_end LIMIT 1000`),
        hasSubscribers: (planId: PlanId) =>
          Rows.any(sql`SELECT 1 FROM subscriptions WHERE plan_id = ${planId} AND status <> 'canceled' LIMIT 1`),
        isDisabled: (organizationId: OrganizationId) =>
          Rows.any(sql`SELECT 1 FROM organizations WHERE id = ${organizationId} AND disabled_at IS NOT NULL`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(SubscriptionRepository, SubscriptionRepository.make)
}

const date = (at: EpochMillis | null): Date | null => (at === null ? null : new Date(at))

const subscription = Rows.first(SubscriptionRow)
const accounts = Rows.all(Schema.Struct({ organizationId: OrganizationId }))
const overdue = Rows.all(Schema.Struct({ organizationId: OrganizationId, id: Schema.String }))
const shares = Rows.all(Schema.Struct({ organizationId: OrganizationId, before: Schema.NullOr(Rows.Time) }))
const shareOf = Rows.first(Schema.Struct({ hasFounder: Schema.Boolean, account: Schema.NullOr(UserId) }))
