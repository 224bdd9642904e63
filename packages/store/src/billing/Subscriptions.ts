/**
 * Who pays for which plan. News of a subscription and what they mean for the account's monitors are written in one transaction,
 * together with the name of the event that brought them: what was told twice happens once.
 */
import type { PlanId, UserId } from "@kanmon/domain/Ids"
import type { Plan } from "@kanmon/domain/Plan"
import {
  graceEnd,
  isLive,
  liveStatuses,
  type Subscription,
  type SubscriptionStatus,
  supersedes
} from "@kanmon/domain/Subscription"
import { dayMillis, type EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Exit, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, type SqlError } from "effect/sql"
import { databaseDies } from "../database/Database.ts"
import { DefaultPlan } from "./DefaultPlan.ts"
import { OutboxSignal } from "../outbox/OutboxSignal.ts"
import { fitAccount } from "./PlanFitting.ts"
import * as Standing from "./Standing.ts"

/** A subscription with its names at the payment provider. */
export interface StoredSubscription extends Subscription {
  readonly id: string
  readonly itemId: string
  readonly createdAt: EpochMillis
}

/** How an account stands. */
export interface AccountStanding {
  readonly subscription: StoredSubscription | undefined
  /** The plan in force, with everything it includes. */
  readonly plan: Plan
  /** How many monitors there are over all projects. */
  readonly monitors: number
}

/** A subscription as the payment provider has just described it. */
export interface SubscriptionNews {
  readonly id: string
  readonly itemId: string
  readonly productId: string
  readonly status: SubscriptionStatus
  readonly currentPeriodStart: EpochMillis
  readonly currentPeriodEnd: EpochMillis
  readonly cancelAt: EpochMillis | null
  readonly createdAt: EpochMillis
}

/**
 * `Outdated`: something else was written since the look; look again. `Repeated`: this event has been acted on. `Foreign`: no
 * plan of ours is sold as this product. `Superseded`: another subscription of the account counts. `Doubled`: the same, and both
 * are being paid for.
 */
export type Recorded = "Written" | "Outdated" | "Repeated" | "Foreign" | "Superseded" | "Doubled"

export class Subscriptions extends Context.Service<
  Subscriptions,
  {
    readonly standing: (userId: UserId) => Effect.Effect<AccountStanding>
    /** Grows with all that is written of the account's subscription; 0 when there was none. */
    readonly version: (userId: UserId) => Effect.Effect<number>
    /** Whether the event has been acted on. */
    readonly heard: (eventId: string) => Effect.Effect<boolean>
    /**
     * Writes news that were asked for after `version` was read, and brings the account's monitors in line with them. Nobody
     * else's news can have come between the question and the writing: so later news never give way to earlier ones.
     */
    readonly record: (
      userId: UserId,
      version: number,
      news: SubscriptionNews,
      eventId: string | undefined
    ) => Effect.Effect<Recorded>
    /** Live subscriptions whose period was over before an instant: nobody told of the next one. */
    readonly unheard: (
      before: EpochMillis
    ) => Effect.Effect<ReadonlyArray<{ readonly userId: UserId; readonly id: string }>>
    /** Lets those be settled who are on the default plan because their subscription ended: it may be another one now. */
    readonly reconsider: Effect.Effect<void>
    /** Brings the monitors of accounts in line whose time has come: a payment stayed away too long, or a plan was changed. */
    readonly settle: Effect.Effect<number>
    /** Forgets events that are not told again. */
    readonly forget: Effect.Effect<void>
  }
