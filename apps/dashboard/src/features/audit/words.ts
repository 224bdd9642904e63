/** Actions and actors of the audit log in words. */
import type { ActorKind } from "@kanmon/domain/Actor"
import type { AuditAction } from "@kanmon/domain/AuditEntry"
import { t } from "../../locales/text.ts"
import type { Kind, scopes } from "./auditSearch.ts"

const actions: Record<AuditAction, () => string> = {
  "account.created": () => t("Account created"),
  "account.admin_granted": () => t("Account made an administrator"),
  "account.admin_revoked": () => t("Rights of an administrator taken away"),
  "account.password_reset": () => t("Password reset by the operator"),
  "account.sessions_revoked": () => t("Sessions ended"),
  "account.disabled": () => t("Account disabled"),
  "account.enabled": () => t("Account enabled"),
  "account.impersonated": () => t("Administrator began to act as the account"),
  "account.impersonation_linked": () => t("Link to act as the account made by the operator"),
  "account.impersonation_ended": () => t("Administrator stopped acting as the account"),
  "account.away_changed": () => t("Times away changed"),
  "account.contact_method_added": () => t("Contact method added"),
  "account.contact_method_changed": () => t("Contact method changed"),
  "account.contact_method_confirmed": () => t("Contact method confirmed"),
  "account.notification_rules_changed": () => t("Notification rules changed"),
  "account.quiet_hours_changed": () => t("Quiet hours changed"),
  "account.page_test_started": () => t("Test of the own pages started"),
  "account.page_test_acknowledged": () => t("Test of the own pages acknowledged"),
  "account.contact_method_deleted": () => t("Contact method deleted"),
  "account.calendar_rotated": () => t("Address of the own calendar replaced"),
  "account.calendar_ended": () => t("Own calendar ended"),
  "account.updated": () => t("Account changed"),
  "account.deleted": () => t("Account deleted"),
  "account.email_change_requested": () => t("Another e-mail address asked for"),
  "account.email_verified": () => t("E-mail address verified"),
  "account.exported": () => t("Own data downloaded"),
  "account.password_changed": () => t("Own password changed"),
  "account.passkey_added": () => t("Passkey added"),
  "account.passkey_renamed": () => t("Passkey renamed"),
  "account.passkey_deleted": () => t("Passkey deleted"),
  "account.backup_codes_renewed": () => t("Backup codes renewed"),
  "account.second_factor_enabled": () => t("Second factor switched on"),
  "account.second_factor_disabled": () => t("Second factor switched off"),
  "account.signed_in": () => t("Person signed in"),
  "account.signed_out": () => t("Person signed out"),
  "account.sign_in_failed": () => t("Attempts to sign in failed"),
  "account.device_approved": () => t("Program let in"),
  "account.device_denied": () => t("Program refused"),
  "account.unlocked": () => t("Account unlocked by the operator"),
  "alert.acknowledged": () => t("Alert acknowledged"),
  "alert.unacknowledged": () => t("Acknowledgement taken back"),
  "alert.snoozed": () => t("Alert snoozed"),
  "alert.escalated": () => t("Alert escalated"),
  "alert.resolved": () => t("Alert resolved by hand"),
  "drill.created": () => t("Drill started or scheduled"),
  "drill.stopped": () => t("Drill stopped"),
  "integration.created": () => t("Integration created"),
  "integration.updated": () => t("Integration changed"),
  "integration.token_rotated": () => t("Address of an integration replaced"),
  "integration.deleted": () => t("Integration deleted"),
  "alert.paged": () => t("Somebody asked to help with an alert"),
  "alert_rule.created": () => t("Rule created"),
  "alert_rule.updated": () => t("Rule changed"),
  "alert_rule.deleted": () => t("Rule deleted"),
  "api_key.created": () => t("API key created"),
  "api_key.deleted": () => t("API key deleted"),
  "channel.created": () => t("Channel created"),
  "channel.updated": () => t("Channel changed"),
  "channel.confirmed": () => t("Recipient of a channel confirmed"),
  "channel.deleted": () => t("Channel deleted"),
  "escalation_policy.created": () => t("Escalation policy created"),
  "escalation_policy.updated": () => t("Escalation policy changed"),
  "escalation_policy.deleted": () => t("Escalation policy deleted"),
  "incident.created": () => t("Incident opened"),
  "incident.updated": () => t("Incident changed"),
  "incident.resolved": () => t("Incident resolved"),
  "incident.deleted": () => t("Incident deleted"),
  "maintenance.created": () => t("Maintenance scheduled"),
  "maintenance.updated": () => t("Maintenance changed, or begun"),
  "maintenance.resolved": () => t("Maintenance ended"),
  "maintenance.deleted": () => t("Maintenance deleted"),
  "monitor.created": () => t("Monitor created"),
  "monitor.updated": () => t("Monitor changed"),
  "monitor.paused": () => t("Monitor paused"),
  "monitor.resumed": () => t("Monitor resumed"),
  "monitor.token_rotated": () => t("Heartbeat address replaced"),
  "monitor.deleted": () => t("Monitor deleted"),
  "plan.created": () => t("Plan created"),
  "plan.updated": () => t("Plan changed"),
  "plan.deleted": () => t("Plan deleted"),
  "organization.disabled": () => t("Organization disabled"),
  "organization.enabled": () => t("Organization enabled"),
  "invitation.created": () => t("Invitation sent"),
  "invitation.resent": () => t("Invitation sent again"),
  "invitation.accepted": () => t("Invitation accepted"),
  "invitation.declined": () => t("Invitation declined"),
  "invitation.revoked": () => t("Invitation revoked"),
  "member.added": () => t("Member added"),
  "member.role_changed": () => t("Role of a member changed"),
  "member.project_role_changed": () => t("Role in a project changed"),
  "member.removed": () => t("Member removed"),
  "organization.created": () => t("Organization created"),
  "organization.renamed": () => t("Organization renamed"),
  "organization.deleted": () => t("Organization deleted"),
  "team.created": () => t("Team created"),
  "team.renamed": () => t("Team renamed"),
  "team.member_added": () => t("Member added to a team"),
  "team.member_removed": () => t("Member removed from a team"),
  "team.deleted": () => t("Team deleted"),
  "project.created": () => t("Project created"),
  "project.renamed": () => t("Project renamed"),
  "project.updated": () => t("Time zone of the project changed"),
  "project.key_rotated": () => t("The project's own key replaced"),
  "project.deleted": () => t("Project deleted"),
  "scim_group.created": () => t("Group provisioned"),
  "scim_group.updated": () => t("Provisioned group changed"),
  "scim_group.deleted": () => t("Provisioned group deleted"),
  "scim_token.created": () => t("Token for provisioning created"),
  "scim_token.deleted": () => t("Token for provisioning deleted"),
  "schedule.created": () => t("On-call schedule created"),
  "schedule.updated": () => t("On-call schedule changed"),
  "schedule.deleted": () => t("On-call schedule deleted"),
  "schedule.override_added": () => t("On-call shifts overridden"),
  "schedule.override_ended": () => t("Override of on-call shifts ended"),
  "schedule.calendar_rotated": () => t("Address of the calendar of a schedule replaced"),
  "schedule.calendar_ended": () => t("Calendar of a schedule ended"),
  "scim_user.created": () => t("Person provisioned"),
  "scim_user.updated": () => t("Provisioned person changed"),
  "scim_user.deleted": () => t("Provisioning of a person ended"),
  "operation.started": () => t("Operation on many monitors started"),
  "operation.stopped": () => t("Operation on many monitors stopped"),
  "silence.created": () => t("Silence created"),
  "silence.deleted": () => t("Silence ended"),
  "sso.updated": () => t("Single sign-on changed"),
  "sso.deleted": () => t("Single sign-on removed"),
  "sso.domain_added": () => t("Domain for single sign-on added"),
  "sso.domain_verified": () => t("Domain for single sign-on proven"),
  "sso.domain_deleted": () => t("Domain for single sign-on deleted"),
  "sso.tested": () => t("Single sign-on tested"),
  "sso.signed_in": () => t("Signed in by single sign-on"),
  "sso.connected": () => t("Account connected with single sign-on"),
  "sso.refused": () => t("Single sign-on refused"),
  "sso.bypassed": () => t("Signed in past single sign-on"),
  "status_page.created": () => t("Status page created"),
  "status_page.updated": () => t("Status page changed"),
  "status_page.deleted": () => t("Status page deleted"),
  "subscription.updated": () => t("Subscription changed")
}

