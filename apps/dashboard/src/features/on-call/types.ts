/** Schedules and shifts, as the API has them. */
import type {
  OnCallNow,
  OverrideRecord,
  Schedule as ScheduleSchema,
  Shifts as ShiftsSchema
} from "@kanmon/protocol/ScheduleBody"

export type Schedule = typeof ScheduleSchema.Encoded
export type Shifts = typeof ShiftsSchema.Encoded
export type Shift = Shifts["shifts"][number]
export type Gap = Shifts["gaps"][number]
export type Override = typeof OverrideRecord.Encoded
export type OnCall = typeof OnCallNow.Encoded
export type Layer = Schedule["layers"][number]
