/** On-call schedules of the organization: their shifts, their overrides, and who is on call now. */
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { useOrganization } from "../../api/organizations.ts"
import { type Member, membersQuery } from "../../api/people.ts"
import { request } from "../../api/request.ts"
import { onCallKey, schedulesQuery } from "../../api/schedules.ts"
import { sessionQuery } from "../../api/session.ts"
import { useRefresh } from "../../live/refresh.ts"

export type { Gap, Layer, OnCall, Override, Schedule, Shift, Shifts } from "./types.ts"

/** Others take over and hand off without an event that a project hears. */
const often = { staleTime: 1_000, refetchInterval: 60_000 } as const

/** The schedules of the current organization. */
export const useSchedules = () => {
  const organization = useOrganization()
  return useQuery({ ...schedulesQuery(organization?.id ?? ""), ...often, enabled: organization !== undefined })
}

export const onCallQuery = (organizationId: string) =>
  queryOptions({
    queryKey: [...onCallKey, organizationId, "now"],
    queryFn: ({ signal }) =>
      request("GET /organizations/:organizationId/on-call", { params: { organizationId }, signal }),
    ...often
  })

/** The people on call now in the current organization. */
export const useOnCall = () => {
  const organization = useOrganization()
  return useQuery({ ...onCallQuery(organization?.id ?? ""), enabled: organization !== undefined })
}

/** The next shifts of the visitor, in all organizations. */
export const ownShiftsQuery = queryOptions({
  queryKey: [...onCallKey, "own"],
  queryFn: ({ signal }) => request("GET /account/shifts", { signal }),
  ...often
})

/** The shifts between two instants. */
export const shiftsQuery = (
  organizationId: string,
  scheduleId: string,
  { from, to }: { readonly from: number; readonly to: number }
) =>
  queryOptions({
    queryKey: [...onCallKey, organizationId, "shifts", scheduleId, from, to],
    queryFn: ({ signal }) =>
      request("GET /organizations/:organizationId/schedules/:scheduleId/shifts", {
        params: { organizationId, scheduleId },
        query: { from: new Date(from).toISOString(), to: new Date(to).toISOString() },
        signal
      }),
    placeholderData: keepPreviousData,
    ...often
  })

export const overridesQuery = (organizationId: string, scheduleId: string) =>
  queryOptions({
    queryKey: [...onCallKey, organizationId, "overrides", scheduleId],
    queryFn: ({ signal }) =>
      request("GET /organizations/:organizationId/schedules/:scheduleId/overrides", {
        params: { organizationId, scheduleId },
        signal
      }),
    ...often
  })

/** Asks again when somebody is handed off. */
export const useHandoffs = (): void => useRefresh(onCallKey, ({ type }) => type.startsWith("kanmon.on-call."))

/** The people of the organization, as schedules need them. */
export interface People {
  readonly members: ReadonlyArray<Member>
  /** The account of the visitor. */
  readonly ownId: string | undefined
  readonly nameOf: (userId: string) => string | undefined
}

/** The people of the current organization; undefined until they are known. */
export const usePeople = (): People | undefined => {
  const organization = useOrganization()
  const { data: members } = useQuery({
    ...membersQuery(organization?.id ?? ""),
    enabled: organization !== undefined
  })
  const { data: session } = useQuery(sessionQuery)
  const ownId = session?.user.id
  return useMemo(() => {
    if (members === undefined) return undefined
    const names = new Map(members.map(({ name, userId }) => [userId as string, name]))
    return { members, ownId, nameOf: (userId) => names.get(userId) }
  }, [members, ownId])
}
