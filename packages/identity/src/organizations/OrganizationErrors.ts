/** Why changes of organizations are refused. */
import type { PlanId } from "@kanmon/domain/Ids"
import type { MembershipRefusal, RoleRefusal } from "@kanmon/domain/Membership"
import type { Role } from "@kanmon/domain/Role"
import { Data, Effect } from "effect"

/** The role of the caller is too low for what it gives or takes. */
export class RoleTooLow extends Data.TaggedError("RoleTooLow")<{ readonly needed: Role; readonly caller: Role }> {}

/** Something names the team; `users` says what. */
export class TeamInUse extends Data.TaggedError("TeamInUse")<{ readonly users: ReadonlyArray<string> }> {}

/** The organization would be left without an owner. */
export class LastOwner extends Data.TaggedError("LastOwner") {}

/** Fails for a refusal. */
export const admit = (
  caller: Role,
  refusal: MembershipRefusal | undefined
): Effect.Effect<void, RoleTooLow | LastOwner> => {
  if (refusal === undefined) return Effect.void
  return refusal.why === "lastOwner" ? Effect.fail(new LastOwner()) : admitRole(caller, refusal)
}

/** As `admit`, where no owner can be lost. */
export const admitRole = (caller: Role, refusal: RoleRefusal | undefined): Effect.Effect<void, RoleTooLow> =>
  refusal === undefined ? Effect.void : Effect.fail(new RoleTooLow({ needed: refusal.needed, caller }))

/** The plan includes no more members besides viewers. */
export class MemberLimitReached extends Data.TaggedError("MemberLimitReached")<{
  readonly limit: number
  readonly current: number
  readonly planId: PlanId
  readonly planName: string
}> {}

/** The account owns as many organizations as it may. */
export class TooManyOrganizations extends Data.TaggedError("TooManyOrganizations")<{ readonly limit: number }> {}

/** The organization pays for a subscription. */
export class StillPaying extends Data.TaggedError("StillPaying") {}

/** The role for a project is not above the one in the organization. */
export class NotRaised extends Data.TaggedError("NotRaised")<{ readonly organizationRole: Role }> {}

/** Another team has the name. */
export class TeamNameTaken extends Data.TaggedError("TeamNameTaken")<{ readonly name: string }> {}

/** The organization has as many teams as it may. */
export class TooManyTeams extends Data.TaggedError("TooManyTeams")<{ readonly limit: number }> {}

/** The invitation is not needed or not possible; `detail` says why. */
export class InvitationConflict extends Data.TaggedError("InvitationConflict")<{ readonly detail: string }> {}

/** Somebody accepts an invitation that was sent to another address. */
export class OtherAddress extends Data.TaggedError("OtherAddress") {}

/** The person who invites has not verified their own address. */
export class InviterUnverified extends Data.TaggedError("InviterUnverified") {}
