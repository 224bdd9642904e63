/** By which contact methods a person is notified. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as Body from "./Body.ts"
import { Authorization, JsonBody, Limits, Problems, UserOnly } from "./Middleware.ts"
import { NotificationRules, type NotificationRulesRequest } from "./NotificationRulesBody.ts"
import { refuses } from "./Problem.ts"
import * as ContactExamples from "./internal/ContactExamples.ts"
import { operation } from "./internal/Operation.ts"

export class NotificationRulesApi extends HttpApiGroup.make("notificationRules")
  .add(
    HttpApiEndpoint.get("get", "/", { success: NotificationRules }).annotateMerge(
      operation({
        id: "getNotificationRules",
        summary: "Get notification rules",
        description:
          "Returns by which contact methods the person is notified, per severity, and whether critical alerts reach them. A severity without a list of its own shows the default: the e-mail address of the account, at once.",
        response: ContactExamples.rules
      })
    ),
    HttpApiEndpoint.put("set", "/", {
      payload: Body.sent<typeof NotificationRulesRequest.Encoded>("NotificationRulesRequest"),
      success: NotificationRules,
      error: refuses("validation_failed")
    })
      .middleware(JsonBody)
      .annotateMerge(
        operation({
          id: "setNotificationRules",
          summary: "Update notification rules",
          description:
            "Replaces all rules. Minutes count from the page. Methods that are not confirmed, or switched off, are passed over; where no method of a list is ready, the e-mail address of the account is notified at once.",
          request: ContactExamples.rulesRequest,
          response: ContactExamples.rules
        })
      )
  )
  .middleware(UserOnly)
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/account/notification-rules")
  .annotateMerge(
    OpenApi.annotations({
      title: "Notification rules",
      description: "By which contact methods a person is notified, per severity."
    })
  ) {}
