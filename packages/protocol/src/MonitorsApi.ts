/** The monitors of a project. */
import { MonitorId } from "@kanmon/domain/Ids"
import { MonitorSort } from "@kanmon/domain/MonitorSort"
import { MonitorStats } from "@kanmon/domain/Monitor"
import { MonitorStatus } from "@kanmon/domain/Status"
import { Timestamp } from "@kanmon/domain/Timestamp"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Comparison, Deleted, keyQuery, pageQuery, rangeQuery, Search } from "./Lists.ts"
import * as Body from "./Body.ts"
import * as MonitorBody from "./MonitorBody.ts"
import type { MonitorBatch, MonitorBulkChange, MonitorSelection } from "./MonitorBulkBody.ts"
import { Authorization, Idempotency, JsonBody, Limits, Problems, ProjectOnly } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import * as Examples from "./internal/Examples.ts"
import { operation } from "./internal/Operation.ts"

const params = { monitorId: MonitorId }
const created = HttpApiSchema.status(201)

export const DailyUptime = Schema.Struct({
  date: Schema.String.annotate({ description: "UTC day", examples: ["2026-11-20"] }),
  uptime: Schema.Finite.annotate({ description: "Percent of the time that is known" }),
  downtime: Schema.Finite.annotate({ description: "Seconds of the day in which the monitor was down" })
})
export const ResponseTime = Schema.Struct({
  timestamp: Timestamp,
  responseTime: Schema.Finite.annotate({ description: "Milliseconds" }),
  region: Schema.String
})
export const HeartbeatMetrics = Schema.Struct({
  timestamp: Timestamp,
  metrics: Schema.Record(Schema.String, Schema.Finite)
})

