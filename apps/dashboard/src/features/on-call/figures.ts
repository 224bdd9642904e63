/** The figures of on-call duty: pages, nights and times of a period. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import { call, request } from "../../api/request.ts"
import { onCallKey } from "../../api/schedules.ts"
import { instantsOf } from "./timeline.ts"

interface Days {
  readonly from: string
  readonly to: string
}

export const figuresQuery = (organizationId: string, days: Days) =>
  queryOptions({
    queryKey: [...onCallKey, organizationId, "figures", days.from, days.to],
    queryFn: ({ signal }) =>
      request("GET /organizations/:organizationId/analytics/on-call", {
        params: { organizationId },
        query: instantsOf(days),
        signal
      }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    retry: false
  })

/** The table of people as CSV. */
export const figuresCsv = async (organizationId: string, days: Days): Promise<Blob> => {
  const response = await call("GET /organizations/:organizationId/analytics/on-call", {
    params: { organizationId },
    query: instantsOf(days),
    accept: "text/csv"
  })
  return response.blob()
}
