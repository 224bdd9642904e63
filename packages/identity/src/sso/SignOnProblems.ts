/** Problem responses for the errors of single sign-on settings. */
import { PlanId } from "@kanmon/domain/Ids"
import { Problem } from "@kanmon/protocol/Problem"
import type { SignOnNotIncluded } from "./SignOns.ts"

/** 402 for a plan that includes `what`: "no single sign-on". */
export const notIncluded =
  (what: string) =>
  ({ planId, planName }: SignOnNotIncluded) =>
    new Problem({
      code: "plan_limit_reached",
      detail: `The plan ${planName} includes ${what}; change the plan, or ask the operator of this installation`,
      planLimit: { limit: 0, current: 1, planId: PlanId.make(planId) }
    })
