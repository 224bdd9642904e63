/** The past of a monitor in detail: every check, outages, and what its uptime and its response times are made of. */
import { boundedText } from "@kanmon/domain/BoundedText"
import { MonitorId } from "@kanmon/domain/Ids"
import { RegionStatus } from "@kanmon/domain/Status"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { pageQuery, rangeQuery, Search } from "./Lists.ts"
import { CheckDetail, CheckRecord, OutageRecord, PhasesReport, UptimeReport } from "./LogBody.ts"
import { Authorization, Limits, Problems, ProjectOnly } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import * as Examples from "./internal/LogExamples.ts"
import { operation } from "./internal/Operation.ts"

const params = { monitorId: MonitorId }

export class LogsApi extends HttpApiGroup.make("logs")
  .add(
    HttpApiEndpoint.get("checks", "/:monitorId/checks", {
      params,
      query: {
        ...pageQuery,
        ...rangeQuery,
        status: Schema.optionalKey(RegionStatus),
        region: Schema.optionalKey(Search.annotate({ description: "Only checks of this region" }))
      },
      success: Schema.Array(CheckRecord),
      error: refuses("malformed_request", "not_found")
    }).annotateMerge(
      operation({
        id: "listChecks",
        access: "monitors.read",
        summary: "List checks",
        description:
          "Lists every result of a monitor, newest first, by default of the last 30 days. Filters by status and region can be combined. A range of more than 400 days is refused with 400.",
        response: [Examples.check]
      })
    ),
    HttpApiEndpoint.get("check", "/:monitorId/checks/:checkId", {
      params: { ...params, checkId: boundedText(200) },
      success: CheckDetail,
      error: refuses("not_found")
    }).annotateMerge(
      operation({
        id: "getCheck",
        access: "monitors.read",
        summary: "Get a check",
        description:
          "Returns one check with the results of the other regions at that time and, for a failing http check, what the target answered. Answers are kept for 30 days, at most 20 of one outage, and only where they differ; secrets of the monitor are masked.",
        response: Examples.checkDetail,
        parameters: { checkId: Examples.check.id }
      })
    ),
    HttpApiEndpoint.get("outages", "/:monitorId/outages", {
      params,
      query: { ...pageQuery, ...rangeQuery },
      success: Schema.Array(OutageRecord),
      error: refuses("malformed_request", "not_found")
    }).annotateMerge(
      operation({
        id: "listOutages",
        access: "monitors.read",
        summary: "List outages",
        description:
          "Lists the periods in which the monitor was down or degraded, newest first, by default of the last 30 days. Maintenance is left out; time without results within an outage belongs to it. A range of more than 400 days is refused with 400.",
        response: [Examples.outage]
      })
    ),
    HttpApiEndpoint.get("uptime", "/:monitorId/uptime", {
      params,
      query: rangeQuery,
      success: UptimeReport,
      error: refuses("malformed_request", "not_found")
    }).annotateMerge(
      operation({
        id: "getUptime",
        access: "monitors.read",
        summary: "Get the uptime",
        description:
          "Returns the uptime over a window, by default the last 30 days, with the intervals that it is made of: their lengths add up to it exactly. A range of more than 400 days, or one of more than 10,000 intervals, is refused with 400.",
        response: Examples.uptime
      })
    ),
    HttpApiEndpoint.get("phases", "/:monitorId/response-phases", {
      params,
      query: {
        ...rangeQuery,
        region: Schema.optionalKey(Search.annotate({ description: "Only checks of this region" }))
      },
      success: PhasesReport,
      error: refuses("malformed_request", "not_found")
    }).annotateMerge(
      operation({
        id: "getResponsePhases",
        access: "monitors.read",
        summary: "Get response phases",
        description:
          "Returns median and 95th percentile of the response time and of each phase, by default of the last 24 hours, within 5 percent of the exact value. Windows of up to 14 days within the last month have a point for each hour, others for each UTC day; the window is extended to whole periods. A range of more than 400 days is refused with 400.",
        response: Examples.phases
      })
    )
  )
  .middleware(ProjectOnly)
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/monitors")
  .annotateMerge(
    OpenApi.annotations({
      title: "Logs",
      description: "The past of a monitor in detail: checks, outages, and what its figures are made of."
    })
  ) {}
