/** Examples of what administrators of the installation see, for the OpenAPI document. */
import type {
  Impersonation,
  InstallationAccount,
  InstallationAccountDetails,
  InstallationOrganization
} from "../OperatorBody.ts"

export const at = "2026-11-24T09:00:00.000Z"

export const account: typeof InstallationAccount.Encoded = {
  id: "usr_01m7xqy4h8n2c6v9tz5kb3w7rd",
  email: "ada@example.org",
  name: "Ada",
  emailVerified: true,
  isAdmin: false,
  organizations: 1,
  sessions: 2,
  createdAt: "2026-11-20T08:30:00.000Z",
  lastSignedInAt: "2026-11-24T08:10:00.000Z",
  disabledAt: null
}

export const organization: typeof InstallationOrganization.Encoded = {
  id: "org_01m7xqy4h8n2c6v9tz5kb3w7rd",
  name: "Acme",
  owners: ["ada@example.org"],
  plan: { id: "plan_free", name: "Free" },
  members: 3,
  projects: 2,
  monitors: 41,
  createdAt: "2026-11-20T08:30:00.000Z",
  disabledAt: null
}

export const accountDetails: typeof InstallationAccountDetails.Encoded = {
  ...account,
  memberships: [{ organizationId: organization.id, name: organization.name, role: "owner", disabledAt: null }]
}

export const impersonation: typeof Impersonation.Encoded = { userId: account.id, expiresAt: "2026-11-24T10:00:00.000Z" }