export class MonitorsApi extends HttpApiGroup.make("monitors")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...pageQuery,
        ...keyQuery,
        status: Schema.optionalKey(MonitorStatus),
        type: Schema.optionalKey(Search.annotate({ description: "Only monitors of this type" })),
        tag: Schema.optionalKey(
          Schema.Array(Search).annotate({
            description: "Only monitors that carry this tag. Repeated: only those that carry all of them"
          })
        ),
        group: Schema.optionalKey(
          Search.annotate({ description: "Only monitors of this group and of the groups below it" })
        ),
        q: Schema.optionalKey(
          Search.annotate({ description: "Part of the name, the target or a tag; case and accents are ignored" })
        ),
        sort: Schema.optionalKey(
          MonitorSort.annotate({
            description:
              "Order of the list; `-` reverses it. `status`: monitors that need attention first. `uptime` and `responseTime`: of the last 24 hours, measured every five minutes; monitors without data come last. Newest monitors first unless given"
          })
        )
      },
      success: Schema.Array(MonitorBody.MonitorRecord),
      error: refuses("malformed_request", "validation_failed")
    }).annotateMerge(
      operation({
        id: "listMonitors",
        access: "monitors.read",
        summary: "List monitors",
        description:
          "Lists the monitors of the project, newest first unless `sort` is given. Filters can be combined. A cursor belongs to the sort that it was made for; another one is refused with 422 `validation_failed`.",
        response: [Examples.monitor]
      })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: MonitorBody.MonitorRequest,
      success: MonitorBody.MonitorRecord.pipe(created),
      error: refuses("plan_limit_reached", "conflict", "validation_failed")
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "createMonitor",
          access: "monitors.write",
          summary: "Create a monitor",
          description:
            "Creates a monitor and starts checking it at once, unless it is paused. The fields beside the common ones depend on `type`. `warnings` lists what was accepted but will not work, such as a target in a private network. 402 `plan_limit_reached` when the plan has no room for it.",
          request: Examples.monitorRequest,
          response: Examples.newMonitor
        })
      ),
    HttpApiEndpoint.post("createMany", "/batch", {
      payload: Body.sent<MonitorBatch>("MonitorBatch"),
      success: Schema.Array(MonitorBody.MonitorRecord).pipe(created),
      error: refuses("plan_limit_reached", "conflict", "validation_failed")
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "createMonitors",
          access: "monitors.write",
          summary: "Create many monitors",
          description:
            "Creates up to 1000 monitors in one transaction, and returns each of them in the order of the body, with its `warnings`. The plan limits apply to all of them together. When one cannot be created, none is: the errors name the fields by their place, such as `monitors[3].url`.",
          request: { monitors: [Examples.monitorRequest] },
          response: [Examples.newMonitor]
        })
      ),
    HttpApiEndpoint.patch("updateMany", "/", {
      payload: Body.sent<MonitorBulkChange>("MonitorBulkChange"),
      success: Schema.Array(MonitorBody.MonitorRecord),
      error: refuses("plan_limit_reached", "conflict", "validation_failed")
    })
      .middleware(JsonBody)
      .annotateMerge(
        operation({
          id: "updateMonitors",
          access: "monitors.write",
          summary: "Update many monitors",
          description:
            "Changes up to 1000 monitors, named by `ids` or selected by `filter`, in one transaction, and returns each of them. `set` takes the fields of a single change; `addTags` and `removeTags` keep the other tags. The plan limits apply to the result. When one monitor cannot be changed, none is, and the error names it.",
          request: { filter: { group: "Shop" }, addTags: ["prod"], set: { interval: 60 } },
          response: [Examples.monitor]
        })
      ),
    HttpApiEndpoint.delete("removeMany", "/", {
      payload: Body.sent<MonitorSelection>("MonitorSelection"),
      success: Schema.Array(Deleted),
      error: refuses("validation_failed")
    })
      .middleware(JsonBody)
      .annotateMerge(
        operation({
          id: "deleteMonitors",
          access: "monitors.write",
          summary: "Delete many monitors",
          description:
            "Deletes up to 1000 monitors with their results, named by `ids` or selected by `filter`, in one transaction. When one of the `ids` is not a monitor of the project, none is deleted. This cannot be undone.",
          request: { ids: [Examples.monitor.id] },
          response: [Examples.deleted(Examples.monitor.id)]
        })
      ),
    HttpApiEndpoint.get("get", "/:monitorId", {
      params,
      success: MonitorBody.MonitorRecord,
      error: refuses("not_found")
    }).annotateMerge(
      operation({
        id: "getMonitor",
        access: "monitors.read",
        summary: "Get a monitor",
        description: "Returns one monitor with its configuration and its current status.",
        response: Examples.monitor
      })
    ),
    HttpApiEndpoint.patch("update", "/:monitorId", {
      params,
      payload: MonitorBody.MonitorUpdate,
      success: MonitorBody.MonitorRecord,
      error: refuses("plan_limit_reached", "not_found", "conflict", "validation_failed")
    })
      .middleware(JsonBody)
      .annotateMerge(
        operation({
          id: "updateMonitor",
          access: "monitors.write",
          summary: "Update a monitor",
          description:
            "Changes the fields that are sent and validates the whole monitor. A field that is null returns to its default; `paused` pauses and resumes. The type cannot be changed.",
          request: { paused: true },
          response: { ...Examples.monitor, paused: true, status: "paused" }
        })
      ),
    HttpApiEndpoint.post("compare", "/:monitorId/compare", {
      params,
      payload: MonitorBody.MonitorUpdate,
      success: Comparison,
      error: refuses("not_found", "validation_failed")
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "compareMonitor",
          access: "monitors.read",
          summary: "Compare a monitor",
          description:
            "Takes the body of an update and returns which fields it would change, secrets included. Nothing is changed. What the caller's role reads masked is not compared: `hidden` names these fields.",
          request: { timeout: 10 },
          response: { differing: ["timeout"] }
        })
      ),
    HttpApiEndpoint.delete("remove", "/:monitorId", {
      params,
      success: Deleted,
      error: refuses("not_found")
    }).annotateMerge(
      operation({
        id: "deleteMonitor",
        access: "monitors.write",
        summary: "Delete a monitor",
        description:
          "Deletes the monitor with its results and removes it from status pages. Its open alerts are closed without a notification; the alert history keeps them. This cannot be undone.",
        response: Examples.deleted(Examples.monitor.id)
      })
    ),
    HttpApiEndpoint.post("rotateToken", "/:monitorId/heartbeat-token", {
      params,
      success: MonitorBody.MonitorRecord,
      error: refuses("not_found")
    })
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "rotateHeartbeatToken",
          access: "monitors.write",
          summary: "Rotate the heartbeat token",
          description:
            "Replaces the address that a heartbeat monitor receives its signals at. The old address stops working at once. 404 `not_found` for other types of monitor.",
          response: Examples.heartbeat
        })
      ),
    HttpApiEndpoint.get("stats", "/:monitorId/stats", {
      params,
      success: MonitorStats,
      error: refuses("not_found")
    }).annotateMerge(
      operation({
        id: "getMonitorStats",
        access: "monitors.read",
        summary: "Get monitor statistics",
        description:
          "Returns the current status, the uptime of the last 24 hours, 7 days and 30 days in percent, and the mean response time of the last 24 hours in milliseconds. Values without data are null. Uptime is weighted by time; paused, pending, maintenance and unknown time does not count.",
        response: Examples.stats
      })
    ),
    HttpApiEndpoint.get("dailyUptime", "/:monitorId/daily-uptime", {
      params,
      query: rangeQuery,
      success: Schema.Array(DailyUptime),
      error: refuses("malformed_request", "not_found")
    }).annotateMerge(
      operation({
        id: "getDailyUptime",
        access: "monitors.read",
        summary: "Get daily uptime",
        description:
          "Returns the uptime of each UTC day in percent and its downtime in seconds, by default of the last 90 days. Days without data are left out. A range of more than 400 days is refused with 400.",
        response: [
          { date: "2026-11-19", uptime: 100, downtime: 0 },
          { date: "2026-11-20", uptime: 99.65, downtime: 302.4 }
        ]
      })
    ),
    HttpApiEndpoint.get("responseTimes", "/:monitorId/response-times", {
      params,
      query: rangeQuery,
      success: Schema.Array(ResponseTime),
      error: refuses("malformed_request", "not_found")
    }).annotateMerge(
      operation({
        id: "getResponseTimes",
        access: "monitors.read",
        summary: "Get response times",
        description:
          "Returns response times in milliseconds by region, by default of the last 24 hours. A region with more than 2,000 results is reduced to 500 to 2,000 means. A range of more than 400 days is refused with 400.",
        response: [{ timestamp: "2026-11-20T09:15:00.000Z", responseTime: 84, region: "eu-west" }]
      })
    ),
    HttpApiEndpoint.get("heartbeatMetrics", "/:monitorId/heartbeat-metrics", {
      params,
      query: rangeQuery,
      success: Schema.Array(HeartbeatMetrics),
      error: refuses("malformed_request", "not_found")
    }).annotateMerge(
      operation({
        id: "getHeartbeatMetrics",
        access: "monitors.read",
        summary: "Get heartbeat metrics",
        description:
          "Returns the metrics that were sent with the signals of a heartbeat monitor, by default of the last 24 hours. The list is empty for other types. A range of more than 400 days is refused with 400.",
        response: [{ timestamp: "2026-11-20T02:41:07.512Z", metrics: { rows: 1200 } }]
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
      title: "Monitors",
      description: "Checks of a target with their results: status, uptime and response times."
    })
  ) {}
