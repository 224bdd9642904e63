/** Settings of people on call: absences and the calendar of their shifts. */
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Body from "./Body.ts"
import { AwayPeriods, Calendar, CalendarAddress } from "./CalendarBody.ts"
import { Deleted } from "./Lists.ts"
import { Authorization, JsonBody, Limits, Problems, UserOnly } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import { OwnShifts } from "./ScheduleBody.ts"
import * as Examples from "./internal/Examples.ts"
import { operation } from "./internal/Operation.ts"
import * as ScheduleExamples from "./internal/ScheduleExamples.ts"

export class OnCallAccountApi extends HttpApiGroup.make("onCallAccount")
  .add(
    HttpApiEndpoint.get("away", "/away", { success: AwayPeriods }).annotateMerge(
      operation({
        id: "getAway",
        summary: "Get times away",
        description: "Returns when the person is away, as far as it is not over.",
        response: ScheduleExamples.away
      })
    ),
    HttpApiEndpoint.put("setAway", "/away", {
      payload: Body.sent<typeof AwayPeriods.Encoded>("AwayRequest"),
      success: AwayPeriods,
      error: refuses("validation_failed")
    })
      .middleware(JsonBody)
      .annotateMerge(
        operation({
          id: "setAway",
          summary: "Update times away",
          description:
            "Replaces the absences of the person. During an absence the layer below covers the person's turns in on-call schedules; without one they are gaps.",
          request: ScheduleExamples.away,
          response: ScheduleExamples.away
        })
      ),
    HttpApiEndpoint.get("shifts", "/shifts", { success: OwnShifts }).annotateMerge(
      operation({
        id: "listOwnShifts",
        summary: "List the own next shifts",
        description:
          "Returns the shifts of the person in all organizations that are not over: at most 20 of the next 90 days, earliest first.",
        response: ScheduleExamples.ownShifts
      })
    ),
    HttpApiEndpoint.get("calendar", "/calendar", { success: Calendar, error: refuses("not_found") }).annotateMerge(
      operation({
        id: "getOwnCalendar",
        summary: "Get the own calendar",
        description: "Returns when the address of the calendar was made and used last. 404 when there is none.",
        response: ScheduleExamples.calendar
      })
    ),
    HttpApiEndpoint.post("rotateCalendar", "/calendar", {
      success: CalendarAddress.pipe(HttpApiSchema.status(201))
    }).annotateMerge(
      operation({
        id: "rotateOwnCalendar",
        summary: "Rotate the own calendar",
        description:
          "Makes an address at which calendar programs read all shifts of the person, in all organizations. An earlier address stops working at once.",
        response: ScheduleExamples.calendarAddress
      })
    ),
    HttpApiEndpoint.delete("endCalendar", "/calendar", { success: Deleted, error: refuses("not_found") }).annotateMerge(
      operation({
        id: "deleteOwnCalendar",
        summary: "Delete the own calendar",
        description: "Ends the address of the person's calendar.",
        response: Examples.deleted(ScheduleExamples.override.userId!)
      })
    )
  )
  .middleware(UserOnly)
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/account")
  .annotateMerge(
    OpenApi.annotations({
      title: "Own on-call duty",
      description: "When a person is away, and the calendar of their shifts."
    })
  ) {}
