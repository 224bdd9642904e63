/** The bodies of plans: prices as people write them, and flags only where they say yes. */
import { decodeStrict, InvalidFields } from "@kanmon/domain/FieldErrors"
import { PlanId } from "@kanmon/domain/Ids"
import { Currency, decimalsOf, toAmount, toMinor } from "@kanmon/domain/Money"
import { Interval } from "@kanmon/domain/Monitor"
import { type Plan, unlimited } from "@kanmon/domain/Plan"
import { Effect, Result, Schema } from "effect"
import * as Body from "./Body.ts"

const flag = (description: string) =>
  Schema.Boolean.annotate({ description }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(false)))

const Price = Schema.Finite.check(
  Schema.isBetween({ minimum: 0, maximum: 999_999.99 }, { message: "Expected a price from 0 to 999999.99" })
)

export const planFields = {
  name: Body.name.annotate({ description: "Name of the plan, shown to customers" }),
  monitors: Schema.Int.check(
    Schema.makeFilter<number>(
      (count) =>
        count === unlimited || (count >= 1 && count <= 1_000_000) || "Expected 1 to 1000000, or -1 for unlimited"
    )
  ).annotate({ description: "How many monitors an account may have over all its projects; -1 is unlimited" }),
  checkInterval: Interval.annotate({ description: "Shortest interval between checks, seconds" }),
  regions: Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 })))
    .annotate({ description: "Number of regions, shown to customers and not enforced" })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  price: Price.annotate({ description: "Price per month; 0 is free" }),
  currency: Currency.pipe(Schema.withDecodingDefaultKey(Effect.succeed("EUR" as const))),
  customDomain: flag("Status pages may have custom domains. Every plan includes the features of plan_free"),
  unlimitedTeamMembers: flag("Unlimited team members"),
  sso: flag("Single sign-on")
}

/** A plan in a response. */
export const PlanRecord = Schema.Struct({
  id: PlanId,
  name: Schema.String,
  monitors: Schema.Int.annotate({ description: "-1 is unlimited" }),
  checkInterval: Schema.Int.annotate({ description: "Shortest interval between checks, seconds" }),
  regions: Schema.optionalKey(Schema.Int),
  customDomain: Schema.optionalKey(Schema.Boolean),
  unlimitedTeamMembers: Schema.optionalKey(Schema.Boolean),
  sso: Schema.optionalKey(Schema.Boolean),
  price: Schema.Finite.annotate({ description: "Price per month; 0 is free" }),
  currency: Schema.optionalKey(Schema.String.annotate({ description: "ISO 4217; absent on free plans" }))
}).annotate({ identifier: "Plan" })

export const encode = (plan: Plan): typeof PlanRecord.Type => ({
  id: plan.id,
  name: plan.name,
  monitors: plan.monitors,
  checkInterval: plan.checkInterval,
  ...(plan.regions === null ? {} : { regions: plan.regions }),
  ...(plan.customDomain ? { customDomain: true } : {}),
  ...(plan.unlimitedTeamMembers ? { unlimitedTeamMembers: true } : {}),
  ...(plan.sso ? { sso: true } : {}),
  price: toAmount(plan.priceMinor, plan.currency),
  ...(plan.priceMinor === 0 ? {} : { currency: plan.currency })
})

/** The body of a new plan, as it is sent. */
export type PlanRequest = Schema.Struct<typeof planFields>["Encoded"]

export type PlanDraft = Omit<Plan, "id">

const decodeFields = Body.fit(decodeStrict(Schema.Struct(planFields)))

/** Decodes a plan's body; every broken field is named. */
export const decode = (body: unknown): Result.Result<PlanDraft, InvalidFields> => {
  return Result.flatMap(decodeFields(body), ({ price, ...fields }) => {
    const priceMinor = toMinor(price, fields.currency)
    const message = `Expected at most ${decimalsOf(fields.currency)} decimals in ${fields.currency}`
    return priceMinor === undefined
      ? Result.fail(new InvalidFields({ errors: [{ path: "price", message }] }))
      : Result.succeed({ ...fields, priceMinor })
  })
}

/** Lays a change over a plan. */
export const merge = ({ id: _, priceMinor, ...current }: Plan, change: unknown): unknown =>
  typeof change !== "object" || change === null || Array.isArray(change)
    ? change
    : Body.cleared(planFields, { ...current, price: toAmount(priceMinor, current.currency), ...change })
