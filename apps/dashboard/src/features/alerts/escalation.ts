/** The escalation of an alert: its time line, and the people who can be asked for help. */
import type { TimelineEntry } from "@kanmon/domain/AlertTimeline"
import { queryOptions, useQuery } from "@tanstack/react-query"
import { useOrganization } from "../../api/organizations.ts"
import { includes } from "../../api/permissions.ts"
import { membersQuery, teamsQuery } from "../../api/people.ts"
import { request } from "../../api/request.ts"
import { schedulesQuery } from "../../api/schedules.ts"
import type { CurrentProject } from "../../api/session.ts"
import { t } from "../../locales/text.ts"
import type { Option } from "../../ui/Choice.tsx"
import { alertsKey } from "./queries.ts"

export type TimelineRecord = typeof TimelineEntry.Encoded

export const timelineQuery = (project: CurrentProject, alertId: string) =>
  queryOptions({
    queryKey: [...alertsKey(project), "timeline", alertId],
    queryFn: ({ signal }) =>
      request("GET /alerts/:alertId/timeline", { params: { alertId }, project: project.headers, signal }),
    // Pages go out without an event of the alert.
    refetchInterval: 10_000
  })

/** The people and teams that can be paged: people on call first, then teams, then people. Ids are `schedule sch_…`. */
export const useAskable = (): ReadonlyArray<Option> | undefined => {
  const organization = useOrganization()
  const organizationId = organization?.id ?? ""
  const enabled = organization !== undefined
  const { data: members } = useQuery({ ...membersQuery(organizationId), enabled })
  const { data: teams } = useQuery({ ...teamsQuery(organizationId), enabled })
  const { data: schedules } = useQuery({ ...schedulesQuery(organizationId), enabled })
  if (members === undefined || teams === undefined || schedules === undefined) return undefined
  return [
    ...schedules.map(({ id, name }) => ({
      id: `schedule ${id}`,
      label: t("On call in {schedule}", { schedule: name })
    })),
    ...teams.map(({ id, name }) => ({ id: `team ${id}`, label: t("Everybody in {team}", { team: name }) })),
    ...members
      .filter(({ role }) => includes(role, "responder"))
      .map(({ name, userId }) => ({ id: `user ${userId}`, label: name }))
  ]
}
