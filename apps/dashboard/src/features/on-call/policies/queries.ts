/** What escalation policies name, and what names them: channels and rules of every project of the organization. */
import type { AlertRule } from "@kanmon/domain/AlertRule"
import type { ChannelRecord } from "@kanmon/protocol/ChannelBody"
import { queryOptions, useQueries, useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { useOrganization } from "../../../api/organizations.ts"
import { teamsQuery } from "../../../api/people.ts"
import { request } from "../../../api/request.ts"
import { projectsQuery } from "../../../api/session.ts"
import { type People, schedulesQuery, usePeople } from "../queries.ts"

type Channel = typeof ChannelRecord.Encoded
type Rule = typeof AlertRule.Encoded

const headersOf = (projectId: string) => ({ "kanmon-project": projectId })

const channelsOf = (projectId: string) =>
  queryOptions({
    queryKey: ["channels", projectId],
    queryFn: ({ signal }) =>
      request("GET /notification-channels", { query: { limit: 1000 }, project: headersOf(projectId), signal })
  })

const rulesOf = (projectId: string) =>
  queryOptions({
    queryKey: ["rules", projectId],
    queryFn: ({ signal }) =>
      request("GET /alert-rules", { query: { limit: 1000 }, project: headersOf(projectId), signal })
  })

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

const useProjects = () => {
  const organization = useOrganization()
  const { data } = useQuery(projectsQuery)
  return useMemo(
    () => data?.filter(({ organizationId }) => organizationId === organization?.id) ?? [],
    [data, organization]
  )
}

/** Undefined until everything is known. */
export const useDirectory = (): Directory | undefined => {
  const organization = useOrganization()
  const people = usePeople()
  const projects = useProjects()
  const isKnown = organization !== undefined
  const { data: schedules } = useQuery({ ...schedulesQuery(organization?.id ?? ""), enabled: isKnown })
  const { data: teams } = useQuery({ ...teamsQuery(organization?.id ?? ""), enabled: isKnown })
  const lists = useQueries({ queries: projects.map(({ id }) => channelsOf(id)) })
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
export interface Use {
  readonly rule: Rule
  readonly projectId: string
  readonly projectName: string
}

/** The rules that use each policy, of the projects that the visitor sees. */
export const useUses = (): ReadonlyArray<Use> => {
  const projects = useProjects()
  const lists = useQueries({ queries: projects.map(({ id }) => rulesOf(id)) })
  return lists.flatMap(({ data }, index) =>
    (data ?? []).map((rule: Rule) => ({
      rule,
      projectId: projects[index]!.id as string,
      projectName: projects[index]!.name
    }))
  )
}
