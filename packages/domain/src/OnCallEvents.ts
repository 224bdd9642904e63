/** The public events of on-call schedules. */
import type { OrganizationId, ScheduleId } from "./Ids.ts"
import type { Handoff } from "./OnCallShifts.ts"
import type { PublicEvent } from "./PublicEvent.ts"
import { cloudEventHeaders, type OnCallChanged } from "./ServiceEvent.ts"
import * as Subjects from "./Subjects.ts"
import { toIso } from "./Timestamp.ts"

interface Changed {
  readonly id: ScheduleId
  readonly organizationId: OrganizationId
  readonly name: string
}

/** The events of handoffs, in their order, after the last one that was recorded: one for each that changes the person. */
export const onCallEvents = (
  { id: scheduleId, name, organizationId }: Changed,
  handoffs: ReadonlyArray<Handoff>,
  last: Handoff | undefined
): ReadonlyArray<PublicEvent> =>
  handoffs.flatMap(({ at, userId }, index) => {
    const previousUserId = (handoffs[index - 1] ?? last)?.userId ?? null
    if (previousUserId === userId) return []
    const id = `${scheduleId}.${at}`
    const data: typeof OnCallChanged.Encoded = {
      scheduleId,
      organizationId,
      scheduleName: name,
      userId,
      previousUserId,
      at: toIso(at)
    }
    return [
      {
        id,
        subject: Subjects.onCallEvent(organizationId, scheduleId, "changed"),
        headers: cloudEventHeaders({ id, type: "kanmon.on-call.changed", subject: scheduleId, time: at }),
        payload: JSON.stringify(data)
      }
    ]
  })
