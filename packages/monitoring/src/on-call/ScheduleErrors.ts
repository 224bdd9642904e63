/** Why changes of on-call schedules are refused. */
import { Data } from "effect"

/** The organization has as many schedules as it may. */
export class TooManySchedules extends Data.TaggedError("TooManySchedules")<{ readonly limit: number }> {}

/** The schedule has as many overrides as it may. */
export class TooManyOverrides extends Data.TaggedError("TooManyOverrides")<{ readonly limit: number }> {}

/** Somebody without the role for it moves shifts of others. */
export class ShiftsOfOthers extends Data.TaggedError("ShiftsOfOthers") {}

/** Escalation policies name the schedule. */
export class ScheduleInUse extends Data.TaggedError("ScheduleInUse")<{ readonly users: ReadonlyArray<string> }> {}
