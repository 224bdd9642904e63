/** On call: schedules of organizations, who is on call when, and what was recorded of it. */
import { Layer } from "effect"
import * as Cluster from "@kanmon/platform/cluster/Cluster"
import { Away } from "./Away.ts"
import * as CalendarHandlers from "./CalendarHandlers.ts"
import { Calendars } from "./Calendars.ts"
import { Handoffs } from "./Handoffs.ts"
import * as HandoffWorker from "./HandoffWorker.ts"
import { Overrides } from "./Overrides.ts"
import { Participants } from "./Participants.ts"
import { OnDuty } from "./OnDuty.ts"
import { OwnShifts } from "./OwnShifts.ts"
import * as Presence from "./Presence.ts"
import { Schedules } from "./Schedules.ts"
import * as SchedulesHandlers from "./SchedulesHandlers.ts"
import { Shifts } from "./Shifts.ts"

export { Handoffs } from "./Handoffs.ts"
export { OnDuty } from "./OnDuty.ts"
export { refusing } from "./ScheduleProblems.ts"
export { Schedules } from "./Schedules.ts"
export * as ScheduleWrites from "./ScheduleWrites.ts"
export { Shifts } from "./Shifts.ts"
export { ScheduleUse } from "./OnCallHooks.ts"

/** The services of this feature. */
export const layer = Layer.mergeAll(
  Away.layer,
  Calendars.layer,
  Handoffs.layer,
  OnDuty.layer,
  Overrides.layer,
  OwnShifts.layer,
  Participants.layer,
  Schedules.layer,
  Shifts.layer
)

/** The operations of this feature. */
export const layerApi = Layer.merge(SchedulesHandlers.layer, CalendarHandlers.layer)

/** Updates on-call duty when people join, leave or change. */
export const layerPresence = Presence.layer

/** The jobs of this feature. */
export const layerWorker = Cluster.singleton("on-call", HandoffWorker.layer)
