/** Organizations with their members and teams, as the API shows them. */
import { Schema } from "effect"
import { EmailAddress } from "./EmailAddress.ts"
import { InvitationId, OrganizationId, PlanId, TeamId, UserId } from "./Ids.ts"
import { Name } from "./Monitor.ts"
import { Reachable } from "./NotificationRules.ts"
import { MemberSource, Role } from "./Role.ts"
import { dayMillis, Timestamp } from "./Timestamp.ts"

/** Organizations that one account can own. */
export const maxOwnedOrganizations = 20

/** Open invitations that an organization can have. */
export const maxInvitations = 200

/** Teams that an organization can have. */
export const maxTeams = 100

/** How long an invitation holds. */
export const invitationDays = 7
export const invitationMillis = invitationDays * dayMillis

export const Organization = Schema.Struct({
  id: OrganizationId,
  name: Name,
  role: Role.annotate({ description: "The role of the caller in the organization" }),
  members: Schema.Int.annotate({ description: "How many members it has" }),
  plan: Schema.Struct({ id: PlanId, name: Schema.String }).annotate({
    description: "The plan that sets the limits now"
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "Organization" })
export type Organization = typeof Organization.Type

export const Member = Schema.Struct({
  userId: UserId,
  name: Schema.String,
  email: Schema.String,
  role: Role,
  source: MemberSource,
  twoFactor: Schema.Boolean.annotate({ description: "Whether the account signs in with a second factor" }),
  reachable: Reachable.annotate({
    description:
      "Whether pages about critical alerts reach the account: `no`, by e-mail alone (`emailOnly`), or by more (`yes`)"
  }),
  lastSeenAt: Schema.NullOr(Timestamp).annotate({
    description: "When a session of the account began or was extended last, accurate to a day; null without a session"
  }),
  createdAt: Timestamp.annotate({ description: "Since when the account is a member" })
}).annotate({ identifier: "Member" })
export type Member = typeof Member.Type

/** A member as a project sees it. */
export const ProjectMember = Schema.Struct({
  userId: UserId,
  name: Schema.String,
  email: Schema.String,
  role: Role.annotate({ description: "The role in this project: the higher one of the two" }),
  organizationRole: Role.annotate({ description: "The role in the organization" }),
  projectRole: Schema.NullOr(Role).annotate({
    description: "The role that was given for this project; null without one"
  })
}).annotate({ identifier: "ProjectMember" })
export type ProjectMember = typeof ProjectMember.Type

export const Team = Schema.Struct({
  id: TeamId,
  name: Name,
  memberIds: Schema.Array(UserId).annotate({ description: "The accounts in the team, by name" }),
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "Team" })
export type Team = typeof Team.Type

export const Invitation = Schema.Struct({
  id: InvitationId,
  email: EmailAddress,
  role: Role,
  invitedBy: Schema.Struct({ userId: UserId, name: Schema.String }),
  createdAt: Timestamp,
  sentAt: Timestamp.annotate({ description: "When its mail was sent last" }),
  expiresAt: Timestamp
}).annotate({ identifier: "Invitation" })
export type Invitation = typeof Invitation.Type

/** An invitation as the holder of its token sees it. */
export const InvitationOffer = Schema.Struct({
  organizationName: Schema.String,
  email: Schema.String,
  role: Role,
  invitedBy: Schema.String.annotate({ description: "The name of the person who invites" }),
  expiresAt: Timestamp,
  hasAccount: Schema.Boolean.annotate({
    description: "Whether the invited address has an account, which signs in; otherwise it signs up with the token"
  })
}).annotate({ identifier: "InvitationOffer" })
export type InvitationOffer = typeof InvitationOffer.Type
