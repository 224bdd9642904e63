/** Accounts and organizations as administrators of the installation see them. */
import { OrganizationId, PlanId, UserId } from "@kanmon/domain/Ids"
import { Role } from "@kanmon/domain/Role"
import { Timestamp } from "@kanmon/domain/Timestamp"
import { Schema } from "effect"
import { Email } from "./AccountBody.ts"

const disabledAt = Schema.NullOr(Timestamp).annotate({ description: "When it was disabled; null while it is not" })

/** An account, for administrators. */
export const InstallationAccount = Schema.Struct({
  id: UserId,
  email: Email,
  name: Schema.String,
  emailVerified: Schema.Boolean,
  isAdmin: Schema.Boolean.annotate({ description: "Whether it is an administrator, by command or by its address" }),
  organizations: Schema.Int.annotate({ description: "Number of organizations that it is a member of" }),
  sessions: Schema.Int.annotate({ description: "How many sessions it has, of browsers and programs" }),
  createdAt: Timestamp,
  lastSignedInAt: Schema.NullOr(Timestamp),
  disabledAt
}).annotate({ identifier: "InstallationAccount" })
export type InstallationAccount = typeof InstallationAccount.Type

/** An account with its organizations. */
export const InstallationAccountDetails = Schema.Struct({
  ...InstallationAccount.fields,
  memberships: Schema.Array(
    Schema.Struct({ organizationId: OrganizationId, name: Schema.String, role: Role, disabledAt })
  ).annotate({ description: "Its organizations, the oldest first" })
}).annotate({ identifier: "InstallationAccountDetails" })
export type InstallationAccountDetails = typeof InstallationAccountDetails.Type

/** An organization, for administrators. */
export const InstallationOrganization = Schema.Struct({
  id: OrganizationId,
  name: Schema.String,
  owners: Schema.Array(Email).annotate({ description: "Addresses of its owners, at most ten" }),
  plan: Schema.Struct({ id: PlanId, name: Schema.String }).annotate({ description: "The plan in force" }),
  members: Schema.Int,
  projects: Schema.Int,
  monitors: Schema.Int,
  createdAt: Timestamp,
  disabledAt
}).annotate({ identifier: "InstallationOrganization" })
export type InstallationOrganization = typeof InstallationOrganization.Type

/** A session in which an administrator acts as an account. */
export const Impersonation = Schema.Struct({
  userId: UserId.annotate({ description: "The account" }),
  expiresAt: Timestamp.annotate({ description: "When it ends by itself" })
}).annotate({ identifier: "Impersonation" })
