/** Examples of organizations, members, teams and invitations. */
import type {
  Invitation,
  InvitationOffer,
  Member,
  Organization,
  ProjectMember,
  Team
} from "@kanmon/domain/Organization"
import { user } from "./AccountExamples.ts"
import * as Examples from "./Examples.ts"
import { plan } from "./InstallationExamples.ts"

const createdAt = Examples.project.createdAt
const userId = "usr_01m7xr0ab0e7t4n2mq6yk9w3sd"

export const organization: typeof Organization.Encoded = {
  id: Examples.project.organizationId,
  name: "Acme",
  role: "owner",
  members: 3,
  plan: { id: plan.id, name: plan.name },
  createdAt,
  updatedAt: createdAt
}

export const member: typeof Member.Encoded = {
  userId,
  name: user.name,
  email: user.email,
  role: "editor",
  source: "invitation",
  twoFactor: true,
  reachable: "yes",
  lastSeenAt: createdAt,
  createdAt
}

export const projectMember: typeof ProjectMember.Encoded = {
  userId,
  name: user.name,
  email: user.email,
  role: "admin",
  organizationRole: "editor",
  projectRole: "admin"
}

export const team: typeof Team.Encoded = {
  id: "team_01m7xt3d8f2h6k9q4rs7v1w5zb",
  name: "On call",
  memberIds: [userId],
  createdAt,
  updatedAt: createdAt
}

export const invitation: typeof Invitation.Encoded = {
  id: "inv_01m7xt5n2c8e4g7j1mp3s6u9xa",
  email: "grace@example.org",
  role: "editor",
  invitedBy: { userId, name: user.name },
  createdAt,
  sentAt: createdAt,
  expiresAt: "2026-11-27T08:30:00.000Z"
}

export const invitationToken = "q8VbN3kTz0LxYw5RcJ7mHs2PdGfA9eUiO4tXnKvB6Sy"

export const offer: typeof InvitationOffer.Encoded = {
  organizationName: organization.name,
  email: invitation.email,
  role: invitation.role,
  invitedBy: user.name,
  expiresAt: invitation.expiresAt,
  hasAccount: false
}
