/** The monitors of a project. */
import { MonitorId } from "@kanmon/domain/Ids"
import { MonitorStats } from "@kanmon/domain/Monitor"
import { MonitorStatus } from "@kanmon/domain/Status"
import { Timestamp } from "@kanmon/domain/Timestamp"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Gate } from "./Gate.ts"
import { Deleted, pageQuery, Search } from "./Lists.ts"
import { Problem } from "./Problem.ts"

/** A monitor's fields depend on its type; `MonitorBody` knows them. */
export const MonitorRecord = Schema.JsonObject.annotate({ identifier: "Monitor" })

const params = { monitorId: MonitorId }
const range = { from: Schema.optionalKey(Schema.String), to: Schema.optionalKey(Schema.String) }
const created = HttpApiSchema.status(201)

export const DailyUptime = Schema.Struct({ date: Schema.String, uptime: Schema.Finite })
export const ResponseTime = Schema.Struct({ timestamp: Timestamp, responseTime: Schema.Finite, region: Schema.String })
export const HeartbeatMetrics = Schema.Struct({
  timestamp: Timestamp,
  metrics: Schema.Record(Schema.String, Schema.Finite)
})

export class MonitorsApi extends HttpApiGroup.make("monitors")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...pageQuery,
        status: Schema.optionalKey(MonitorStatus),
        type: Schema.optionalKey(Search),
        q: Schema.optionalKey(Search)
      },
      success: Schema.Array(MonitorRecord),
      error: Problem
    }),
    HttpApiEndpoint.post("create", "/", { payload: Schema.Json, success: MonitorRecord.pipe(created), error: Problem }),
    HttpApiEndpoint.get("get", "/:monitorId", { params, success: MonitorRecord, error: Problem }),
    HttpApiEndpoint.patch("update", "/:monitorId", {
      params,
      payload: Schema.Json,
      success: MonitorRecord,
      error: Problem
    }),
    HttpApiEndpoint.delete("remove", "/:monitorId", { params, success: Deleted, error: Problem }),
    HttpApiEndpoint.post("rotateToken", "/:monitorId/heartbeat-token", {
      params,
      success: MonitorRecord,
      error: Problem
    }),
    HttpApiEndpoint.get("stats", "/:monitorId/stats", { params, success: MonitorStats, error: Problem }),
    HttpApiEndpoint.get("dailyUptime", "/:monitorId/daily-uptime", {
      params,
      query: range,
      success: Schema.Array(DailyUptime),
      error: Problem
    }),
    HttpApiEndpoint.get("responseTimes", "/:monitorId/response-times", {
      params,
      query: range,
      success: Schema.Array(ResponseTime),
      error: Problem
    }),
    HttpApiEndpoint.get("heartbeatMetrics", "/:monitorId/heartbeat-metrics", {
      params,
      query: range,
      success: Schema.Array(HeartbeatMetrics),
      error: Problem
    })
  )
  .middleware(Gate)
  .prefix("/monitors")
  .annotateMerge(OpenApi.annotations({ title: "Monitors" })) {}
