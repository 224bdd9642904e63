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
import * as Examples from "./internal/Examples.ts"
import { operation } from "./internal/Operation.ts"

const params = { ruleId: RuleId }

export class AlertRulesApi extends HttpApiGroup.make("alertRules")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...pageQuery, ...keyQuery },
      success: Schema.Array(AlertRule),
      error: Problem
    }).annotateMerge(
      operation({
        id: "listAlertRules",
        summary: "List alert rules",
        description: "Lists the alert rules of the project, newest first.",
        response: [Examples.rule]
      })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: Body.sent<RuleBody.RuleRequest>(),
      success: AlertRule.pipe(HttpApiSchema.status(201)),
      error: Problem
    }).annotateMerge(
      operation({
        id: "createAlertRule",
        summary: "Create an alert rule",
        description:
          "Creates a rule that opens alerts and notifies channels. Empty `monitorIds` and `channelIds` mean all monitors and all channels of the project. Where the condition already holds, the rule alerts at once.",
        request: Examples.ruleRequest,
        response: Examples.rule
      })
    ),
    HttpApiEndpoint.get("get", "/:ruleId", { params, success: AlertRule, error: Problem }).annotateMerge(
      operation({
        id: "getAlertRule",
        summary: "Get an alert rule",
        description: "Returns one alert rule.",
        response: Examples.rule
      })
    ),
    HttpApiEndpoint.patch("update", "/:ruleId", {
      params,
      payload: Body.sent<Partial<RuleBody.RuleRequest>>(),
      success: AlertRule,
      error: Problem
    }).annotateMerge(
      operation({
        id: "updateAlertRule",
        summary: "Update an alert rule",
        description:
          "Changes the fields that are sent; the others keep their values. `trigger` alone replaces all of `triggers`.",
        request: { consecutiveFailures: 3 },
        response: { ...Examples.rule, consecutiveFailures: 3 }
      })
    ),
    HttpApiEndpoint.delete("remove", "/:ruleId", { params, success: Deleted, error: Problem }).annotateMerge(
      operation({
        id: "deleteAlertRule",
        summary: "Delete an alert rule",
        description: "Deletes the rule and closes its open alerts without a notification.",
        response: Examples.deleted(Examples.rule.id)
      })
    )
  )
  .middleware(Gate)
  .prefix("/alert-rules")
  .annotateMerge(
    OpenApi.annotations({
      title: "Alert rules",
      description: "Which monitors and conditions open an alert, and which channels are notified."
    })
  ) {}

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
    }).annotateMerge(
      operation({
        id: "listAlertHistory",
        summary: "List the alert history",
        description:
          "Lists the alerts that opened in a range, by default the last 30 days, newest first: one entry for each alert and channel. `resolvedAt` is null while the alert is open. A range of more than 400 days is refused with 400.",
        response: [Examples.alert]
      })
    ),
    HttpApiEndpoint.get("deliveries", "/:alertId/deliveries", {
      params: { alertId: AlertId },
      success: Schema.Array(Delivery),
      error: Problem
    }).annotateMerge(
      operation({
        id: "listAlertDeliveries",
        summary: "List deliveries",
        description:
          "Lists every notification of one alert with every attempt to deliver it. Attempts are repeated for up to 24 hours.",
        response: [Examples.delivery]
      })
    )
  )
  .middleware(Gate)
  .prefix("/alert-history")
  .annotateMerge(
    OpenApi.annotations({
      title: "Alert history",
      description: "Past and open alerts, with every attempt to deliver their notifications."
    })
  ) {}
