/** The monitors of a project. */
import { MonitorId } from "@kanmon/domain/Ids"
import { MonitorStats } from "@kanmon/domain/Monitor"
import { MonitorStatus } from "@kanmon/domain/Status"
import { Timestamp } from "@kanmon/domain/Timestamp"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Body from "./Body.ts"
import { Gate } from "./Gate.ts"
import { Deleted, keyQuery, pageQuery, Search } from "./Lists.ts"
import type * as MonitorBody from "./MonitorBody.ts"
import { Problem } from "./Problem.ts"
import * as Examples from "./internal/Examples.ts"
import { operation } from "./internal/Operation.ts"

/** A monitor's fields depend on its type; `MonitorBody` knows them. */
const MonitorRecord = (Schema.JsonObject as unknown as Schema.Codec<MonitorBody.MonitorRecord>).annotate({
  identifier: "Monitor"
})

const params = { monitorId: MonitorId }
const created = HttpApiSchema.status(201)

const moment = (description: string) =>
  Schema.optionalKey(
    Schema.String.annotate({
      description: `${description}: a day (UTC, \`2026-11-20\`) or a timestamp`,
      examples: ["2026-11-20"]
    })
  )
const range = { from: moment("Beginning, inclusive"), to: moment("End, inclusive") }

export const DailyUptime = Schema.Struct({
  date: Schema.String.annotate({ description: "UTC day", examples: ["2026-11-20"] }),
  uptime: Schema.Finite.annotate({ description: "Percent of the time that is known" })
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
        q: Schema.optionalKey(Search.annotate({ description: "Part of the name; case is ignored" }))
      },
      success: Schema.Array(MonitorRecord),
      error: Problem
    }).annotateMerge(
      operation({
        id: "listMonitors",
        summary: "List monitors",
        description:
          "Lists the monitors of the project, newest first. Filters by status, type, key and part of the name can be combined.",
        response: [Examples.monitor]
      })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: Body.sent<MonitorBody.MonitorRequest>(),
      success: MonitorRecord.pipe(created),
      error: Problem
    }).annotateMerge(
      operation({
        id: "createMonitor",
        summary: "Create a monitor",
        description:
          "Creates a monitor and starts checking it at once, unless it is paused. The fields beside the common ones depend on `type`. `warnings` lists what was accepted but will not work, such as a target in a private network. 402 `plan_limit_reached` when the plan has no room for it.",
        request: Examples.monitorRequest,
        response: Examples.newMonitor
      })
    ),
    HttpApiEndpoint.get("get", "/:monitorId", { params, success: MonitorRecord, error: Problem }).annotateMerge(
      operation({
        id: "getMonitor",
        summary: "Get a monitor",
        description: "Returns one monitor with its configuration and its current status.",
        response: Examples.monitor
      })
    ),
    HttpApiEndpoint.patch("update", "/:monitorId", {
      params,
      payload: Body.sent<MonitorBody.MonitorUpdate>(),
      success: MonitorRecord,
      error: Problem
    }).annotateMerge(
      operation({
        id: "updateMonitor",
        summary: "Update a monitor",
        description:
          "Changes the fields that are sent and validates the whole monitor. A field that is null returns to its default; `paused` pauses and resumes. The type cannot be changed.",
        request: { paused: true },
        response: { ...Examples.monitor, paused: true, status: "paused" }
      })
    ),
    HttpApiEndpoint.delete("remove", "/:monitorId", { params, success: Deleted, error: Problem }).annotateMerge(
      operation({
        id: "deleteMonitor",
        summary: "Delete a monitor",
        description:
          "Deletes the monitor with its results and removes it from status pages. Its open alerts are closed without a notification; the alert history keeps them. This cannot be undone.",
        response: Examples.deleted(Examples.monitor.id)
      })
    ),
    HttpApiEndpoint.post("rotateToken", "/:monitorId/heartbeat-token", {
      params,
      success: MonitorRecord,
      error: Problem
    }).annotateMerge(
      operation({
        id: "rotateHeartbeatToken",
        summary: "Rotate the heartbeat token",
        description:
          "Replaces the address that a heartbeat monitor receives its signals at. The old address stops working at once. 404 `not_found` for other types of monitor.",
        response: Examples.heartbeat
      })
    ),
    HttpApiEndpoint.get("stats", "/:monitorId/stats", { params, success: MonitorStats, error: Problem }).annotateMerge(
      operation({
        id: "getMonitorStats",
        summary: "Get monitor statistics",
        description:
          "Returns the current status, the uptime of the last 24 hours, 7 days and 30 days in percent, and the mean response time of the last 24 hours in milliseconds. Values without data are null. Uptime is weighted by time; paused, pending, maintenance and unknown time does not count.",
        response: Examples.stats
      })
    ),
    HttpApiEndpoint.get("dailyUptime", "/:monitorId/daily-uptime", {
      params,
      query: range,
      success: Schema.Array(DailyUptime),
      error: Problem
    }).annotateMerge(
      operation({
        id: "getDailyUptime",
        summary: "Get daily uptime",
        description:
          "Returns the uptime of each UTC day in percent, by default of the last 90 days. Days without data are left out. A range of more than 400 days is refused with 400.",
        response: [
          { date: "2026-11-19", uptime: 100 },
          { date: "2026-11-20", uptime: 99.65 }
        ]
      })
    ),
    HttpApiEndpoint.get("responseTimes", "/:monitorId/response-times", {
      params,
      query: range,
      success: Schema.Array(ResponseTime),
      error: Problem
    }).annotateMerge(
      operation({
        id: "getResponseTimes",
        summary: "Get response times",
        description:
          "Returns response times in milliseconds by region, by default of the last 24 hours. A region with more than 2,000 results is reduced to 500 to 2,000 means. A range of more than 400 days is refused with 400.",
        response: [{ timestamp: "2026-11-20T09:15:00.000Z", responseTime: 84, region: "eu-west" }]
      })
    ),
    HttpApiEndpoint.get("heartbeatMetrics", "/:monitorId/heartbeat-metrics", {
      params,
      query: range,
      success: Schema.Array(HeartbeatMetrics),
      error: Problem
    }).annotateMerge(
      operation({
        id: "getHeartbeatMetrics",
        summary: "Get heartbeat metrics",
        description:
          "Returns the metrics that were sent with the signals of a heartbeat monitor, by default of the last 24 hours. The list is empty for other types. A range of more than 400 days is refused with 400.",
        response: [{ timestamp: "2026-11-20T02:41:07.512Z", metrics: { rows: 1200 } }]
      })
    )
  )
  .middleware(Gate)
  .prefix("/monitors")
  .annotateMerge(
    OpenApi.annotations({
      title: "Monitors",
      description: "What is checked, and the results: status, uptime and response times."
    })
  ) {}
