/** The state of a project at a glance, and of all its monitors in one compact document. */
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Limits, Problems, ProjectOnly } from "./Middleware.ts"
import { MonitorSummaries, Overview } from "./OverviewBody.ts"
import * as Examples from "./internal/LogExamples.ts"
import { operation } from "./internal/Operation.ts"

export class OverviewApi extends HttpApiGroup.make("overview")
  .add(
    HttpApiEndpoint.get("get", "/overview", { success: Overview }).annotateMerge(
      operation({
        id: "getOverview",
        access: "monitors.read",
        summary: "Get the overview",
        description:
          "Returns the state of the project in one request: monitors by status, open alerts, active incidents, maintenance now and next, overdue monitors and regions without a probe.",
        response: Examples.overview
      })
    ),
    HttpApiEndpoint.get("summaries", "/monitors/summaries", {
      success: [MonitorSummaries, HttpApiSchema.Empty(304)]
    }).annotateMerge(
      operation({
        id: "listMonitorSummaries",
        access: "monitors.read",
        summary: "List monitor summaries",
        description:
          "Returns the newest 10,000 monitors as one columnar document for lists. Send the `ETag` of the last answer as `If-None-Match`: 304 if nothing has changed. Events of `GET /events` (`monitor.*`, resumable with `Last-Event-ID`) say when monitors or their statuses change in the meantime.",
        response: Examples.summaries,
        headers: { ETag: "Send it back as `If-None-Match` to get 304 while nothing has changed" }
      })
    )
  )
  .middleware(ProjectOnly)
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .annotateMerge(OpenApi.annotations({ title: "Overview", description: "The state of a project at a glance." })) {}
