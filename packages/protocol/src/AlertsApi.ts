/** Alert rules and the alert history of a project. */
import { boundedText } from "@kanmon/domain/BoundedText"
import { AlertHistoryEntry, AlertRule } from "@kanmon/domain/AlertRule"
import { AlertId, MonitorId, RuleId } from "@kanmon/domain/Ids"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Body from "./Body.ts"
import { Delivery } from "./DeliveryBody.ts"
import { Deleted, keyQuery, pageQuery } from "./Lists.ts"
import { Authorization, Idempotency, JsonBody, Limits, Problems, ProjectOnly } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import * as RuleBody from "./RuleBody.ts"
import * as Examples from "./internal/Examples.ts"
import { operation } from "./internal/Operation.ts"

const params = { ruleId: RuleId }

export class AlertRulesApi extends HttpApiGroup.make("alertRules")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...pageQuery, ...keyQuery },
      success: Schema.Array(AlertRule),
      error: refuses("malformed_request")
    }).annotateMerge(
      operation({
        id: "listAlertRules",
        access: "alertRules.read",
        summary: "List alert rules",
        description: "Lists the alert rules of the project, newest first.",
        response: [Examples.rule]
      })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: Body.sent<RuleBody.RuleRequest>("AlertRuleRequest"),
      success: AlertRule.pipe(HttpApiSchema.status(201)),
      error: refuses("account_limit_reached", "conflict", "validation_failed")
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "createAlertRule",
          access: "alertRules.write",
          summary: "Create an alert rule",
          description:
            "Creates a rule that opens alerts and notifies channels. Empty `monitorIds` and `channelIds` mean all monitors and all channels of the project. Where the condition already holds, the rule alerts at once.",
          request: Examples.ruleRequest,
          response: Examples.rule
        })
      ),
    HttpApiEndpoint.get("preview", "/preview", {
      query: { monitorId: MonitorId },
      success: RuleBody.RulePreview,
      error: refuses("malformed_request", "not_found")
    }).annotateMerge(
      operation({
        id: "previewAlertRules",
        access: "alertRules.read",
        summary: "Show who is notified",
        description:
          "Returns who would be notified about a monitor: the rules that watch it, their channels, and what would keep notifications back at this moment. Nothing is sent.",
        response: Examples.rulePreview
      })
    ),
    HttpApiEndpoint.get("get", "/:ruleId", { params, success: AlertRule, error: refuses("not_found") }).annotateMerge(
      operation({
        id: "getAlertRule",
        access: "alertRules.read",
        summary: "Get an alert rule",
        description: "Returns one alert rule.",
        response: Examples.rule
      })
    ),
    HttpApiEndpoint.patch("update", "/:ruleId", {
      params,
      payload: Body.sent<RuleBody.RuleUpdate>("AlertRuleChange"),
      success: AlertRule,
      error: refuses("not_found", "conflict", "validation_failed")
    })
      .middleware(JsonBody)
      .annotateMerge(
        operation({
          id: "updateAlertRule",
          access: "alertRules.write",
          summary: "Update an alert rule",
          description:
            "Changes the fields that are sent; the others keep their values. `trigger` alone replaces all of `triggers`.",
          request: { consecutiveFailures: 3 },
          response: { ...Examples.rule, consecutiveFailures: 3 }
        })
      ),
    HttpApiEndpoint.delete("remove", "/:ruleId", {
      params,
      success: Deleted,
      error: refuses("not_found", "conflict")
    }).annotateMerge(
      operation({
        id: "deleteAlertRule",
        access: "alertRules.write",
        summary: "Delete an alert rule",
        description:
          "Deletes the rule and closes its open alerts without a notification. 409 `conflict` while integrations have it: `detail` names them.",
        response: Examples.deleted(Examples.rule.id)
      })
    )
  )
  .middleware(ProjectOnly)
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/alert-rules")
  .annotateMerge(
    OpenApi.annotations({
      title: "Alert rules",
      description: "Which monitors and conditions open an alert, and which channels are notified."
    })
  ) {}

export class AlertHistoryApi extends HttpApiGroup.make("alertHistory")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...pageQuery, from: Schema.optionalKey(boundedText(100)), to: Schema.optionalKey(boundedText(100)) },
      success: Schema.Array(AlertHistoryEntry),
      error: refuses("malformed_request")
    }).annotateMerge(
      operation({
        id: "listAlertHistory",
        access: "alerts.read",
        summary: "List the alert history",
        description:
          "Lists the alerts that opened in a range, by default the last 30 days, newest first: one entry for each alert and channel. `resolvedAt` is null while the alert is open. A range of more than 400 days is refused with 400.",
        response: [Examples.alert]
      })
    ),
    HttpApiEndpoint.get("deliveries", "/:alertId/deliveries", {
      params: { alertId: AlertId },
      success: Schema.Array(Delivery),
      error: refuses("not_found")
    }).annotateMerge(
      operation({
        id: "listAlertDeliveries",
        access: "alerts.read",
        summary: "List deliveries",
        description:
          "Lists every notification of one alert with every attempt to deliver it. Attempts are repeated for up to 24 hours.",
        response: [Examples.delivery]
      })
    )
  )
  .middleware(ProjectOnly)
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/alert-history")
  .annotateMerge(
    OpenApi.annotations({
      title: "Alert history",
      description: "Past and open alerts, with every attempt to deliver their notifications."
    })
  ) {}
