/** The quiet hours of a person. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as Body from "./Body.ts"
import { Authorization, JsonBody, Limits, Problems, UserOnly } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import { PersonalQuietHours } from "./QuietHoursBody.ts"
import * as ContactExamples from "./internal/ContactExamples.ts"
import { operation } from "./internal/Operation.ts"

export class QuietHoursApi extends HttpApiGroup.make("quietHours")
  .add(
    HttpApiEndpoint.get("get", "/", { success: PersonalQuietHours }).annotateMerge(
      operation({
        id: "getQuietHours",
        summary: "Get the own quiet hours",
        description: "Returns when pages to the person that are not urgent wait.",
        response: ContactExamples.quietHours
      })
    ),
    HttpApiEndpoint.put("set", "/", {
      payload: Body.sent<typeof PersonalQuietHours.Encoded>("QuietHoursRequest"),
      success: PersonalQuietHours,
      error: refuses("validation_failed")
    })
      .middleware(JsonBody)
      .annotateMerge(
        operation({
          id: "setQuietHours",
          summary: "Update the own quiet hours",
          description:
            "Replaces the quiet hours of the person. In these hours, pages about alerts below `holdBelow` wait; at their end they are one message for each contact method, without what has been resolved or acknowledged meanwhile. A page that waits counts as reached: the escalation goes on by its delays. Pages that wait already follow within five minutes.",
          request: ContactExamples.quietHours,
          response: ContactExamples.quietHours
        })
      )
  )
  .middleware(UserOnly)
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/account/quiet-hours")
  .annotateMerge(
    OpenApi.annotations({
      title: "Quiet hours",
      description: "When pages to a person that are not urgent wait."
    })
  ) {}
