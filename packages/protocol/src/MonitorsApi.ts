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
        q: Schema.optionalKey(Search.annotate({ description: "Part of the name, in any case" }))
      },
      success: Schema.Array(MonitorRecord),
      error: Problem
    }).annotate(OpenApi.Summary, "The project's monitors, newest first"),
    HttpApiEndpoint.post("create", "/", {
      payload: Body.sent<MonitorBody.MonitorRequest>(),
      success: MonitorRecord.pipe(created),
      error: Problem
    }).annotate(OpenApi.Summary, "Makes a monitor; its checks begin at once"),
    HttpApiEndpoint.get("get", "/:monitorId", { params, success: MonitorRecord, error: Problem }).annotate(
      OpenApi.Summary,
      "One monitor"
    ),
    HttpApiEndpoint.patch("update", "/:monitorId", {
      params,
      payload: Body.sent<MonitorBody.MonitorUpdate>(),
      success: MonitorRecord,
      error: Problem
    }).annotate(OpenApi.Summary, "Changes, pauses or resumes a monitor"),
    HttpApiEndpoint.delete("remove", "/:monitorId", { params, success: Deleted, error: Problem }).annotate(
      OpenApi.Summary,
      "Deletes a monitor and its history"
    ),
    HttpApiEndpoint.post("rotateToken", "/:monitorId/heartbeat-token", {
      params,
      success: MonitorRecord,
      error: Problem
    }).annotate(OpenApi.Summary, "Gives a heartbeat monitor a new address for its signals; the old one stops at once"),
    HttpApiEndpoint.get("stats", "/:monitorId/stats", { params, success: MonitorStats, error: Problem }).annotate(
      OpenApi.Summary,
      "Status, uptime and response time in short"
    ),
    HttpApiEndpoint.get("dailyUptime", "/:monitorId/daily-uptime", {
      params,
      query: range,
      success: Schema.Array(DailyUptime),
      error: Problem
    }).annotate(
      OpenApi.Summary,
      "Uptime of each day, the last 90 unless asked otherwise; days without data are absent"
    ),
    HttpApiEndpoint.get("responseTimes", "/:monitorId/response-times", {
      params,
      query: range,
      success: Schema.Array(ResponseTime),
      error: Problem
    }).annotate(
      OpenApi.Summary,
      "Response times, of the last 24 hours unless asked otherwise; means where there are many"
    ),
    HttpApiEndpoint.get("heartbeatMetrics", "/:monitorId/heartbeat-metrics", {
      params,
      query: range,
      success: Schema.Array(HeartbeatMetrics),
      error: Problem
    }).annotate(OpenApi.Summary, "Metrics that a heartbeat brought along; empty for other types")
  )
  .middleware(Gate)
  .prefix("/monitors")
  .annotateMerge(OpenApi.annotations({ title: "Monitors" })) {}
