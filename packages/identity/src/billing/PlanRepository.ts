/** The table of plans, and the plan of an account. */
import { PlanId, type ProjectId, OrganizationId } from "@kanmon/domain/Ids"
import { Currency } from "@kanmon/domain/Money"
import { freePlanId, type Plan } from "@kanmon/domain/Plan"
import { SubscriptionStatus } from "@kanmon/domain/Subscription"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Persisted from "@kanmon/platform/database/Persisted"
import * as Rows from "@kanmon/platform/database/Rows"

/** A plan as the payment provider sells it. */
export const PlanOffer = Schema.Struct({
  /** Stays the same as long as the plan exists. */
  productId: Schema.String,
  priceId: Schema.String,
  name: Schema.String,
  priceMinor: Schema.Int,
  currency: Currency
})
export type PlanOffer = typeof PlanOffer.Type

/** Offers as JSON. */
export const storedOffer = Persisted.make(PlanOffer)

export interface OfferedPlan {
  readonly plan: Plan
  /** The latest offer; the plan may have changed since. */
  readonly offer: PlanOffer | undefined
}

/** The inputs that decide the plan of an account: its subscription, and the plans that can be in force. */
interface PlanCandidates {
  readonly subscription:
    | { readonly planId: PlanId; readonly status: SubscriptionStatus; readonly pastDueSince: EpochMillis | null }
    | undefined
  readonly plans: ReadonlyMap<PlanId, Plan>
}

export class PlanRepository extends Context.Service<PlanRepository>()("@kanmon/identity/billing/PlanRepository", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const run = (statement: Effect.Effect<unknown, unknown>) => Effect.asVoid(Effect.orDie(statement))
    const columns = sql`p.id, p.name, p.monitors, p.check_interval AS "checkInterval", p.regions,
        p.custom_domain AS "customDomain", p.unlimited_team_members AS "unlimitedTeamMembers", p.sso,
        p.price_minor AS "priceMinor", p.currency`

    const findOffered = (id: PlanId, lock = sql``) =>
      offeredRow(sql`SELECT ${columns}, p.offer FROM plans p WHERE p.id = ${id} AND p.deleted_at IS NULL ${lock}`).pipe(
        Effect.map((row): OfferedPlan | undefined => {
          if (row === undefined) return undefined
          const { offer, ...plan } = row
          return { plan, offer: offer === null ? undefined : storedOffer.decode(offer) }
        })
      )

    const insert = (plan: Plan, at: EpochMillis) => {
      const now = new Date(at)
      return run(sql`INSERT INTO plans (id, name, monitors, check_interval, regions, custom_domain,
            unlimited_team_members, sso, price_minor, currency, created_at, updated_at)
          VALUES (${plan.id}, ${plan.name}, ${plan.monitors}, ${plan.checkInterval}, ${plan.regions}, ${plan.customDomain},
            ${plan.unlimitedTeamMembers}, ${plan.sso}, ${plan.priceMinor}, ${plan.currency}, ${now}, ${now})`)
    }

    const update = (plan: Plan, at: EpochMillis) =>
      run(sql`UPDATE plans SET name = ${plan.name}, monitors = ${plan.monitors},
          check_interval = ${plan.checkInterval}, regions = ${plan.regions}, custom_domain = ${plan.customDomain},
          unlimited_team_members = ${plan.unlimitedTeamMembers}, sso = ${plan.sso}, price_minor = ${plan.priceMinor},
          currency = ${plan.currency}, updated_at = ${new Date(at)} WHERE id = ${plan.id}`)

    const findCandidates = (organizationId: OrganizationId, defaultPlan: PlanId) =>
      candidateRows(sql`SELECT jsonb_build_object('id', p.id, 'name', p.name, 'monitors', p.monitors,
            'checkInterval', p.check_interval, 'regions', p.regions, 'customDomain', p.custom_domain,
            'unlimitedTeamMembers', p.unlimited_team_members, 'sso', p.sso, 'priceMinor', p.price_minor,
            'currency', p.currency) AS plan, s.plan_id AS "subscribedId", s.status, s.past_due_since AS "pastDueSince"
          FROM plans p LEFT JOIN subscriptions s ON s.organization_id = ${organizationId}
          WHERE p.id IN (${defaultPlan}, ${freePlanId}, s.plan_id)`).pipe(
        Effect.map((rows): PlanCandidates => {
          const { pastDueSince = null, status = null, subscribedId = null } = rows[0] ?? {}
          return {
            subscription:
              subscribedId === null || status === null ? undefined : { planId: subscribedId, status, pastDueSince },
            plans: new Map(rows.map(({ plan }) => [plan.id, plan]))
          }
        })
      )

    return {
      /** Cheapest first. */
      list: planRows(
        sql`SELECT ${columns} FROM plans p WHERE p.deleted_at IS NULL ORDER BY p.price_minor, p.created_at, p.id`
      ),
      find: (id: PlanId) => findOffered(id),
      /** Locks a plan that is about to change; subscriptions may still refer to it. */
      lock: (id: PlanId) => findOffered(id, sql`FOR NO KEY UPDATE`),
      /** Locks a plan that is about to be deleted. */
      lockForRemoval: (id: PlanId) => findOffered(id, sql`FOR UPDATE`),
      insert,
      update,
      markDeleted: (id: PlanId, at: EpochMillis) =>
        run(sql`UPDATE plans SET deleted_at = ${new Date(at)}, updated_at = ${new Date(at)} WHERE id = ${id}`),
      saveOffer: (id: PlanId, offer: PlanOffer) =>
        run(sql`UPDATE plans SET product_id = ${offer.productId},
            offer = ${JSON.stringify(storedOffer.encode(offer))}::jsonb WHERE id = ${id}`),
      findByProduct: (productId: string) =>
        idRow(sql`SELECT id FROM plans WHERE product_id = ${productId}`).pipe(Effect.map((row) => row?.id)),
      findCandidates,
      /** The account that owns a project and provides its plan. */
      findOwner: (projectId: ProjectId) =>
        ownerRow(sql`SELECT organization_id AS "organizationId" FROM projects WHERE id = ${projectId}`).pipe(
          Effect.map((row) => row?.organizationId)
        )
    }
  })
}) {
  static readonly layer = Layer.effect(PlanRepository, PlanRepository.make)
}

const PlanRow = Schema.Struct({
  id: PlanId,
  name: Schema.String,
  monitors: Schema.Int,
  checkInterval: Schema.Int,
  regions: Schema.NullOr(Schema.Int),
  customDomain: Schema.Boolean,
  unlimitedTeamMembers: Schema.Boolean,
  sso: Schema.Boolean,
  priceMinor: Schema.Int,
  currency: Currency
})
const planRows = Rows.all(PlanRow)
const ownerRow = Rows.first(Schema.Struct({ organizationId: OrganizationId }))
const idRow = Rows.first(Schema.Struct({ id: PlanId }))
const offeredRow = Rows.first(Schema.Struct({ ...PlanRow.fields, offer: Schema.Unknown }))
const candidateRows = Rows.all(
  Schema.Struct({
    plan: PlanRow,
    subscribedId: Schema.NullOr(PlanId),
    status: Schema.NullOr(SubscriptionStatus),
    pastDueSince: Schema.NullOr(Rows.Time)
  })
)
