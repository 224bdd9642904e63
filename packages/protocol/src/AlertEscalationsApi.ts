/** The escalation of an alert: its time line, and what people do to push it on. */
import { Alert } from "@kanmon/domain/Alert"
import { TimelineEntry } from "@kanmon/domain/AlertTimeline"
import { AlertReference } from "@kanmon/domain/Ids"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as AlertEscalationBody from "./AlertEscalationBody.ts"
import * as Body from "./Body.ts"
import { Authorization, Idempotency, JsonBody, Limits, Problems, ProjectOnly } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import * as Examples from "./internal/AlertExamples.ts"
import { operation } from "./internal/Operation.ts"

const params = {
  alertId: AlertReference.annotate({ description: "The alert, or one of its entries in the alert history" })
}

export class AlertEscalationsApi extends HttpApiGroup.make("alertEscalations")
  .add(
    HttpApiEndpoint.get("timeline", "/:alertId/timeline", {
      params,
      success: Schema.Array(TimelineEntry),
      error: refuses("not_found")
    }).annotateMerge(
      operation({
        id: "getAlertTimeline",
        access: "alerts.read",
        summary: "Get an alert's time line",
        description:
          "Returns the history of the alert, newest last: its opening, each step of its escalation, each page with its attempts and its answer, actions of people, and its end. Of a very long history it has the newest 1000 pages and the newest 1000 other entries.",
        response: Examples.timeline
      })
    ),
    HttpApiEndpoint.post("escalate", "/:alertId/escalate", {
      params,
      payload: Body.sent<AlertEscalationBody.EscalateRequest>("EscalateRequest"),
      success: Alert,
      error: refuses("not_found", "conflict", "validation_failed")
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "escalateAlert",
          access: "alerts.respond",
          summary: "Escalate an alert",
          description:
            "Runs the next step of the escalation policy now, and takes an acknowledgement or a snooze back. `step` names the step that the caller saw as the next: when that one has run already, nothing happens. When the last step has run, the policy begins again. 409 `conflict` when the alert is resolved, has no escalation policy, or is held by a silence or maintenance.",
          request: Examples.escalateRequest,
          response: { ...Examples.alert, escalation: { ...Examples.alert.escalation!, nextStep: 2, step: null } }
        })
      ),
    HttpApiEndpoint.post("page", "/:alertId/page", {
      params,
      payload: Body.sent<AlertEscalationBody.PageRequest>("PageRequest"),
      success: AlertEscalationBody.PageAnswer,
      error: refuses("not_found", "conflict", "validation_failed")
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "pageForAlert",
          access: "alerts.respond",
          summary: "Page people about an alert",
          description:
            "Pages a person, a team, or who is on call in a schedule, by their own notification rules, until they answer themselves or the alert is over; also about an alert that somebody else has acknowledged. 409 `conflict` when the alert is resolved, or when none of them can be reached.",
          request: Examples.pageRequest,
          response: Examples.pageAnswer
        })
      )
  )
  .middleware(ProjectOnly)
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/alerts")
  .annotateMerge(OpenApi.annotations({ title: "Alerts" })) {}