>()("@kanmon/store/billing/Subscriptions") {
  static readonly layer = Layer.effect(
    Subscriptions,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const signal = yield* OutboxSignal
      const random = yield* SecureRandom.SecureRandom
      const defaultPlan = yield* DefaultPlan
      const provide = <A, E>(
        effect: Effect.Effect<A, E, SqlClient.SqlClient | SecureRandom.SecureRandom>
      ): Effect.Effect<A, E> =>
        effect.pipe(
          Effect.provideService(SqlClient.SqlClient, sql),
          Effect.provideService(SecureRandom.SecureRandom, random),
          Effect.provideService(DefaultPlan, defaultPlan)
        )

      const find = (userId: UserId) =>
        Effect.map(sql<Row>`SELECT * FROM subscriptions WHERE user_id = ${userId}`, ([row]) => row)

      const standing: Subscriptions["Service"]["standing"] = Effect.fn("Subscriptions.standing")(
        function* (userId) {
          const row = yield* find(userId)
          const plan = yield* Standing.planOf(userId, yield* Clock.currentTimeMillis)
          const { total } = yield* Standing.places(userId)
          return { subscription: row === undefined ? undefined : read(row), plan, monitors: total }
        },
        (effect) => Effect.orDie(provide(effect))
      )

      const version = Effect.fn("Subscriptions.version")((userId: UserId) =>
        find(userId).pipe(
          Effect.map((row) => row?.version ?? 0),
          Effect.orDie
        )
      )

      const heard = Effect.fn("Subscriptions.heard")((eventId: string) =>
        sql`SELECT 1 FROM payment_events WHERE id = ${eventId}`.pipe(
          Effect.map((rows) => rows.length > 0),
          Effect.orDie
        )
      )

      /** Brings the held account's monitors in line, and notes when to look again. */
      const fitNow = Effect.fnUntraced(function* (userId: UserId, at: EpochMillis) {
        const row = yield* find(userId)
        const end = row === undefined ? null : graceEnd(read(row))
        // Before the plan is looked at: a change of it that comes in between notes itself after this.
        yield* sql`UPDATE subscriptions SET fit_at = ${end !== null && end > at ? new Date(end) : null}
          WHERE user_id = ${userId}`
        return yield* fitAccount(userId, yield* Standing.planOf(userId, at), at)
      })

      const write = Effect.fnUntraced(function* (
        userId: UserId,
        planId: PlanId,
        news: SubscriptionNews,
        current: Row | undefined,
        at: EpochMillis
      ) {
        const known = current?.subscription_id === news.id ? current.past_due_since : null
        const pastDueSince = news.status === "past_due" ? (known ?? new Date(at)) : null
        yield* sql`INSERT INTO subscriptions (user_id, subscription_id, item_id, plan_id, status, current_period_start,
            current_period_end, cancel_at, past_due_since, began_at, updated_at)
          VALUES (${userId}, ${news.id}, ${news.itemId}, ${planId}, ${news.status}, ${new Date(news.currentPeriodStart)},
            ${new Date(news.currentPeriodEnd)}, ${date(news.cancelAt)}, ${pastDueSince}, ${new Date(news.createdAt)},
            ${new Date(at)})
          ON CONFLICT (user_id) DO UPDATE SET subscription_id = EXCLUDED.subscription_id, item_id = EXCLUDED.item_id,
            plan_id = EXCLUDED.plan_id, status = EXCLUDED.status, current_period_start = EXCLUDED.current_period_start,
            current_period_end = EXCLUDED.current_period_end, cancel_at = EXCLUDED.cancel_at,
            past_due_since = EXCLUDED.past_due_since, began_at = EXCLUDED.began_at, updated_at = EXCLUDED.updated_at,
            version = subscriptions.version + 1`
      })

      const record: Subscriptions["Service"]["record"] = Effect.fn("Subscriptions.record")(function* (
        userId,
        seen,
        news,
        eventId
      ) {
        const at = yield* Clock.currentTimeMillis
        const outcome = yield* inTransaction(
          sql,
          provide(
            Effect.gen(function* () {
              yield* Standing.hold(userId)
              const current = yield* find(userId)
              if ((current?.version ?? 0) !== seen) return { recorded: "Outdated" as const, fitted: 0 }
              const [plan] = yield* sql<{ id: PlanId }>`SELECT id FROM plans WHERE product_id = ${news.productId}`
              // What was a plan of ours may have been turned into something else: then it is one no more.
              const planId = plan?.id ?? (current?.subscription_id === news.id ? current.plan_id : undefined)
              if (planId === undefined) return { recorded: "Foreign" as const, fitted: 0 }
              const told = plan === undefined ? { ...news, status: "canceled" as const } : news
              if (eventId !== undefined) {
                const noted =
                  yield* sql`INSERT INTO payment_events (id, received_at) VALUES (${eventId}, ${new Date(at)})
                    ON CONFLICT DO NOTHING RETURNING id`
                if (noted.length === 0) return { recorded: "Repeated" as const, fitted: 0 }
              }
              const known = current === undefined ? undefined : read(current)
              if (known !== undefined && !supersedes(told, known)) {
                const recorded = isLive(told) && isLive(known) ? ("Doubled" as const) : ("Superseded" as const)
                return { recorded, fitted: 0 }
              }
              yield* write(userId, planId, told, current, at)
              return { recorded: "Written" as const, fitted: yield* fitNow(userId, at) }
            })
          )
        )
        if (outcome.fitted > 0) yield* signal.raise
        return outcome.recorded
      }, databaseDies)

      const unheard = Effect.fn("Subscriptions.unheard")((before: EpochMillis) =>
        sql<{ user_id: UserId; subscription_id: string }>`SELECT user_id, subscription_id FROM subscriptions
          WHERE status = ANY(${liveStatuses}::text[]) AND current_period_end < ${new Date(before)}
          ORDER BY current_period_end LIMIT 1000`.pipe(
          Effect.map((rows) => rows.map((row) => ({ userId: row.user_id, id: row.subscription_id }))),
          Effect.orDie
        )
      )

      const reconsider = Effect.gen(function* () {
        const now = new Date(yield* Clock.currentTimeMillis)
        yield* sql`UPDATE subscriptions SET fit_at = ${now} WHERE status <> ALL(${liveStatuses}::text[])`
      }).pipe(Effect.orDie, Effect.withSpan("Subscriptions.reconsider"))

      const settle = Effect.gen(function* () {
        const at = yield* Clock.currentTimeMillis
        const due = yield* sql<{ user_id: UserId }>`SELECT user_id FROM subscriptions WHERE fit_at <= ${new Date(at)}
          ORDER BY fit_at LIMIT 1000`
        // An account that cannot be settled does not keep the others from it.
        const outcomes = yield* Effect.forEach(due, ({ user_id }) =>
          Effect.exit(inTransaction(sql, provide(Effect.andThen(Standing.hold(user_id), fitNow(user_id, at)))))
        )
        if (outcomes.some((outcome) => Exit.isSuccess(outcome) && outcome.value > 0)) yield* signal.raise
        yield* outcomes.find(Exit.isFailure) ?? Effect.void
        return due.length
      }).pipe(Effect.orDie, Effect.withSpan("Subscriptions.settle"))

      const forget = Effect.gen(function* () {
        const before = new Date((yield* Clock.currentTimeMillis) - keptMillis)
        yield* sql`DELETE FROM payment_events WHERE received_at < ${before}`
      }).pipe(Effect.orDie, Effect.withSpan("Subscriptions.forget"))

      return Subscriptions.of({ standing, version, heard, record, unheard, reconsider, settle, forget })
    })
  )
}

/** An event is told again for some days; this is long after. */
const keptMillis = 30 * dayMillis

const inTransaction = <A, E>(
  sql: SqlClient.SqlClient,
  effect: Effect.Effect<A, E>
): Effect.Effect<A, E | SqlError.SqlError> => sql.withTransaction(effect)

const date = (at: EpochMillis | null): Date | null => (at === null ? null : new Date(at))

interface Row {
  readonly subscription_id: string
  readonly item_id: string
  readonly plan_id: PlanId
  readonly status: SubscriptionStatus
  readonly current_period_start: Date
  readonly current_period_end: Date
  readonly cancel_at: Date | null
  readonly past_due_since: Date | null
  readonly began_at: Date
  readonly version: number
}

const read = (row: Row): StoredSubscription => ({
  id: row.subscription_id,
  itemId: row.item_id,
  planId: row.plan_id,
  status: row.status,
  currentPeriodStart: row.current_period_start.getTime(),
  currentPeriodEnd: row.current_period_end.getTime(),
  cancelAt: row.cancel_at?.getTime() ?? null,
  pastDueSince: row.past_due_since?.getTime() ?? null,
  createdAt: row.began_at.getTime()
})
