/**
 * How an account stands to its plan, within a transaction that is about to change its monitors or its plan. Whoever changes
 * either holds the account first, before any monitor, so that two changes at the limit are decided one after the other.
 */
import { PlanId, type ProjectId, type UserId } from "@kanmon/domain/Ids"
import { freePlanId, type Plan, roomOf } from "@kanmon/domain/Plan"
import { planInForce, type SubscriptionStatus } from "@kanmon/domain/Subscription"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { DefaultPlan } from "./DefaultPlan.ts"
import { type PlanRow, readPlan } from "./PlanRow.ts"

/** The plan allows no more. `current` is what the account has, or what was asked for. */
export class PlanLimitReached extends Schema.TaggedError<PlanLimitReached>()("PlanLimitReached", {
  limited: Schema.Literals(["monitors", "running", "interval", "customDomain", "phoneNumbers"]),
  limit: Schema.Int,
  current: Schema.Int,
  planId: PlanId,
  planName: Schema.String
}) {}

/** Holds an account until the transaction ends. */
export const hold = Effect.fnUntraced(function* (userId: UserId) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`SELECT id FROM users WHERE id = ${userId} FOR NO KEY UPDATE`
})

/** Holds the account that a project belongs to; none when the project is gone. */
export const holdOwner = Effect.fnUntraced(function* (projectId: ProjectId) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ id: UserId }>`SELECT u.id FROM users u JOIN projects p ON p.user_id = u.id
    WHERE p.id = ${projectId} FOR NO KEY UPDATE OF u`
  return row?.id
})

/** The plan in force, with everything it includes. */
export const planOf = Effect.fnUntraced(function* (userId: UserId, at: EpochMillis) {
  const sql = yield* SqlClient.SqlClient
  const defaultPlan = yield* DefaultPlan
  const rows = yield* sql<PlanRow & SubscribedRow>`
    SELECT p.*, s.plan_id AS subscribed, s.status, s.past_due_since
    FROM plans p LEFT JOIN subscriptions s ON s.user_id = ${userId}
    WHERE p.id IN (${defaultPlan}, ${freePlanId}, s.plan_id)`
  const { past_due_since, status, subscribed } = rows[0]!
  const subscription =
    subscribed === null || status === null
      ? undefined
      : { planId: subscribed, status, pastDueSince: past_due_since?.getTime() ?? null }
  const id = planInForce(subscription, defaultPlan, at)
  const plan = readPlan(rows.find((row) => row.id === id)!)
  const free = rows.find((row) => row.id === freePlanId)!
  return { ...plan, customDomain: plan.customDomain || free.custom_domain }
})

interface SubscribedRow {
  readonly subscribed: PlanId | null
  readonly status: SubscriptionStatus | null
  readonly past_due_since: Date | null
}

/** How many monitors an account has, and how many of them are not paused. */
export const places = Effect.fnUntraced(function* (userId: UserId) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ total: number; running: number }>`
    SELECT count(*)::integer AS total, (count(*) FILTER (WHERE NOT m.paused))::integer AS running
    FROM monitors m JOIN projects p ON p.id = m.project_id WHERE p.user_id = ${userId}`
  return row!
})

const refused = (plan: Plan, limited: PlanLimitReached["limited"], limit: number, current: number) =>
  new PlanLimitReached({ limited, limit, current, planId: plan.id, planName: plan.name })

/** Refuses an interval that is shorter than the plan allows. */
export const admitInterval = (plan: Plan, interval: number): Effect.Effect<void, PlanLimitReached> =>
  interval < plan.checkInterval ? Effect.fail(refused(plan, "interval", plan.checkInterval, interval)) : Effect.void

/** Refuses one monitor more than the plan has room for. Paused ones count like others. */
export const admitMonitor = Effect.fnUntraced(function* (userId: UserId, plan: Plan) {
  if (roomOf(plan) === Number.POSITIVE_INFINITY) return
  const { total } = yield* places(userId)
  if (total >= plan.monitors) return yield* refused(plan, "monitors", plan.monitors, total)
})

/** Refuses to let one more run than the plan has room for: after a downgrade there can be more monitors than that. */
export const admitRunning = Effect.fnUntraced(function* (userId: UserId, plan: Plan) {
  if (roomOf(plan) === Number.POSITIVE_INFINITY) return
  const { running } = yield* places(userId)
  if (running >= plan.monitors) return yield* refused(plan, "running", plan.monitors, running)
})

/** Refuses a domain of one's own to a project whose plan includes none. */
export const admitDomain = Effect.fnUntraced(function* (projectId: ProjectId, at: EpochMillis) {
  const sql = yield* SqlClient.SqlClient
  const [owner] = yield* sql<{ user_id: UserId }>`SELECT user_id FROM projects WHERE id = ${projectId}`
  if (owner === undefined) return
  const plan = yield* planOf(owner.user_id, at)
  if (!plan.customDomain) return yield* refused(plan, "customDomain", 0, 1)
})
