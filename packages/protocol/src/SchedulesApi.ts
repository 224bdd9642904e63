/** On-call schedules of an organization: people on call over time. */
import { maxOverrides, maxSchedules } from "@kanmon/domain/OnCallSchedule"
import { OrganizationId, OverrideId, ScheduleId } from "@kanmon/domain/Ids"
import { boundedText } from "@kanmon/domain/BoundedText"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Body from "./Body.ts"
import { Calendar, CalendarAddress } from "./CalendarBody.ts"
import { Deleted, keyQuery } from "./Lists.ts"
import { Authorization, Idempotency, JsonBody, Limits, OrganizationOrKey, Problems } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import * as ScheduleBody from "./ScheduleBody.ts"
import * as Examples from "./internal/Examples.ts"
import { operation } from "./internal/Operation.ts"
import * as ScheduleExamples from "./internal/ScheduleExamples.ts"

const params = { organizationId: OrganizationId }
const one = { ...params, scheduleId: ScheduleId }
const override = { ...one, overrideId: OverrideId }

const moment = (description: string) =>
  Schema.optionalKey(boundedText(100).annotate({ description, examples: ["2026-11-20"] }))

const window = {
  from: moment("Beginning: a day (UTC) or a timestamp. Default: now"),
  to: moment("End: a day (UTC), which is included, or a timestamp. Default: two weeks after `from`")
}

const rules =
  "Handoffs keep their local time over changes of clocks: one in a skipped hour happens at the end of the gap, one in a repeated hour the first time. A turn of a person who left, may no longer respond or is away falls to the layer below; without one it is a gap."

