/** Organizations: what owns projects and the subscription, who is a member with which role, and how much each may create. */
import { Layer } from "effect"
import { OrganizationLimits } from "./OrganizationLimits.ts"
import { Organizations } from "./Organizations.ts"

export * as MemberRoles from "./MemberRoles.ts"
export { OrganizationCreated } from "./OrganizationHooks.ts"
export { OrganizationLimits } from "./OrganizationLimits.ts"
export { OrganizationLock } from "./OrganizationLock.ts"
export * as OrganizationQuotas from "./OrganizationQuotas.ts"
export { Organizations } from "./Organizations.ts"

/** The services of this feature. */
export const layer = Layer.mergeAll(OrganizationLimits.layer, Organizations.layer)
