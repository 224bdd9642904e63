/** The subscription of an account, in responses. */
import { PlanId } from "@kanmon/domain/Ids"
import * as Domain from "@kanmon/domain/Subscription"
import { Timestamp } from "@kanmon/domain/Timestamp"
import { Schema } from "effect"

/** The subscription of an account, with what follows from it now. */
export const Subscription = Schema.Struct({
  ...Domain.Subscription.fields,
  graceEndsAt: Schema.NullOr(Timestamp).annotate({
    description: "When the plan ends if the overdue payment does not arrive; null when none is overdue"
  }),
  effectivePlanId: PlanId.annotate({ description: "The plan that sets the limits now" }),
  monitorsUsed: Schema.Int.annotate({ description: "Monitors over all projects" }),
  monitorsShared: Schema.Int.annotate({
    description:
      "Monitors that count against the plan: `monitorsUsed`, and without a subscription also those of the other organizations without one that the same account founded"
  }),
  payments: Schema.Boolean.annotate({
    description: "Whether plans can be bought: whether the operator has set up payments"
  })
}).annotate({ identifier: "Subscription" })
