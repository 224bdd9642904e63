/** Alerts as people handle them: acknowledged, snoozed, silenced. */
import { Alert, AlertStatus } from "@kanmon/domain/Alert"
import { AlertReference, IntegrationId, MonitorId, SilenceId } from "@kanmon/domain/Ids"
import { Severity } from "@kanmon/domain/Severity"
import { Silence } from "@kanmon/domain/Silence"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import type * as AlertBody from "./AlertBody.ts"
import * as Body from "./Body.ts"
import { Deleted, pageQuery } from "./Lists.ts"
import { Authorization, Idempotency, JsonBody, Limits, Problems, ProjectOnly } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import * as Examples from "./internal/AlertExamples.ts"
import { deleted } from "./internal/Examples.ts"
import { operation } from "./internal/Operation.ts"

const params = {
  alertId: AlertReference.annotate({ description: "The alert, or one of its entries in the alert history" })
}
const monitorParams = { monitorId: MonitorId }

const acknowledgement = Body.optional<AlertBody.AcknowledgementRequest>("AcknowledgementRequest")
const snooze = Body.sent<AlertBody.SnoozeRequest>("SnoozeRequest")

export class AlertsApi extends HttpApiGroup.make("alerts")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...pageQuery,
        state: Schema.optionalKey(
          Schema.Array(AlertStatus).annotate({
            description: "Only alerts in this state. Repeat the parameter for several states"
          })
        ),
        severity: Schema.optionalKey(
          Schema.Array(Severity).annotate({
            description: "Only alerts of this severity. Repeat the parameter for several severities"
          })
        ),
        monitorId: Schema.optionalKey(MonitorId.annotate({ description: "Only alerts of this monitor" })),
        integrationId: Schema.optionalKey(IntegrationId.annotate({ description: "Only alerts of this integration" }))
      },
      success: Schema.Array(Alert),
      error: refuses("malformed_request")
    }).annotateMerge(
      operation({
        id: "listAlerts",
        access: "alerts.read",
        summary: "List alerts",
        description:
          "Lists the alerts of the project, newest first: one for each rule, monitor and trigger, from its opening to its end. Resolved alerts are listed until they are past retention.",
        response: [Examples.alert]
      })
    ),
    HttpApiEndpoint.get("get", "/:alertId", { params, success: Alert, error: refuses("not_found") }).annotateMerge(
      operation({
        id: "getAlert",
        access: "alerts.read",
        summary: "Get an alert",
        description: "Returns one alert, by its id or by that of one of its entries in the alert history.",
        response: Examples.alert
      })
    ),
    HttpApiEndpoint.post("acknowledge", "/:alertId/acknowledge", {
      params,
      payload: acknowledgement,
      success: Alert,
      error: refuses("not_found", "conflict", "validation_failed")
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "acknowledgeAlert",
          access: "alerts.respond",
          summary: "Acknowledge an alert",
          description:
            "Ends the reminders of an open alert. Status and uptime of the monitor stay as they are, the recovery is still sent, and an outage that comes back alerts again. 409 `conflict` when the alert is resolved, or was already acknowledged: `detail` says by whom.",
          request: Examples.acknowledgement,
          response: Examples.acknowledgedAlert,
          optionalBody: true
        })
      ),
    HttpApiEndpoint.post("unacknowledge", "/:alertId/unacknowledge", {
      params,
      success: Alert,
      error: refuses("not_found", "conflict")
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "unacknowledgeAlert",
          access: "alerts.respond",
          summary: "Unacknowledge an alert",
          description:
            "Takes back the acknowledgement or the snooze of an alert: its reminders go on. 409 `conflict` when the alert is resolved.",
          response: Examples.alert
        })
      ),
    HttpApiEndpoint.post("snooze", "/:alertId/snooze", {
      params,
      payload: snooze,
      success: Alert,
      error: refuses("not_found", "conflict", "validation_failed")
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "snoozeAlert",
          access: "alerts.respond",
          summary: "Snooze an alert",
          description:
            "Sends no reminders until then. If the alert is still open at that time, its channels get one reminder, even if the rule has none, and the rule's reminders continue. Its escalation waits until then. An acknowledgement ends with the snooze: the alert is open afterwards. 409 `conflict` when the alert is resolved.",
          request: Examples.snooze,
          response: Examples.snoozedAlert
        })
      ),
    HttpApiEndpoint.post("resolve", "/:alertId/resolve", {
      params,
      success: Alert,
      error: refuses("not_found", "conflict")
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "resolveAlert",
          access: "alerts.respond",
          summary: "Resolve an alert",
          description:
            "Ends an alert of an integration, as its sender would: the recovery is sent, and an alert with the same key opens again when it is sent again. 409 `conflict` when the alert is resolved, and for an alert of a monitor, which ends when the monitor recovers.",
          response: Examples.resolvedAlert
        })
      )
  )
  .middleware(ProjectOnly)
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/alerts")
  .annotateMerge(
    OpenApi.annotations({
      title: "Alerts",
      description: "Open and past alerts, and who handles them."
    })
  ) {}

