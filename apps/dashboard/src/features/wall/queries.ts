/** The content of a wall: the summaries of all monitors, requested with the key of the address. */
import { queryOptions, type QueryClient } from "@tanstack/react-query"
import { type Loaded, loadSummaries } from "../../live/summaries.ts"

const refetchInterval = 10_000

export const wallQuery = (client: QueryClient, key: string) => {
  const queryKey = ["wall", key] as const
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }): Promise<Loaded> => {
      const known = client.getQueryData<Loaded>(queryKey)
      return (await loadSummaries({ "x-api-key": key }, known?.etag ?? null, signal)) ?? known!
    },
    refetchInterval,
    // A screen without a person in front of it counts as hidden in some browsers.
    refetchIntervalInBackground: true,
    staleTime: 0
  })
}
