/** The whole HTTP contract. Definition only: handlers live in the control plane and the server. */
import { HttpApi, OpenApi } from "effect/http-api"
import { AccountApi } from "./AccountApi.ts"
import { AlertEscalationsApi } from "./AlertEscalationsApi.ts"
import { AlertHistoryApi, AlertRulesApi } from "./AlertsApi.ts"
import { AnalyticsApi } from "./AnalyticsApi.ts"
import { ApiKeysApi, OrganizationKeysApi } from "./ApiKeysApi.ts"
import { AuditApi } from "./AuditApi.ts"
import { basePath } from "./BasePath.ts"
import { BillingApi } from "./BillingApi.ts"
import { CalendarsApi } from "./CalendarsApi.ts"
import { ChangesApi } from "./ChangesApi.ts"
import { ChannelsApi } from "./ChannelsApi.ts"
import { ChecksApi } from "./ChecksApi.ts"
import { DirectApi } from "./DirectApi.ts"
import { DrillsApi } from "./DrillsApi.ts"
import { EscalationPoliciesApi } from "./EscalationPoliciesApi.ts"
import { HealthApi } from "./HealthApi.ts"
import { ImportsApi } from "./ImportsApi.ts"
import { IncidentsApi } from "./IncidentsApi.ts"
import { IntegrationsApi } from "./IntegrationsApi.ts"
import { AlertsApi, MonitorAlertsApi, SilencesApi } from "./OpenAlertsApi.ts"
import { InvitationsApi, OffersApi } from "./InvitationsApi.ts"
import { LogsApi } from "./LogsApi.ts"
import { MonitorsApi } from "./MonitorsApi.ts"
import { ContactMethodsApi } from "./ContactMethodsApi.ts"
import { NotificationRulesApi } from "./NotificationRulesApi.ts"
import { PageTestsApi } from "./PageTestsApi.ts"
import { QuietHoursApi } from "./QuietHoursApi.ts"
import { OnCallAccountApi } from "./OnCallAccountApi.ts"
import { OperationsApi } from "./OperationsApi.ts"
import { OperatorApi } from "./OperatorApi.ts"
import { OrganizationsApi } from "./OrganizationsApi.ts"
import { OverviewApi } from "./OverviewApi.ts"
import { PluginsApi } from "./PluginsApi.ts"
import { ProjectMembersApi } from "./ProjectMembersApi.ts"
import { ProjectsApi } from "./ProjectsApi.ts"
import { RegionsApi } from "./RegionsApi.ts"
import { SchedulesApi } from "./SchedulesApi.ts"
import { ScimTokensApi } from "./ScimTokensApi.ts"
import { SessionsApi } from "./SessionsApi.ts"
import { SignalsApi } from "./SignalsApi.ts"
import { SsoApi } from "./SsoApi.ts"
import { StatusPagesApi } from "./StatusPagesApi.ts"
import { TeamsApi } from "./TeamsApi.ts"

export { basePath }

/** The endpoints that speak JSON: handlers and clients are built from them. */
export class Api extends HttpApi.make("kanmon")
  .add(
    MonitorsApi,
    OperationsApi,
    ChecksApi,
    LogsApi,
    SignalsApi,
    OverviewApi,
    RegionsApi,
    OrganizationsApi,
    InvitationsApi,
    OffersApi,
    TeamsApi,
    SchedulesApi,
    EscalationPoliciesApi,
    AnalyticsApi,
    OnCallAccountApi,
    ContactMethodsApi,
    NotificationRulesApi,
    QuietHoursApi,
    PageTestsApi,
    CalendarsApi,
    ProjectsApi,
    ProjectMembersApi,
    SessionsApi,
    AccountApi,
    SsoApi,
    ScimTokensApi,
    ApiKeysApi,
    OrganizationKeysApi,
    ChannelsApi,
    AlertRulesApi,
    AlertsApi,
    AlertEscalationsApi,
    MonitorAlertsApi,
    AlertHistoryApi,
    SilencesApi,
    IntegrationsApi,
    DrillsApi,
    IncidentsApi,
    ImportsApi,
    ChangesApi,
    StatusPagesApi,
    BillingApi,
    AuditApi,
    OperatorApi,
    PluginsApi,
    HealthApi
  )
  .prefix(basePath) {}

/** Every route. */
export class Contract extends HttpApi.make("kanmonContract")
  .addHttpApi(Api)
  .addHttpApi(DirectApi)
  .annotateMerge(
    OpenApi.annotations({
      title: "Kanmon",
      version: "1",
      description:
        "Uptime monitoring: monitors, projects, notification channels, alert rules, incidents and maintenance, status pages, billing, health. Errors are problem details (RFC 9457)."
    })
  ) {}
