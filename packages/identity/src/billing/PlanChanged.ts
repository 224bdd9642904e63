/** Hooks that run when the plan of an account changes, in the same transaction and with the account locked. */
import type { OrganizationId } from "@kanmon/domain/Ids"
import type { PlanLimits } from "@kanmon/domain/Plan"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, type Effect } from "effect"

/** Monitors are paused, resumed or slowed to fit the plan; returns how many changed. */
export class PlanChanged extends Context.Service<
  PlanChanged,
  (organizationId: OrganizationId, limits: PlanLimits, at: EpochMillis) => Effect.Effect<number>
>()("@kanmon/identity/billing/PlanChanged") {}
