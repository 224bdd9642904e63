/** Entries of the audit log: changes with their actor, time, origin and tool. */
import { Schema } from "effect"
import { Actor } from "./Actor.ts"
import { AuditId, ProjectId } from "./Ids.ts"
import { Timestamp } from "./Timestamp.ts"

/** Days for which entries are kept. */
export const auditRetentionDays = 400

/** Every action that is recorded, and what it means. The part before the dot is the kind of the target. */
export const auditActions = {
  "account.created": "An account was created",
  "account.admin_granted": "The operator made an account an administrator",
  "account.admin_revoked": "The operator took the rights of an administrator away",
  "account.disabled": "An administrator disabled an account; its sessions ended",
  "account.enabled": "An administrator enabled an account again",
  "account.impersonated": "An administrator began to act as an account",
  "account.impersonation_linked": "The operator made a link with which an administrator can act as an account",
  "account.impersonation_ended": "An administrator stopped acting as an account",
  "account.password_reset": "The operator gave an account a new password",
  "account.sessions_revoked": "Sessions of an account were ended",
  "account.away_changed": "A person said when they are away",
  "account.calendar_rotated": "The calendar of a person's shifts got a new address, which replaces an older one",
  "account.calendar_ended": "The address of the calendar of a person's shifts stopped working",
  "account.contact_method_added": "A person added a way to reach them",
  "account.contact_method_changed": "A person changed a way to reach them",
  "account.contact_method_confirmed": "A person confirmed a way to reach them with the code that was sent there",
  "account.contact_method_deleted": "A person deleted a way to reach them",
  "account.notification_rules_changed": "A person chose by which contact methods they are notified",
  "account.quiet_hours_changed": "A person chose when messages that are not urgent wait",
  "account.page_test_started": "A person tested how pages reach them",
  "account.page_test_acknowledged": "A person acknowledged the test of how pages reach them",
  "account.updated": "An account got another name, language, time zone or address",
  "account.deleted": "A person deleted their account",
  "account.email_change_requested": "A person asked for another e-mail address of their account",
  "account.email_verified": "The e-mail address of an account was verified",
  "account.exported": "A person took a copy of what is stored about them",
  "account.password_changed": "A person changed the password of their account, or replaced a forgotten one",
  "account.passkey_added": "An account got a passkey",
  "account.passkey_renamed": "A passkey of an account got another name",
  "account.passkey_deleted": "A passkey of an account was deleted",
  "account.backup_codes_renewed": "An account got new backup codes",
  "account.second_factor_enabled": "Signing in to an account now needs a second factor",
  "account.second_factor_disabled": "Signing in to an account needs no second factor any more",
  "account.signed_in": "A person signed in",
  "account.signed_out": "A person signed out",
  "account.sign_in_failed":
    "Attempts to sign in to an account failed: one entry for a network and about an hour, with their number",
  "account.device_approved": "A person let a program sign in to their account",
  "account.device_denied": "A person refused to let a program sign in to their account",
  "account.unlocked": "The operator lifted the pause after failed attempts to sign in",
  "alert.acknowledged": "An alert was acknowledged",
  "alert.unacknowledged": "The acknowledgement of an alert was taken back",
  "alert.snoozed": "An alert was snoozed",
  "alert.escalated": "The next step of an alert's escalation was run before its time",
  "alert.resolved": "An alert of an integration was resolved by hand",
  "alert.paged": "A person was asked to help with an alert",
  "alert_rule.created": "An alert rule was created",
  "alert_rule.updated": "An alert rule was changed",
  "alert_rule.deleted": "An alert rule was deleted",
  "api_key.created": "An API key was created",
  "api_key.deleted": "An API key was deleted",
  "channel.created": "A notification channel was created",
  "channel.updated": "A notification channel was changed",
  "channel.confirmed": "The recipient of a notification channel was confirmed",
  "channel.deleted": "A notification channel was deleted",
  "escalation_policy.created": "An escalation policy was created",
  "escalation_policy.updated": "An escalation policy was changed",
  "escalation_policy.deleted": "An escalation policy was deleted",
  "incident.created": "An incident was opened",
  "incident.updated": "An incident was changed, or its timeline got an entry",
  "incident.resolved": "An incident was resolved",
  "incident.deleted": "An incident was deleted",
  "maintenance.created": "A maintenance window was scheduled",
  "maintenance.updated": "A maintenance window was changed, or began",
  "maintenance.resolved": "A maintenance window ended",
  "maintenance.deleted": "A maintenance window was deleted",
  "monitor.created": "A monitor was created",
  "monitor.updated": "A monitor was changed",
  "monitor.paused": "A monitor was paused",
  "monitor.resumed": "A monitor was resumed",
  "monitor.token_rotated": "A heartbeat monitor got a new address",
  "monitor.deleted": "A monitor was deleted",
  "drill.created": "A drill was started or scheduled",
  "drill.stopped": "A drill was stopped, or taken from the schedule",
  "integration.created": "An integration was created",
  "integration.updated": "An integration was changed",
  "integration.token_rotated": "An integration got a new address, which replaces an older one",
  "integration.deleted": "An integration was deleted",
  "invitation.created": "Somebody was invited to the organization",
  "invitation.resent": "The mail of an invitation was sent again, with a new link",
  "invitation.accepted": "An invitation was accepted",
  "invitation.declined": "An invitation was declined",
  "invitation.revoked": "An invitation was taken back",
  "member.added": "An account became a member of the organization",
  "member.role_changed": "The role of a member was changed",
  "member.project_role_changed": "The role of a member in one project was changed",
  "member.removed": "A member was removed from the organization, or left it",
  "operation.started": "An operation on many monitors was started",
  "operation.stopped": "An operation on many monitors was stopped before its end",
  "organization.created": "An organization was created",
  "organization.disabled": "An administrator disabled an organization; its checks are paused",
  "organization.enabled": "An administrator enabled an organization again",
  "organization.renamed": "An organization was renamed",
  "organization.deleted": "An organization was deleted",
  "team.created": "A team was created",
  "team.renamed": "A team was renamed",
  "team.member_added": "A member joined a team",
  "team.member_removed": "A member left a team",
  "team.deleted": "A team was deleted",
  "plan.created": "A plan was created",
  "plan.updated": "A plan was changed",
  "plan.deleted": "A plan was deleted",
  "project.created": "A project was created",
  "project.renamed": "A project was renamed",
  "project.updated": "A project got another time zone",
  "project.key_rotated": "The project's own API key was replaced",
  "project.deleted": "A project was deleted",
  "schedule.created": "An on-call schedule was created",
  "schedule.updated": "An on-call schedule was changed",
  "schedule.deleted": "An on-call schedule was deleted",
  "schedule.override_added": "Shifts of an on-call schedule were given to somebody else, or to no one",
  "schedule.override_ended": "An override of an on-call schedule was deleted, or ended before its time",
  "schedule.calendar_rotated": "The calendar of an on-call schedule got a new address, which replaces an older one",
  "schedule.calendar_ended": "The address of the calendar of an on-call schedule stopped working",
  "scim_group.created": "An identity provider provisioned a group",
  "scim_group.updated": "An identity provider changed a group or its members",
  "scim_group.deleted": "An identity provider deleted a group",
  "scim_token.created": "A token for provisioning was created",
  "scim_token.deleted": "A token for provisioning was deleted",
  "scim_user.created": "An identity provider provisioned a person",
  "scim_user.updated": "An identity provider changed a person, or whether they may come in",
  "scim_user.deleted": "An identity provider took a person out of the organization",
  "silence.created": "A silence was created",
  "silence.deleted": "A silence was ended",
  "sso.updated": "The single sign-on of an organization was set up or changed",
  "sso.deleted": "The single sign-on of an organization was removed",
  "sso.domain_added": "A domain was claimed for single sign-on",
  "sso.domain_verified": "A domain was proven for single sign-on",
  "sso.domain_deleted": "A domain was taken from single sign-on",
  "sso.tested": "A test sign-in was begun",
  "sso.signed_in": "A person signed in through an identity provider",
  "sso.connected": "An account was connected with an identity provider",
  "sso.refused": "A sign-in through an identity provider was refused",
  "sso.bypassed": "An owner signed in without the single sign-on that the organization requires",
  "status_page.created": "A status page was created",
  "status_page.updated": "A status page or its custom domain was changed",
  "status_page.deleted": "A status page was deleted",
  "subscription.updated": "The subscription of an organization was changed"
} as const

export type AuditAction = keyof typeof auditActions

/** Fields of a record. An update has only the fields that it changed. Secrets are masked, long values cut. */
export const AuditedFields = Schema.NullOr(Schema.JsonObject)

export const AuditEntry = Schema.Struct({
  id: AuditId,
  at: Timestamp,
  actor: Actor,
  action: Schema.String.annotate({
    description: "The kind of the target and what was done, such as `monitor.updated`. More values may be added"
  }),
  target: Schema.Struct({
    kind: Schema.String.annotate({ description: "The part of `action` before the dot" }),
    id: Schema.String,
    name: Schema.String.annotate({ description: "Its name at that time" })
  }),
  projectId: Schema.NullOr(ProjectId).annotate({
    description: "Null for accounts, organizations, plans and subscriptions"
  }),
  address: Schema.NullOr(Schema.String).annotate({
    description: "The network address of the client; null for changes without a request"
  }),
  before: AuditedFields.annotate({
    description: "The changed fields before; the whole record if it was deleted; null if it was created"
  }),
  after: AuditedFields.annotate({
    description: "The changed fields after; the whole record if it was created; null if it was deleted"
  })
}).annotate({ identifier: "AuditEntry" })
export type AuditEntry = typeof AuditEntry.Type
