/** Records that do not exist, or belong to another project: callers cannot tell the two apart. */
import { Schema } from "effect"
import {
  AlertReference,
  ApiKeyId,
  ChannelId,
  ContactMethodId,
  PageTestId,
  DrillId,
  EscalationPolicyId,
  IncidentId,
  IntegrationId,
  InvitationId,
  MonitorId,
  OperationId,
  OrganizationId,
  OverrideId,
  PlanId,
  ProjectId,
  RuleId,
  ScheduleId,
  SilenceId,
  StatusPageId,
  TeamId,
  UserId
} from "./Ids.ts"

export class AlertNotFound extends Schema.TaggedError<AlertNotFound>()("AlertNotFound", { id: AlertReference }) {}

export class ApiKeyNotFound extends Schema.TaggedError<ApiKeyNotFound>()("ApiKeyNotFound", { id: ApiKeyId }) {}

export class ChannelNotFound extends Schema.TaggedError<ChannelNotFound>()("ChannelNotFound", { id: ChannelId }) {}

export class DrillNotFound extends Schema.TaggedError<DrillNotFound>()("DrillNotFound", { id: DrillId }) {}

export class EscalationPolicyNotFound extends Schema.TaggedError<EscalationPolicyNotFound>()(
  "EscalationPolicyNotFound",
  { id: EscalationPolicyId }
) {}

export class IncidentNotFound extends Schema.TaggedError<IncidentNotFound>()("IncidentNotFound", { id: IncidentId }) {}

export class IntegrationNotFound extends Schema.TaggedError<IntegrationNotFound>()("IntegrationNotFound", {
  id: IntegrationId
}) {}

export class ContactMethodNotFound extends Schema.TaggedError<ContactMethodNotFound>()("ContactMethodNotFound", {
  id: ContactMethodId
}) {}

export class PageTestNotFound extends Schema.TaggedError<PageTestNotFound>()("PageTestNotFound", { id: PageTestId }) {}

export class InvitationNotFound extends Schema.TaggedError<InvitationNotFound>()("InvitationNotFound", {
  id: Schema.NullOr(InvitationId)
}) {}

export class MemberNotFound extends Schema.TaggedError<MemberNotFound>()("MemberNotFound", { userId: UserId }) {}

export class MonitorNotFound extends Schema.TaggedError<MonitorNotFound>()("MonitorNotFound", { id: MonitorId }) {}

export class OperationNotFound extends Schema.TaggedError<OperationNotFound>()("OperationNotFound", {
  id: OperationId
}) {}

export class OrganizationNotFound extends Schema.TaggedError<OrganizationNotFound>()("OrganizationNotFound", {
  id: OrganizationId
}) {}

export class OverrideNotFound extends Schema.TaggedError<OverrideNotFound>()("OverrideNotFound", { id: OverrideId }) {}

export class PlanNotFound extends Schema.TaggedError<PlanNotFound>()("PlanNotFound", { id: PlanId }) {}

export class ProjectNotFound extends Schema.TaggedError<ProjectNotFound>()("ProjectNotFound", { id: ProjectId }) {}

export class RuleNotFound extends Schema.TaggedError<RuleNotFound>()("RuleNotFound", { id: RuleId }) {}

export class ScheduleNotFound extends Schema.TaggedError<ScheduleNotFound>()("ScheduleNotFound", { id: ScheduleId }) {}

export class SilenceNotFound extends Schema.TaggedError<SilenceNotFound>()("SilenceNotFound", { id: SilenceId }) {}

export class StatusPageNotFound extends Schema.TaggedError<StatusPageNotFound>()("StatusPageNotFound", {
  id: StatusPageId
}) {}

export class TeamNotFound extends Schema.TaggedError<TeamNotFound>()("TeamNotFound", { id: TeamId }) {}
