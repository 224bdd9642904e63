/** What other features do for organizations, within the same transaction. */
import type { OrganizationId } from "@kanmon/domain/Ids"
import type { Plan } from "@kanmon/domain/Plan"
import { Context, type Effect } from "effect"

/** Projects give a new organization its first project. */
export class OrganizationCreated extends Context.Service<
  OrganizationCreated,
  (id: OrganizationId) => Effect.Effect<void>
>()("@kanmon/identity/organizations/OrganizationCreated") {}

/** Projects delete those of an organization that is about to be deleted. */
export class OrganizationDeleting extends Context.Service<
  OrganizationDeleting,
  (id: OrganizationId) => Effect.Effect<void>
>()("@kanmon/identity/organizations/OrganizationDeleting") {}

/** Billing says which plan is in force. */
export class OrganizationPlans extends Context.Service<
  OrganizationPlans,
  {
    readonly inForce: (id: OrganizationId) => Effect.Effect<Plan>
    /** Whether the payment provider collects for a subscription. */
    readonly isPaying: (id: OrganizationId) => Effect.Effect<boolean>
  }
>()("@kanmon/identity/organizations/OrganizationPlans") {}
