/** Organizations: owners of projects and subscriptions, with their members, roles and limits. */
import { Layer } from "effect"
import { Invitations } from "./Invitations.ts"
import * as InvitationsHandlers from "./InvitationsHandlers.ts"
import { MemberLimit } from "./MemberLimit.ts"
import { Members } from "./Members.ts"
import { OrganizationLimits } from "./OrganizationLimits.ts"
import { Organizations } from "./Organizations.ts"
import * as OrganizationsHandlers from "./OrganizationsHandlers.ts"
import { ProjectMembers } from "./ProjectMembers.ts"
import { Teams } from "./Teams.ts"

export { Invitations } from "./Invitations.ts"
export { MemberLimit } from "./MemberLimit.ts"
export { MemberRepository } from "./MemberRepository.ts"
export { Members } from "./Members.ts"
export * as MemberRoles from "./MemberRoles.ts"
export {
  type Copied,
  type CountedRecord,
  MemberPresence,
  MemberReach,
  OrganizationContents,
  OrganizationCreated,
  OrganizationDeleting,
  OrganizationPlans,
  TeamUse
} from "./OrganizationHooks.ts"
export { OrganizationLock } from "./OrganizationLock.ts"
export * as OrganizationQuotas from "./OrganizationQuotas.ts"
export { Organizations } from "./Organizations.ts"

/** The services of this feature. */
export const layer = Layer.mergeAll(
  Invitations.layer,
  MemberLimit.layer,
  Members.layer,
  OrganizationLimits.layer,
  Organizations.layer,
  ProjectMembers.layer,
  Teams.layer
)

/** The operations of this feature. */
export const layerApi = Layer.mergeAll(OrganizationsHandlers.layer, InvitationsHandlers.layer)
