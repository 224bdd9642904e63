/** Calendars of shifts, for calendar programs. */
import { boundedText } from "@kanmon/domain/BoundedText"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AddressLimits, Problems } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import { operation } from "./internal/Operation.ts"

const calendar = Schema.String.annotate({ description: "The calendar (RFC 5545)" }).pipe(
  HttpApiSchema.asText({ contentType: "text/calendar" })
)

export class CalendarsApi extends HttpApiGroup.make("calendars")
  .add(
    HttpApiEndpoint.get("get", "/:token", {
      params: { token: boundedText(100).annotate({ description: "The token of the calendar, followed by `.ics`" }) },
      success: calendar,
      error: refuses("not_found")
    }).annotateMerge(
      operation({
        id: "getCalendar",
        summary: "Get a calendar",
        description:
          "Returns the shifts of a schedule, or of a person, from 30 days ago until 180 days ahead as iCalendar: times in UTC, names and shifts only. Anyone with the address can read it.",
        response: "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Kanmon//On call//EN\r\nEND:VCALENDAR\r\n"
      })
    )
  )
  .middleware(AddressLimits)
  .middleware(Problems)
  .prefix("/calendars")
  .annotateMerge(OpenApi.annotations({ title: "On-call schedules" })) {}
