/**
 * The references of escalation policies in both directions: channels and rules of every project of the organization.
 */
import type { AlertRule } from "@kanmon/domain/AlertRule"
import type { ChannelRecord } from "@kanmon/protocol/ChannelBody"
import { useQueries, useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { channelsQuery } from "../../../api/channels.ts"
import { useOrganization } from "../../../api/organizations.ts"
import { teamsQuery } from "../../../api/people.ts"
import { rulesQuery } from "../../../api/rules.ts"
import { projectsQuery } from "../../../api/session.ts"
import { useFirsts } from "../../../api/Parts.tsx"
import { type People, usePeople, useSchedules } from "../queries.ts"

type Channel = typeof ChannelRecord.Encoded
type Rule = typeof AlertRule.Encoded

interface Named {
  readonly id: string
  readonly name: string
}

/** The names of everything that a policy can name. */
export interface Directory {
  readonly people: People
  readonly schedules: ReadonlyArray<Named>
  readonly teams: ReadonlyArray<Named>
  /** The name of its project stands behind a channel where there are several projects. */
  readonly channels: ReadonlyArray<Named>
}

/** The projects of the organization that the visitor sees. */
const useProjects = () => {
  const organization = useOrganization()
  const { data } = useQuery(projectsQuery)
  return useMemo(
    () =>
      data
        ?.filter(({ organizationId }) => organizationId === organization?.id)
        .map(({ id, name }) => ({ id, name, headers: { "kanmon-project": id } })) ?? [],
    [data, organization]
  )
}

/** Undefined until everything is known. */
export const useDirectory = (): Directory | undefined => {
  const organization = useOrganization()
  const people = usePeople()
  const projects = useProjects()
  const { data: schedules } = useSchedules()
  const { data: teams } = useQuery({ ...teamsQuery(organization?.id ?? ""), enabled: organization !== undefined })
  const lists = useQueries({ queries: projects.map(channelsQuery) })
  if (people === undefined || schedules === undefined || teams === undefined) return undefined
  if (lists.some(({ isPending }) => isPending)) return undefined
  const channels = lists.flatMap(({ data }, index) =>
    (data ?? []).map(({ id, name }: Channel) => ({
      id,
      name: projects.length > 1 ? `${name} (${projects[index]!.name})` : name
    }))
  )
  return { people, schedules, teams, channels }
}

/** A rule with its project. */
interface Use {
  readonly rule: Rule
  readonly projectId: string
  readonly projectName: string
}

/** The rules that use each policy, of the projects that the visitor sees. */
export const useUses = (): ReadonlyArray<Use> => {
  const projects = useProjects()
  const queries = projects.map(rulesQuery)
  useFirsts(...queries)
  const lists = useQueries({ queries })
  return lists.flatMap(({ data }, index) =>
    (data ?? []).map((rule: Rule) => ({
      rule,
      projectId: projects[index]!.id as string,
      projectName: projects[index]!.name
    }))
  )
}
