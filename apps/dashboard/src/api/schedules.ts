/** The on-call schedules of an organization. */
import { queryOptions } from "@tanstack/react-query"
import { request } from "./request.ts"

/** Everything about on-call begins with it. */
export const onCallKey = ["on-call"] as const

export const schedulesQuery = (organizationId: string) =>
  queryOptions({
    queryKey: [...onCallKey, organizationId, "schedules"],
    queryFn: ({ signal }) =>
      request("GET /organizations/:organizationId/schedules", { params: { organizationId }, signal })
  })
