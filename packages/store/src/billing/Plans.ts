/**
 * Plans. A change of one reaches those who subscribed to it, and their monitors with it; a plan that is deleted is only taken
 * from sale and sight, because subscriptions that ended, and checkouts that have begun, still name it.
 */
import { nextPlanId, PlanId, type UserId } from "@kanmon/domain/Ids"
import { freePlanId, type Plan } from "@kanmon/domain/Plan"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { databaseDies } from "../database/Database.ts"
import { DefaultPlan } from "./DefaultPlan.ts"
import { type PlanRow, readPlan } from "./PlanRow.ts"
import { planOf } from "./Standing.ts"

export class PlanNotFound extends Schema.TaggedError<PlanNotFound>()("PlanNotFound", { id: PlanId }) {}

/** Somebody is on this plan, or would be without a subscription. */
export class PlanInUse extends Schema.TaggedError<PlanInUse>()("PlanInUse", {
  id: PlanId,
  why: Schema.Literals(["free", "default", "subscribers"])
}) {}

/** What an admin decides about a plan. */
export type PlanDraft = Omit<Plan, "id">

/** A plan as the payment provider sells it: under which names, and at what price. */
export interface PlanOffer extends Pick<Plan, "name" | "priceMinor" | "currency"> {
  /** Stays the same as long as the plan lives. */
  readonly productId: string
  readonly priceId: string
}

export interface OfferedPlan {
  readonly plan: Plan
  /** How it was last sold; the plan may have changed since. */
  readonly offer: PlanOffer | undefined
}

export class Plans extends Context.Service<
  Plans,
  {
    /** Cheapest first. */
    readonly list: Effect.Effect<ReadonlyArray<Plan>>
    readonly get: (id: PlanId) => Effect.Effect<OfferedPlan, PlanNotFound>
    /** The plan of an account, with everything it includes. */
    readonly inForce: (userId: UserId) => Effect.Effect<Plan>
    readonly create: (draft: PlanDraft) => Effect.Effect<Plan>
    readonly update: <E>(
      id: PlanId,
      change: (current: Plan) => Effect.Effect<PlanDraft, E>
    ) => Effect.Effect<OfferedPlan, PlanNotFound | E>
    readonly remove: (id: PlanId) => Effect.Effect<OfferedPlan, PlanNotFound | PlanInUse>
    /** Keeps how the payment provider sells the plan. */
    readonly keepOffer: (id: PlanId, offer: PlanOffer) => Effect.Effect<void>
  }
>()("@kanmon/store/billing/Plans") {
  static readonly layer = Layer.effect(
    Plans,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const defaultPlan = yield* DefaultPlan

      const list = sql<PlanRow>`SELECT * FROM plans WHERE deleted_at IS NULL ORDER BY price_minor, created_at, id`.pipe(
        Effect.map((rows) => rows.map(readPlan)),
        Effect.orDie,
        Effect.withSpan("Plans.list")
      )

      const find = Effect.fnUntraced(function* (id: PlanId, held = sql``) {
        const [row] = yield* sql<OfferedRow>`SELECT * FROM plans WHERE id = ${id} AND deleted_at IS NULL ${held}`
        if (row === undefined) return yield* new PlanNotFound({ id })
        return readOffered(row)
      })

      const get: Plans["Service"]["get"] = (id) => find(id).pipe(databaseDies, Effect.withSpan("Plans.get"))

      const inForce: Plans["Service"]["inForce"] = Effect.fn("Plans.inForce")(
        function* (userId) {
          return yield* planOf(userId, yield* Clock.currentTimeMillis)
        },
        Effect.provideService(SqlClient.SqlClient, sql),
        Effect.provideService(DefaultPlan, defaultPlan),
        Effect.orDie
      )

      const create: Plans["Service"]["create"] = Effect.fn("Plans.create")(function* (draft) {
        const id = yield* Effect.provideService(nextPlanId, SecureRandom.SecureRandom, random)
        const now = new Date(yield* Clock.currentTimeMillis)
        yield* sql`INSERT INTO plans (id, name, monitors, check_interval, regions, custom_domain, unlimited_team_members,
            sso, price_minor, currency, created_at, updated_at)
          VALUES (${id}, ${draft.name}, ${draft.monitors}, ${draft.checkInterval}, ${draft.regions}, ${draft.customDomain},
            ${draft.unlimitedTeamMembers}, ${draft.sso}, ${draft.priceMinor}, ${draft.currency}, ${now}, ${now})`
        return { ...draft, id }
      }, Effect.orDie)

      const update: Plans["Service"]["update"] = (id, change) =>
        sql
          .withTransaction(
            Effect.gen(function* () {
              const current = yield* find(id, sql`FOR NO KEY UPDATE`)
              const draft = yield* change(current.plan)
              const now = new Date(yield* Clock.currentTimeMillis)
              yield* sql`UPDATE plans SET name = ${draft.name}, monitors = ${draft.monitors},
                check_interval = ${draft.checkInterval}, regions = ${draft.regions}, custom_domain = ${draft.customDomain},
                unlimited_team_members = ${draft.unlimitedTeamMembers}, sso = ${draft.sso}, price_minor = ${draft.priceMinor},
                currency = ${draft.currency}, updated_at = ${now} WHERE id = ${id}`
              // Their monitors follow soon, one account after the other.
              if (draft.monitors !== current.plan.monitors || draft.checkInterval !== current.plan.checkInterval)
                yield* sql`UPDATE subscriptions SET fit_at = ${now}
                  WHERE plan_id = ${id} OR (${id === defaultPlan} AND status <> 'active')`
              return { ...current, plan: { ...draft, id } }
            })
          )
          .pipe(databaseDies, Effect.withSpan("Plans.update"))

      const remove: Plans["Service"]["remove"] = (id) =>
        sql
          .withTransaction(
            Effect.gen(function* () {
              const offered = yield* find(id, sql`FOR UPDATE`)
              if (id === freePlanId) return yield* new PlanInUse({ id, why: "free" })
              if (id === defaultPlan) return yield* new PlanInUse({ id, why: "default" })
              const subscribed =
                yield* sql`SELECT 1 FROM subscriptions WHERE plan_id = ${id} AND status <> 'canceled' LIMIT 1`
              if (subscribed.length > 0) return yield* new PlanInUse({ id, why: "subscribers" })
              const now = new Date(yield* Clock.currentTimeMillis)
              yield* sql`UPDATE plans SET deleted_at = ${now}, updated_at = ${now} WHERE id = ${id}`
              return offered
            })
          )
          .pipe(databaseDies, Effect.withSpan("Plans.remove"))

      const keepOffer: Plans["Service"]["keepOffer"] = Effect.fn("Plans.keepOffer")((id, offer) =>
        sql`UPDATE plans SET product_id = ${offer.productId}, offer = ${JSON.stringify(offer)}::jsonb WHERE id = ${id}`.pipe(
          Effect.asVoid,
          Effect.orDie
        )
      )

      return Plans.of({ list, get, inForce, create, update, remove, keepOffer })
    })
  )
}

interface OfferedRow extends PlanRow {
  readonly offer: PlanOffer | null
}

const readOffered = (row: OfferedRow): OfferedPlan => ({ plan: readPlan(row), offer: row.offer ?? undefined })