const everyAlert =
  "Alerts that do not allow it, such as those that somebody else acknowledged, stay as they are. Returns all open alerts of the monitor, which may be none."

export class MonitorAlertsApi extends HttpApiGroup.make("monitorAlerts")
  .add(
    HttpApiEndpoint.post("acknowledge", "/acknowledge", {
      params: monitorParams,
      payload: acknowledgement,
      success: Schema.Array(Alert),
      error: refuses("not_found", "validation_failed")
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "acknowledgeMonitorAlerts",
          access: "alerts.respond",
          summary: "Acknowledge a monitor's alerts",
          description: `Acknowledges every open alert of the monitor. ${everyAlert}`,
          request: Examples.acknowledgement,
          response: [Examples.acknowledgedAlert],
          optionalBody: true
        })
      ),
    HttpApiEndpoint.post("unacknowledge", "/unacknowledge", {
      params: monitorParams,
      success: Schema.Array(Alert),
      error: refuses("not_found")
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "unacknowledgeMonitorAlerts",
          access: "alerts.respond",
          summary: "Unacknowledge a monitor's alerts",
          description:
            "Takes back the acknowledgement or the snooze of every open alert of the monitor, and returns all of them.",
          response: [Examples.alert]
        })
      ),
    HttpApiEndpoint.post("snooze", "/snooze", {
      params: monitorParams,
      payload: snooze,
      success: Schema.Array(Alert),
      error: refuses("not_found", "validation_failed")
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "snoozeMonitorAlerts",
          access: "alerts.respond",
          summary: "Snooze a monitor's alerts",
          description: `Snoozes every open alert of the monitor. ${everyAlert}`,
          request: Examples.snooze,
          response: [Examples.snoozedAlert]
        })
      )
  )
  .middleware(ProjectOnly)
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/monitors/:monitorId/alerts")
  .annotateMerge(OpenApi.annotations({ title: "Alerts" })) {}

export class SilencesApi extends HttpApiGroup.make("silences")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: pageQuery,
      success: Schema.Array(Silence),
      error: refuses("malformed_request")
    }).annotateMerge(
      operation({
        id: "listSilences",
        access: "alerts.read",
        summary: "List silences",
        description: "Lists the silences of the project that have not ended, newest first.",
        response: [Examples.silence]
      })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: Body.sent<AlertBody.SilenceRequest>("SilenceRequest"),
      success: Silence.pipe(HttpApiSchema.status(201)),
      error: refuses("validation_failed")
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "createSilence",
          access: "alerts.respond",
          summary: "Create a silence",
          description:
            "Sends no notifications about these monitors until then. Checks, status, uptime, alerts, events and status pages continue. Alerts that open in the meantime and are still open at the end are sent then. Incidents that were opened at a paging service before are still closed there.",
          request: Examples.silenceRequest,
          response: Examples.silence
        })
      ),
    HttpApiEndpoint.delete("remove", "/:silenceId", {
      params: { silenceId: SilenceId },
      success: Deleted,
      error: refuses("not_found")
    }).annotateMerge(
      operation({
        id: "deleteSilence",
        access: "alerts.respond",
        summary: "Delete a silence",
        description: "Ends the silence at once: alerts that it kept back and that are still open are sent.",
        response: deleted(Examples.silence.id)
      })
    )
  )
  .middleware(ProjectOnly)
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/silences")
  .annotateMerge(
    OpenApi.annotations({ title: "Silences", description: "Times without notifications about some monitors." })
  ) {}