/** Newer servers may have actions that are not known here. */
export const actionWord = (action: string): string =>
  (actions as Readonly<Record<string, (() => string) | undefined>>)[action]?.() ?? action

const kindWords: Record<Kind, () => string> = {
  monitor: () => t("Monitors"),
  channel: () => t("Channels"),
  alert_rule: () => t("Rules"),
  alert: () => t("Alerts"),
  drill: () => t("Drills"),
  integration: () => t("Integrations"),
  operation: () => t("Operations on many monitors"),
  silence: () => t("Silences"),
  incident: () => t("Incidents"),
  maintenance: () => t("Maintenance"),
  status_page: () => t("Status pages"),
  project: () => t("Projects"),
  api_key: () => t("API keys"),
  organization: () => t("Organizations"),
  member: () => t("Members"),
  invitation: () => t("Invitations"),
  team: () => t("Teams"),
  sso: () => t("Single sign-on"),
  account: () => t("Accounts"),
  subscription: () => t("Subscription")
}

export const kindWord = (kind: Kind): string => kindWords[kind]()

const scopeWords: Record<(typeof scopes)[number], () => string> = {
  project: () => t("This project"),
  organization: () => t("The organization"),
  account: () => t("My account")
}

export const scopeWord = (scope: (typeof scopes)[number]): string => scopeWords[scope]()

const actorWords: Record<ActorKind, () => string> = {
  person: () => t("People"),
  key: () => t("API keys"),
  file_apply: () => t("Applied files"),
  plugin: () => t("Plugins"),
  operator: () => t("The operator"),
  system: () => t("Kanmon itself")
}

export const actorKinds = Object.keys(actorWords) as ReadonlyArray<ActorKind>
export const actorWord = (kind: ActorKind): string => actorWords[kind]()

/** The actor with a name, unless the kind is enough. */
export const actorName = ({ kind, name }: { readonly kind: ActorKind; readonly name: string }): string =>
  kind === "system" || kind === "operator"
    ? actorWord(kind)
    : kind === "person"
      ? name
      : `${name} (${kind === "key" ? t("API key") : kind === "plugin" ? t("Plugin") : t("Applied file")})`
