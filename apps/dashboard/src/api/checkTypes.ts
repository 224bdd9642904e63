/** The types of monitors that this installation has, with the schemas that forms are rendered from. */
import type { CheckTypeRecord } from "@kanmon/protocol/PluginBody"
import { queryOptions, useQuery } from "@tanstack/react-query"
import { request } from "./request.ts"

export type CheckType = CheckTypeRecord

const checkTypesQuery = queryOptions({
  queryKey: ["check-types"],
  queryFn: ({ signal }) => request("GET /plugins/check-types", { signal }),
  staleTime: Number.POSITIVE_INFINITY
})

export const useCheckTypes = () => useQuery(checkTypesQuery)
