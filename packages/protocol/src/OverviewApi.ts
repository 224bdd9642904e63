/** The state of a project at a glance, and of all its monitors in one compact document. */
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Timestamp } from "@kanmon/domain/Timestamp"
import { Schema } from "effect"
import { Authorization, Limits, Problems, ProjectOnly } from "./Middleware.ts"
import { MonitorSummaries, Overview } from "./OverviewBody.ts"
import { refuses } from "./Problem.ts"
import * as Examples from "./internal/LogExamples.ts"
import { operation } from "./internal/Operation.ts"

const at = Schema.optionalKey(Timestamp.annotate({ description: "An instant of the past; the present without it" }))

export class OverviewApi extends HttpApiGroup.make("overview")
  .add(
    HttpApiEndpoint.get("get", "/overview", {
      query: { at },
      success: Overview,
      error: refuses("malformed_request", "validation_failed")
    }).annotateMerge(
      operation({
        id: "getOverview",
        access: "monitors.read",
        summary: "Get the overview",
        description:
          "Returns the state of the project in one request: monitors by status, open alerts, active incidents, maintenance now and next, overdue monitors, regions without a probe, the uptime of the last 30 days and the last outage. With `at` it is the state as it was known at that instant: results, alerts and incidents that were recorded later do not count. Names and other settings are the present ones, monitors that were deleted since are missing, and regions without a probe are not kept; `month` and `lastOutage` are null. An instant in the future or beyond the retention of the installation is refused with 422.",
        response: Examples.overview
      })
    ),
    HttpApiEndpoint.get("summaries", "/monitors/summaries", {
      query: { at },
      success: [MonitorSummaries, HttpApiSchema.Empty(304)],
      error: refuses("malformed_request", "validation_failed")
    }).annotateMerge(
      operation({
        id: "listMonitorSummaries",
        access: "monitors.read",
        summary: "List monitor summaries",
        description:
          "Returns the newest 10,000 monitors as one columnar document for lists. Send the `ETag` of the last answer as `If-None-Match`: 304 if nothing has changed. Events of `GET /events` (`monitor.*`, resumable with `Last-Event-ID`) say when monitors or their statuses change in the meantime. With `at` the document has the monitors of that instant as they were known then: statuses, since when and why as first found, overdue results, the newest results of the day before, and the uptime and response time of that day; `p50` is null. See the overview for what is not kept.",
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
