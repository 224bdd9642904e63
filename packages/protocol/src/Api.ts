/** The whole HTTP contract. Definition only; handlers live in the app. */
import { HttpApi, OpenApi } from "effect/http-api"
import { AlertHistoryApi, AlertRulesApi } from "./AlertsApi.ts"
import { BillingApi } from "./BillingApi.ts"
import { ChannelsApi } from "./ChannelsApi.ts"
import { ChecksApi } from "./ChecksApi.ts"
import { Problems } from "./Gate.ts"
import { HealthApi } from "./HealthApi.ts"
import { IncidentsApi } from "./IncidentsApi.ts"
import { MonitorsApi } from "./MonitorsApi.ts"
import { PluginsApi } from "./PluginsApi.ts"
import { ProjectsApi } from "./ProjectsApi.ts"
import { StatusPagesApi } from "./StatusPagesApi.ts"

/** Where the API lives below the installation's address. */
export const basePath = "/api/v1"

export class Api extends HttpApi.make("kanmon")
  .add(
    MonitorsApi,
    ChecksApi,
    ProjectsApi,
    ChannelsApi,
    AlertRulesApi,
    AlertHistoryApi,
    IncidentsApi,
    StatusPagesApi,
    BillingApi,
    PluginsApi,
    HealthApi
  )
  .middleware(Problems)
  .prefix(basePath)
  .annotateMerge(
    OpenApi.annotations({
      title: "Kanmon",
      version: "1",
      description:
        "Uptime monitoring: monitors, projects, notification channels, alert rules, incidents and maintenance, status pages, billing, health. Errors are problem details (RFC 9457)."
    })
  ) {}
