/** Ports by which other features say that they use schedules, within the same transaction. */
import type { OrganizationId, ScheduleId } from "@kanmon/domain/Ids"
import { Context, type Effect } from "effect"

/** Escalation policies name schedules. */
export class ScheduleUse extends Context.Service<
  ScheduleUse,
  {
    /** The users of a schedule in words: it cannot be deleted. The organization is locked. */
    readonly users: (id: OrganizationId, scheduleId: ScheduleId) => Effect.Effect<ReadonlyArray<string>>
  }
>()("@kanmon/monitoring/on-call/ScheduleUse") {}
