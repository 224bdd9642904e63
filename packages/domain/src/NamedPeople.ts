/** The people whom a step of a policy names, and why each of them is paged. Pure: the caller says who is on call. */
import type { Target } from "./EscalationPolicy.ts"
import type { ScheduleId, TeamId, UserId } from "./Ids.ts"
import type { OnCall } from "./OnCallShifts.ts"
import { pageReason, type PageReason, type PageReasonKind } from "./PageReason.ts"

/** The records that a step names, at the moment at which it runs. */
export interface Naming {
  readonly schedules: ReadonlyMap<ScheduleId, Pick<OnCall, "userId" | "until" | "next"> & { readonly name: string }>
  readonly teams: ReadonlyMap<TeamId, { readonly name: string; readonly memberIds: ReadonlyArray<UserId> }>
  /** Where the targets stand in a policy; the name is null for a deleted one. */
  readonly policy: string | null
  readonly step: number | null
}

/** The people whom targets name, each once, in the order of the targets, with the first reason. */
export const peopleNamed = (
  targets: ReadonlyArray<Target>,
  { policy, schedules, step, teams }: Naming
): ReadonlyMap<UserId, PageReason> => {
  const found = new Map<UserId, PageReason>()
  const add = (userId: UserId | null | undefined, kind: PageReasonKind, of: Partial<PageReason> = {}) => {
    if (userId != null && !found.has(userId)) found.set(userId, pageReason(kind, { ...of, policy, step }))
  }
  for (const { position, scheduleId, teamId, userId } of targets) {
    const turn = scheduleId === undefined ? undefined : schedules.get(scheduleId)
    const team = teamId === undefined ? undefined : teams.get(teamId)
    add(userId, "person")
    for (const memberId of team?.memberIds ?? []) add(memberId, "team", { name: team!.name })
    if (turn === undefined) continue
    if (position === "next") add(turn.next?.userId, "next_on_call", { name: turn.name, from: turn.next?.from ?? null })
    else add(turn.userId, "on_call", { name: turn.name, until: turn.until })
  }
  return found
}
