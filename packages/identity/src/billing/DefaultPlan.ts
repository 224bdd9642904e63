/** The plan of accounts without a subscription: the free one, unless the operator says otherwise. */
import type { PlanId } from "@kanmon/domain/Ids"
import { freePlanId } from "@kanmon/domain/Plan"
import { Context } from "effect"

export const DefaultPlan = Context.Reference<PlanId>("@kanmon/store/billing/DefaultPlan", {
  defaultValue: () => freePlanId
})
