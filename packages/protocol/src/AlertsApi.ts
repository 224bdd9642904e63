/** Alert rules and the alert history of a project. */
import { AlertHistoryEntry, AlertRule, DeliveryStatus } from "@kanmon/domain/AlertRule"
import { AlertId, RuleId } from "@kanmon/domain/Ids"
import { Timestamp } from "@kanmon/domain/Timestamp"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Body from "./Body.ts"
import { Gate } from "./Gate.ts"
import { Deleted, keyQuery, pageQuery } from "./Lists.ts"
import { Problem } from "./Problem.ts"
import type * as RuleBody from "./RuleBody.ts"

const params = { ruleId: RuleId }

export class AlertRulesApi extends HttpApiGroup.make("alertRules")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...pageQuery, ...keyQuery },
      success: Schema.Array(AlertRule),
      error: Problem
    }).annotate(OpenApi.Summary, "The alert rules of the project, newest first"),
    HttpApiEndpoint.post("create", "/", {
      payload: Body.sent<RuleBody.RuleRequest>(),
      success: AlertRule.pipe(HttpApiSchema.status(201)),
      error: Problem
    }).annotate(OpenApi.Summary, "Creates an alert rule"),
    HttpApiEndpoint.get("get", "/:ruleId", { params, success: AlertRule, error: Problem }).annotate(
      OpenApi.Summary,
      "One alert rule"
    ),
    HttpApiEndpoint.patch("update", "/:ruleId", {
      params,
      payload: Body.sent<Partial<RuleBody.RuleRequest>>(),
      success: AlertRule,
      error: Problem
    }).annotate(OpenApi.Summary, "Changes an alert rule"),
    HttpApiEndpoint.delete("remove", "/:ruleId", { params, success: Deleted, error: Problem }).annotate(
      OpenApi.Summary,
      "Deletes an alert rule; its open alerts are closed without a word"
    )
  )
  .middleware(Gate)
  .prefix("/alert-rules")
  .annotateMerge(OpenApi.annotations({ title: "Alert rules" })) {}

/** One notice to one channel, with every attempt. */
export const Delivery = Schema.Struct({
  id: Schema.String,
  /** The event it told of. */
  event: Schema.String,
  /** `merged`: a later notice said it too. */
  status: Schema.Literals([...DeliveryStatus.literals, "merged"]),
  error: Schema.NullOr(Schema.String),
  /** The delivery of another rule to the same channel whose message also covered this one; null when it was sent itself. */
  sharedWith: Schema.NullOr(Schema.String),
  attempts: Schema.Array(
    Schema.Struct({
      at: Timestamp,
      outcome: Schema.Literals(["delivered", "retrying", "failed"]),
      /** What the destination said. */
      detail: Schema.String,
      /** Milliseconds. */
      duration: Schema.Finite
    })
  ),
  createdAt: Timestamp,
  /** Null when nothing more will be tried. */
  nextAttemptAt: Schema.NullOr(Timestamp)
}).annotate({ identifier: "Delivery" })
export type Delivery = typeof Delivery.Type

export class AlertHistoryApi extends HttpApiGroup.make("alertHistory")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...pageQuery, from: Schema.optionalKey(Schema.String), to: Schema.optionalKey(Schema.String) },
      success: Schema.Array(AlertHistoryEntry),
      error: Problem
    }).annotate(OpenApi.Summary, "The alert history, newest first"),
    HttpApiEndpoint.get("deliveries", "/:alertId/deliveries", {
      params: { alertId: AlertId },
      success: Schema.Array(Delivery),
      error: Problem
    }).annotate(OpenApi.Summary, "Every notification of one alert, with every attempt")
  )
  .middleware(Gate)
  .prefix("/alert-history")
  .annotateMerge(OpenApi.annotations({ title: "Alert history" })) {}
