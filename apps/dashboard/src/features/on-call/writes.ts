/** Operations on schedules, their overrides and calendars. A change shows in lists, shifts and who is on call now. */
import { request } from "../../api/request.ts"
import type { Parts } from "../../api/routes.ts"
import { onCallKey } from "../../api/schedules.ts"
import { useWrite } from "../../api/write.ts"
import { overridesQuery } from "./queries.ts"

type Schedules = "/organizations/:organizationId/schedules"

const stale = [onCallKey]

export const useCreateSchedule = (organizationId: string) =>
  useWrite({
    send: (body: Parts<`POST ${Schedules}`>["body"]) =>
      request("POST /organizations/:organizationId/schedules", { params: { organizationId }, body }),
    stale
  })

export const useUpdateSchedule = (organizationId: string) =>
  useWrite({
    send: ({
      body,
      scheduleId
    }: {
      readonly scheduleId: string
      readonly body: Parts<`PATCH ${Schedules}/:scheduleId`>["body"]
    }) =>
      request("PATCH /organizations/:organizationId/schedules/:scheduleId", {
        params: { organizationId, scheduleId },
        body
      }),
    stale
  })

export const useDeleteSchedule = (organizationId: string, leave: () => unknown) =>
  useWrite({
    send: (scheduleId: string) =>
      request("DELETE /organizations/:organizationId/schedules/:scheduleId", {
        params: { organizationId, scheduleId }
      }),
    leave,
    stale
  })

export const useCreateOverride = (organizationId: string, scheduleId: string) =>
  useWrite({
    send: (body: Parts<`POST ${Schedules}/:scheduleId/overrides`>["body"]) =>
      request("POST /organizations/:organizationId/schedules/:scheduleId/overrides", {
        params: { organizationId, scheduleId },
        body
      }),
    learn: (client, override) =>
      client.setQueryData(
        overridesQuery(organizationId, scheduleId).queryKey,
        (known) => known && [...known, override].toSorted((one, other) => Date.parse(one.from) - Date.parse(other.from))
      ),
    stale
  })

export const useEndOverride = (organizationId: string, scheduleId: string) =>
  useWrite({
    send: (overrideId: string) =>
      request("DELETE /organizations/:organizationId/schedules/:scheduleId/overrides/:overrideId", {
        params: { organizationId, scheduleId, overrideId }
      }),
    stale
  })

export const calendarKey = (organizationId: string, scheduleId: string) =>
  [...onCallKey, organizationId, "calendar", scheduleId] as const

/** Makes the address for calendar programs, which ends the one before. */
export const useCreateCalendar = (organizationId: string, scheduleId: string) =>
  useWrite({
    send: () =>
      request("POST /organizations/:organizationId/schedules/:scheduleId/calendar", {
        params: { organizationId, scheduleId }
      }),
    stale: [calendarKey(organizationId, scheduleId)]
  })

export const useEndCalendar = (organizationId: string, scheduleId: string) =>
  useWrite({
    send: () =>
      request("DELETE /organizations/:organizationId/schedules/:scheduleId/calendar", {
        params: { organizationId, scheduleId }
      }),
    stale: [calendarKey(organizationId, scheduleId)]
  })
