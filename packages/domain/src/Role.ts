/**
 * The roles in an organization and its projects, and what each may do. This is the only declaration: the API enforces it, the
 * OpenAPI document shows it, and the tests derive their matrix from it.
 */
import { Schema } from "effect"

/** From the fewest rights to the most. Each role may do everything that the roles before it may do. */
export const roles = ["viewer", "responder", "editor", "admin", "owner"] as const

export const Role = Schema.Literals(roles).annotate({
  description:
    "`viewer` reads; `responder` also handles alerts, incidents and maintenance, and can be on call; `editor` also changes monitors, channels, rules, status pages, on-call schedules and escalation policies; `admin` also manages projects, API keys, members and the audit log; `owner` also pays, sets up single sign-on and deletes the organization"
})
export type Role = typeof Role.Type

/** How an account became a member of an organization. */
export const MemberSource = Schema.Literals(["founder", "invitation", "sso", "scim"]).annotate({
  description: "How the account became a member: as the founder, by an invitation, by single sign-on, or by SCIM"
})
export type MemberSource = typeof MemberSource.Type

/** The roles that an API key can have. */
export const KeyRole = Schema.Literals(["viewer", "responder", "editor", "admin"]).annotate({
  description: "The role of the key; an `owner` is always a person"
})
export type KeyRole = typeof KeyRole.Type

/** The role of a project's own key, which `GET /projects` shows. */
export const projectKeyRole: KeyRole = "admin"

/** The groups of operations on a project, and the role that each requires at least. */
export const minimumRole = {
  "monitors.read": "viewer",
  "monitors.write": "editor",
  "checks.run": "editor",
  "channels.read": "viewer",
  /** Destinations and credentials of channels, request headers and bodies of checks, addresses of heartbeats. */
  "secrets.read": "editor",
  "channels.write": "editor",
  "alertRules.read": "viewer",
  "alertRules.write": "editor",
  "alerts.read": "viewer",
  "alerts.respond": "responder",
  "incidents.read": "viewer",
  "incidents.write": "responder",
  "statusPages.read": "viewer",
  "statusPages.write": "editor",
  "events.read": "viewer",
  "project.read": "viewer",
  "project.write": "admin",
  "apiKeys.read": "admin",
  "apiKeys.write": "admin",
  "audit.read": "admin",
  "projectMembers.read": "viewer",
  "projectMembers.write": "admin"
} as const satisfies Readonly<Record<string, Role>>

/** A group of operations on a project. */
export type ProjectPermission = keyof typeof minimumRole

/** The groups of operations on an organization, and the role that each requires at least. Few are open to API keys. */
export const minimumOrganizationRole = {
  "organization.read": "viewer",
  "organization.write": "admin",
  "organization.delete": "owner",
  "projects.create": "admin",
  "members.read": "viewer",
  /** An organization keeps at least one owner, and a member cannot give or remove a role above their own. */
  "members.write": "admin",
  /** Every member may leave. */
  "members.leave": "viewer",
  "teams.read": "viewer",
  "teams.write": "admin",
  "schedules.read": "viewer",
  "schedules.write": "editor",
  /** Overrides of the caller's own shifts. Overrides of others need the role editor. */
  "schedules.override": "responder",
  "escalationPolicies.read": "viewer",
  "escalationPolicies.write": "editor",
  "organizationAudit.read": "admin",
  "organizationKeys.read": "admin",
  "organizationKeys.write": "admin",
  "billing.read": "admin",
  "billing.write": "owner",
  "sso.read": "owner",
  "sso.write": "owner"
} as const satisfies Readonly<Record<string, Role>>

/** A group of operations on an organization. */
export type OrganizationPermission = keyof typeof minimumOrganizationRole

/** A group of operations. */
export type Permission = ProjectPermission | OrganizationPermission

const minimum: Readonly<Record<Permission, Role>> = { ...minimumRole, ...minimumOrganizationRole }

/** The role that a group of operations requires at least. */
export const roleFor = (permission: Permission): Role => minimum[permission]

/** Whether a role includes another one. */
export const includes = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed)

/** The role with more rights. */
export const highest = (one: Role, other: Role): Role => (includes(one, other) ? one : other)

/** Whether a role may use a group of operations. */
export const permits = (role: Role, permission: Permission): boolean => includes(role, minimum[permission])
