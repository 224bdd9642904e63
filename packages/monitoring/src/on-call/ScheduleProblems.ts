/** The refusals of this feature as problems, each with a remedy. */
import type { OverrideNotFound, ScheduleNotFound } from "@kanmon/domain/NotFound"
import { roleFor } from "@kanmon/domain/Role"
import { notFound, Problem } from "@kanmon/protocol/Problem"
import type { KeyTaken } from "@kanmon/platform/database/KeyTaken"
import { asProblem } from "@kanmon/platform/http/AsProblem"
import type { CalendarNotFound } from "./Calendars.ts"
import type { TooManyShifts } from "./Reckonings.ts"
import type { ShiftsOfOthers, TooManyOverrides } from "./Overrides.ts"
import type { ScheduleInUse, TooManySchedules } from "./Schedules.ts"

const keyTaken =
  "Another schedule of this organization already has this key; choose another key or update that schedule"

export const refusing = asProblem({
  ScheduleNotFound: (_: ScheduleNotFound) => notFound("schedule"),
  OverrideNotFound: (_: OverrideNotFound) => notFound("override"),
  KeyTaken: (_: KeyTaken) =>
    new Problem({ code: "conflict", detail: `key: ${keyTaken}`, errors: [{ path: "key", message: keyTaken }] }),
  TooManySchedules: ({ limit }: TooManySchedules) =>
    new Problem({
      code: "conflict",
      detail: `The organization has ${limit} on-call schedules, and can have no more; delete one that is not needed`
    }),
  TooManyOverrides: ({ limit }: TooManyOverrides) =>
    new Problem({
      code: "conflict",
      detail: `The schedule has ${limit} overrides that are not over, and can have no more; delete one that is not needed`
    }),
  ScheduleInUse: ({ users }: ScheduleInUse) =>
    new Problem({
      code: "conflict",
      detail: `The schedule is in use by ${users.join(", ")}: take it out there first`
    }),
  ShiftsOfOthers: (_: ShiftsOfOthers) =>
    new Problem({
      code: "forbidden",
      detail: `This requires the role ${roleFor("schedules.write")} in the organization: with your role you give away your own shifts (\`replaces\`) or take those of others (\`userId\`)`
    }),
  CalendarNotFound: (_: CalendarNotFound) => notFound("calendar"),
  TooManyShifts: ({ limit }: TooManyShifts) =>
    new Problem({
      code: "malformed_request",
      detail: `to: There are more than ${limit} shifts in this window; ask for a shorter one`,
      errors: [{ path: "to", message: `Expected a window with at most ${limit} shifts` }]
    })
})
