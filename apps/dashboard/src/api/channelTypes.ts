/** The types of channels that this installation has, with the schemas that forms are rendered from. */
import { queryOptions, useQuery } from "@tanstack/react-query"
import { request } from "./request.ts"

const channelTypesQuery = queryOptions({
  queryKey: ["channel-types"],
  queryFn: ({ signal }) => request("GET /plugins/channel-types", { signal }),
  staleTime: Number.POSITIVE_INFINITY
})

export const useChannelTypes = () => useQuery(channelTypesQuery)
