/**
 * Typed, sortable, opaque identifiers: a prefix for the kind, then a ULID. Code never parses an id; the prefix is for
 * people.
 */
import { Effect, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { patternText } from "./BoundedText.ts"

const prefixed = (prefix: string) =>
  patternText(
    prefix.length + 65,
    new RegExp(`^${prefix}_[0-9A-Za-z]{1,64}$`),
    `Expected an id that starts with ${prefix}_`
  )

/** A monitor. */
export const MonitorId = prefixed("mon").pipe(Schema.brand("MonitorId"))
export type MonitorId = typeof MonitorId.Type

/** A signal of a job. */
export const SignalId = prefixed("sig").pipe(Schema.brand("SignalId"))
export type SignalId = typeof SignalId.Type

/** A project: it owns monitors and is the scope of one API key. */
export const ProjectId = prefixed("prj").pipe(Schema.brand("ProjectId"))
export type ProjectId = typeof ProjectId.Type

/** An API key of a project, besides the project's own key. */
export const ApiKeyId = prefixed("key").pipe(Schema.brand("ApiKeyId"))
export type ApiKeyId = typeof ApiKeyId.Type

/** A token for the provisioning of an organization. */
export const ScimTokenId = prefixed("scim").pipe(Schema.brand("ScimTokenId"))
export type ScimTokenId = typeof ScimTokenId.Type

/** A group that an identity provider provisions. */
export const ScimGroupId = prefixed("grp").pipe(Schema.brand("ScimGroupId"))
export type ScimGroupId = typeof ScimGroupId.Type

/** An entry of the audit log. */
export const AuditId = prefixed("aud").pipe(Schema.brand("AuditId"))
export type AuditId = typeof AuditId.Type

/** A person's account. */
export const UserId = prefixed("usr").pipe(Schema.brand("UserId"))
export type UserId = typeof UserId.Type

/** An organization: it owns projects and the subscription, and has members. */
export const OrganizationId = prefixed("org").pipe(Schema.brand("OrganizationId"))
export type OrganizationId = typeof OrganizationId.Type

/** A team: a named set of an organization's members. */
export const TeamId = prefixed("team").pipe(Schema.brand("TeamId"))
export type TeamId = typeof TeamId.Type

/** An invitation to an organization. */
export const InvitationId = prefixed("inv").pipe(Schema.brand("InvitationId"))
export type InvitationId = typeof InvitationId.Type

/** A configured notification channel. */
export const ChannelId = prefixed("ch").pipe(Schema.brand("ChannelId"))
export type ChannelId = typeof ChannelId.Type

/** A contact method: how a person wants to be reached. */
export const ContactMethodId = prefixed("ctm").pipe(Schema.brand("ContactMethodId"))
export type ContactMethodId = typeof ContactMethodId.Type

/** A test of a person's chain of pages. */
export const PageTestId = prefixed("pgt").pipe(Schema.brand("PageTestId"))
export type PageTestId = typeof PageTestId.Type

/** An alert rule. */
export const RuleId = prefixed("rul").pipe(Schema.brand("RuleId"))
export type RuleId = typeof RuleId.Type

/** An entry of the alert history: one alert on one channel. */
export const AlertId = prefixed("alr").pipe(Schema.brand("AlertId"))
export type AlertId = typeof AlertId.Type

/** An integration: other software that sends its alerts. */
export const IntegrationId = prefixed("int").pipe(Schema.brand("IntegrationId"))
export type IntegrationId = typeof IntegrationId.Type

/** A body that an integration did not understand. */
export const InboundBodyId = prefixed("inb").pipe(Schema.brand("InboundBodyId"))
export type InboundBodyId = typeof InboundBodyId.Type

/** An alert: one rule, monitor and trigger, from its opening to its end. It has a history entry for each channel. */
export const AlertRecordId = prefixed("alt").pipe(Schema.brand("AlertRecordId"))
export type AlertRecordId = typeof AlertRecordId.Type

/** An alert, named by its own id or by that of one of its history entries. */
export const AlertReference = Schema.Union([AlertRecordId, AlertId])
export type AlertReference = typeof AlertReference.Type

/** A drill: an alert for practice. */
export const DrillId = prefixed("drl").pipe(Schema.brand("DrillId"))
export type DrillId = typeof DrillId.Type

/** A silence. */
export const SilenceId = prefixed("sil").pipe(Schema.brand("SilenceId"))
export type SilenceId = typeof SilenceId.Type

/** An on-call schedule. */
export const ScheduleId = prefixed("sch").pipe(Schema.brand("ScheduleId"))
export type ScheduleId = typeof ScheduleId.Type

/** An override of an on-call schedule. */
export const OverrideId = prefixed("ovr").pipe(Schema.brand("OverrideId"))
export type OverrideId = typeof OverrideId.Type

/** An escalation policy. */
export const EscalationPolicyId = prefixed("pol").pipe(Schema.brand("EscalationPolicyId"))
export type EscalationPolicyId = typeof EscalationPolicyId.Type

/** An incident, or a maintenance window. */
export const IncidentId = prefixed("inc").pipe(Schema.brand("IncidentId"))
export type IncidentId = typeof IncidentId.Type

/** An entry of an incident's timeline. */
export const UpdateId = prefixed("upd").pipe(Schema.brand("UpdateId"))
export type UpdateId = typeof UpdateId.Type

/** A public status page. */
export const StatusPageId = prefixed("sp").pipe(Schema.brand("StatusPageId"))
export type StatusPageId = typeof StatusPageId.Type

/** An operation: long work on many records, with its progress. */
export const OperationId = prefixed("op").pipe(Schema.brand("OperationId"))
export type OperationId = typeof OperationId.Type

/** A plan: an organization's limits and their price. */
export const PlanId = prefixed("plan").pipe(Schema.brand("PlanId"))
export type PlanId = typeof PlanId.Type

/** The id of a kind from a ULID. */
export const idFrom = (prefix: string, ulid: string): string => `${prefix}_${ulid.toLowerCase()}`

const next = <Id extends string>(prefix: string) =>
  Effect.map(
    Effect.flatMap(SecureRandom.SecureRandom, (random) => random.ulid),
    (ulid) => idFrom(prefix, ulid) as Id
  )

/** Creates an id. Ids created by one process sort in order of creation. */
export const nextMonitorId = next<MonitorId>("mon")
export const nextProjectId = next<ProjectId>("prj")
export const nextApiKeyId = next<ApiKeyId>("key")
export const nextScimTokenId = next<ScimTokenId>("scim")
export const nextScimGroupId = next<ScimGroupId>("grp")
export const nextAuditId = next<AuditId>("aud")
export const nextUserId = next<UserId>("usr")
export const nextOrganizationId = next<OrganizationId>("org")
export const nextTeamId = next<TeamId>("team")
export const nextInvitationId = next<InvitationId>("inv")
export const nextChannelId = next<ChannelId>("ch")
export const nextContactMethodId = next<ContactMethodId>("ctm")
export const nextPageTestId = next<PageTestId>("pgt")
export const nextRuleId = next<RuleId>("rul")
export const nextIncidentId = next<IncidentId>("inc")
export const nextUpdateId = next<UpdateId>("upd")
export const nextStatusPageId = next<StatusPageId>("sp")
export const nextOperationId = next<OperationId>("op")
export const nextPlanId = next<PlanId>("plan")
export const nextSilenceId = next<SilenceId>("sil")
export const nextScheduleId = next<ScheduleId>("sch")
export const nextOverrideId = next<OverrideId>("ovr")
export const nextEscalationPolicyId = next<EscalationPolicyId>("pol")
export const nextDrillId = next<DrillId>("drl")
export const nextIntegrationId = next<IntegrationId>("int")
export const nextInboundBodyId = next<InboundBodyId>("inb")
