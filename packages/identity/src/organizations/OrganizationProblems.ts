/** The refusals of this feature as problems, each with a remedy. */
import { counted } from "@kanmon/domain/Counted"
import type { InvitationNotFound, MemberNotFound, OrganizationNotFound, TeamNotFound } from "@kanmon/domain/NotFound"
import { invalid, notFound, Problem } from "@kanmon/protocol/Problem"
import { asProblem } from "@kanmon/platform/http/AsProblem"
import type {
  InvitationConflict,
  InviterUnverified,
  MemberLimitReached,
  LastOwner,
  RoleTooLow,
  NotRaised,
  OtherAddress,
  StillPaying,
  TeamInUse,
  TeamNameTaken,
  TooManyOrganizations,
  TooManyTeams
} from "./OrganizationErrors.ts"

const limit = ({ current, limit, planId, planName }: MemberLimitReached): Problem<"plan_limit_reached"> =>
  new Problem({
    code: "plan_limit_reached",
    detail: `The plan ${planName} includes ${counted(limit, "member")} besides viewers, and there are ${current}, open invitations included; make one of them a viewer, or change the plan of the organization`,
    planLimit: { limit, current, planId }
  })

export const refusing = asProblem({
  OrganizationNotFound: (_: OrganizationNotFound) => notFound("organization"),
  MemberNotFound: (_: MemberNotFound) => notFound("member"),
  TeamNotFound: (_: TeamNotFound) => notFound("team"),
  InvitationNotFound: (_: InvitationNotFound) => notFound("invitation"),
  RoleTooLow: ({ caller, needed }: RoleTooLow) =>
    new Problem({
      code: "forbidden",
      detail: `This requires the role ${needed}; your account has the role ${caller}`
    }),
  LastOwner: (_: LastOwner) =>
    new Problem({
      code: "conflict",
      detail: "This is the last owner of the organization; make another member an owner first"
    }),
  MemberLimitReached: limit,
  TooManyOrganizations: ({ limit }: TooManyOrganizations) =>
    new Problem({
      code: "account_limit_reached",
      detail: `The account owns ${counted(limit, "organization")}, and may own no more; delete one that is not needed`,
      accountLimit: { limit, current: limit }
    }),
  StillPaying: (_: StillPaying) =>
    new Problem({
      code: "conflict",
      detail: "The organization pays for a subscription; cancel it with POST /billing/portal first"
    }),
  NotRaised: ({ organizationRole }: NotRaised) =>
    invalid([
      { path: "role", message: `Expected a role above ${organizationRole}, which the member has in the organization` }
    ]),
  TeamInUse: ({ users }: TeamInUse) =>
    new Problem({
      code: "conflict",
      detail: `The team is in use by ${users.join(", ")}: take it out there first`
    }),
  TeamNameTaken: ({ name }: TeamNameTaken) => {
    const message = `There is a team with the name ${name} already`
    return new Problem({ code: "conflict", detail: message, errors: [{ path: "name", message }] })
  },
  TooManyTeams: ({ limit }: TooManyTeams) =>
    new Problem({ code: "conflict", detail: `The organization has ${counted(limit, "team")}, and can have no more` }),
  InvitationConflict: ({ detail }: InvitationConflict) => new Problem({ code: "conflict", detail }),
  OtherAddress: (_: OtherAddress) =>
    new Problem({
      code: "forbidden",
      detail: "The invitation was sent to another address; sign in with the account that has it"
    }),
  InviterUnverified: (_: InviterUnverified) =>
    new Problem({
      code: "forbidden",
      detail:
        "Verify the e-mail address of your account before you invite others; POST /auth/send-verification-email sends the link again"
    })
})
