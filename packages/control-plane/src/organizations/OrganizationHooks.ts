/** What happens with an organization, within the same transaction. */
import type { OrganizationId } from "@kanmon/domain/Ids"
import { Context, type Effect } from "effect"

/** Projects give a new organization its first project. */
export class OrganizationCreated extends Context.Service<
  OrganizationCreated,
  (id: OrganizationId) => Effect.Effect<void>
>()("@kanmon/control-plane/organizations/OrganizationCreated") {}