export class SchedulesApi extends HttpApiGroup.make("schedules")
  .add(
    HttpApiEndpoint.get("list", "/:organizationId/schedules", {
      params,
      query: keyQuery,
      success: Schema.Array(ScheduleBody.Schedule)
    }).annotateMerge(
      operation({
        id: "listSchedules",
        access: "schedules.read",
        summary: "List on-call schedules",
        description: "Lists the on-call schedules of the organization by name.",
        response: [ScheduleExamples.schedule]
      })
    ),
    HttpApiEndpoint.get("get", "/:organizationId/schedules/:scheduleId", {
      params: one,
      success: ScheduleBody.Schedule,
      error: refuses("not_found")
    }).annotateMerge(
      operation({
        id: "getSchedule",
        access: "schedules.read",
        summary: "Get an on-call schedule",
        description: "Returns one schedule. `warnings` names participants with turns that they cannot take.",
        response: ScheduleExamples.schedule
      })
    ),
    HttpApiEndpoint.post("create", "/:organizationId/schedules", {
      params,
      payload: Body.sent<ScheduleBody.ScheduleRequest>("ScheduleRequest"),
      success: ScheduleBody.Schedule.pipe(HttpApiSchema.status(201)),
      error: refuses("conflict", "validation_failed")
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "createSchedule",
          access: "schedules.write",
          summary: "Create an on-call schedule",
          description: `Creates a schedule. Participants are members with the role responder or above. ${rules} 409 \`conflict\` when another schedule has the key, or the organization has ${maxSchedules} schedules.`,
          request: ScheduleExamples.request,
          response: ScheduleExamples.schedule
        })
      ),
    HttpApiEndpoint.patch("update", "/:organizationId/schedules/:scheduleId", {
      params: one,
      payload: Body.sent<ScheduleBody.ScheduleUpdate>("ScheduleChange"),
      success: ScheduleBody.ChangedSchedule,
      error: refuses("conflict", "not_found", "validation_failed")
    })
      .middleware(JsonBody)
      .annotateMerge(
        operation({
          id: "updateSchedule",
          access: "schedules.write",
          summary: "Change an on-call schedule",
          description:
            "Changes a schedule. Layers are identified by their names. An edit of participants, rotation or handoff keeps the person on call until the next handoff, and then continues in the new order; with another `startsOn` the layer begins again. Past shifts stay. `movedUserIds` names the people with shifts that move within the next 90 days.",
          request: ScheduleExamples.change,
          response: { ...ScheduleExamples.schedule, name: "Shop, nights", movedUserIds: [] }
        })
      ),
    HttpApiEndpoint.delete("remove", "/:organizationId/schedules/:scheduleId", {
      params: one,
      success: Deleted,
      error: refuses("conflict", "not_found")
    }).annotateMerge(
      operation({
        id: "deleteSchedule",
        access: "schedules.write",
        summary: "Delete an on-call schedule",
        description:
          "Deletes the schedule with its overrides and what was recorded of it. 409 `conflict` names the escalation policies that use it.",
        response: Examples.deleted(ScheduleExamples.schedule.id)
      })
    ),
    HttpApiEndpoint.get("shifts", "/:organizationId/schedules/:scheduleId/shifts", {
      params: one,
      query: window,
      success: ScheduleBody.Shifts,
      error: refuses("malformed_request", "not_found")
    }).annotateMerge(
      operation({
        id: "listShifts",
        access: "schedules.read",
        summary: "List shifts",
        description:
          "Returns who is on call in `[from, to)`, at most 400 days. 400 when there are more than 30,000 shifts: ask for less.",
        response: ScheduleExamples.shifts
      })
    ),
    HttpApiEndpoint.post("preview", "/:organizationId/schedules/preview", {
      params,
      query: window,
      payload: Body.sent<ScheduleBody.ScheduleRequest>("ScheduleRequest"),
      success: ScheduleBody.PreviewedShifts,
      error: refuses("malformed_request", "validation_failed")
    })
      .middleware(JsonBody)
      .annotateMerge(
        operation({
          id: "previewSchedule",
          access: "schedules.write",
          summary: "List shifts of a draft",
          description: "Returns the shifts that a new schedule would have, as `listShifts` does. Nothing is saved.",
          request: ScheduleExamples.request,
          response: { ...ScheduleExamples.shifts, movedUserIds: [] }
        })
      ),
    HttpApiEndpoint.post("previewChange", "/:organizationId/schedules/:scheduleId/preview", {
      params: one,
      query: window,
      payload: Body.sent<ScheduleBody.ScheduleUpdate>("ScheduleChange"),
      success: ScheduleBody.PreviewedShifts,
      error: refuses("malformed_request", "not_found", "validation_failed")
    })
      .middleware(JsonBody)
      .annotateMerge(
        operation({
          id: "previewScheduleChange",
          access: "schedules.write",
          summary: "List shifts after a change",
          description:
            "Returns the shifts that the schedule would have after a change, with its overrides. `movedUserIds` names the people with shifts that move within the window. Nothing is saved.",
          request: ScheduleExamples.change,
          response: { ...ScheduleExamples.shifts, movedUserIds: [] }
        })
      ),
    HttpApiEndpoint.get("listOverrides", "/:organizationId/schedules/:scheduleId/overrides", {
      params: one,
      success: Schema.Array(ScheduleBody.OverrideRecord),
      error: refuses("not_found")
    }).annotateMerge(
      operation({
        id: "listOverrides",
        access: "schedules.read",
        summary: "List overrides",
        description: "Lists the overrides that are not over, in the order in which they are applied: oldest first.",
        response: [ScheduleExamples.override]
      })
    ),
    HttpApiEndpoint.post("createOverride", "/:organizationId/schedules/:scheduleId/overrides", {
      params: one,
      payload: Body.sent<ScheduleBody.OverrideRequest>("OverrideRequest"),
      success: ScheduleBody.OverrideRecord.pipe(HttpApiSchema.status(201)),
      error: refuses("conflict", "forbidden", "not_found", "validation_failed")
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "createOverride",
          access: "schedules.override",
          summary: "Create an override",
          description: `Gives shifts to somebody else, or to no one with \`userId\` null. Overrides apply in the order of their creation, each to what those before it left. Everybody may give away their own shifts and take those of others; an override between others needs the role editor. 409 \`conflict\` when the schedule has ${maxOverrides} overrides.`,
          request: ScheduleExamples.overrideRequest,
          response: ScheduleExamples.override
        })
      ),
    HttpApiEndpoint.delete("removeOverride", "/:organizationId/schedules/:scheduleId/overrides/:overrideId", {
      params: override,
      success: Deleted,
      error: refuses("forbidden", "not_found")
    }).annotateMerge(
      operation({
        id: "deleteOverride",
        access: "schedules.override",
        summary: "Delete an override",
        description: "Deletes an override; one that has begun ends now. That of others needs the role editor.",
        response: Examples.deleted(ScheduleExamples.override.id)
      })
    ),
    HttpApiEndpoint.get("calendar", "/:organizationId/schedules/:scheduleId/calendar", {
      params: one,
      success: Calendar,
      error: refuses("not_found")
    }).annotateMerge(
      operation({
        id: "getScheduleCalendar",
        access: "schedules.read",
        summary: "Get a schedule's calendar",
        description: "Returns when the address of the calendar was made and used last. 404 when there is none.",
        response: ScheduleExamples.calendar
      })
    ),
    HttpApiEndpoint.post("rotateCalendar", "/:organizationId/schedules/:scheduleId/calendar", {
      params: one,
      success: CalendarAddress.pipe(HttpApiSchema.status(201)),
      error: refuses("not_found")
    }).annotateMerge(
      operation({
        id: "rotateScheduleCalendar",
        access: "schedules.write",
        summary: "Rotate a schedule's calendar",
        description:
          "Makes an address at which calendar programs read the shifts of the schedule. An earlier address stops working at once. When a member leaves the organization, the addresses of all its schedules stop working.",
        response: ScheduleExamples.calendarAddress
      })
    ),
    HttpApiEndpoint.delete("endCalendar", "/:organizationId/schedules/:scheduleId/calendar", {
      params: one,
      success: Deleted,
      error: refuses("not_found")
    }).annotateMerge(
      operation({
        id: "deleteScheduleCalendar",
        access: "schedules.write",
        summary: "Delete a schedule's calendar",
        description: "Ends the address of the schedule's calendar.",
        response: Examples.deleted(ScheduleExamples.schedule.id)
      })
    ),
    HttpApiEndpoint.get("now", "/:organizationId/on-call", {
      params,
      success: Schema.Array(ScheduleBody.OnCallNow)
    }).annotateMerge(
      operation({
        id: "getOnCall",
        access: "schedules.read",
        summary: "Get who is on call",
        description:
          "Returns for each schedule of the organization, by name, who is on call, until when, and who is next.",
        response: [ScheduleExamples.onCall]
      })
    )
  )
  .middleware(OrganizationOrKey)
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/organizations")
  .annotateMerge(
    OpenApi.annotations({
      title: "On-call schedules",
      description: "Schedules of an organization: rotations of people in layers, overrides, and the shifts that follow."
    })
  ) {}
