/** Writes on-call schedules from the bodies of requests, with what is refused as problems. */
import type { OrganizationId, ScheduleId } from "@kanmon/domain/Ids"
import * as Payload from "@kanmon/platform/http/Payload"
import * as ScheduleBody from "@kanmon/protocol/ScheduleBody"
import { Effect } from "effect"
import { refusing } from "./ScheduleProblems.ts"
import { type Revision, Schedules } from "./Schedules.ts"

export const scheduleIn = Payload.read(ScheduleBody.decode)

/** Lays the body of a change over a schedule. */
export const revising =
  (payload: unknown): Revision =>
  (current) =>
    ScheduleBody.decode(ScheduleBody.merge(current, payload))

export const make = Effect.map(Schedules, (schedules) => ({
  create: (id: OrganizationId, body: unknown) =>
    Effect.flatMap(scheduleIn(body), (draft) => schedules.create(id, draft)).pipe(refusing),
  update: (id: OrganizationId, scheduleId: ScheduleId, body: unknown) =>
    schedules.update(id, scheduleId, revising(body)).pipe(refusing),
  remove: (id: OrganizationId, scheduleId: ScheduleId) => schedules.remove(id, scheduleId).pipe(refusing)
}))
