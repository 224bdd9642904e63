/** The state of an installation: the health of its parts, its plugins, and its events. */
import type { Health } from "@kanmon/protocol/HealthBody"
import type { RegionState } from "@kanmon/protocol/RegionBody"
import { queryOptions } from "@tanstack/react-query"
import { ApiError } from "../../api/problem.ts"
import { errorOf } from "../../api/refusal.ts"
import { request, send } from "../../api/request.ts"

export type HealthRecord = typeof Health.Encoded
export type RegionRecord = typeof RegionState.Encoded
export type ProbeRecord = RegionRecord["probes"][number]

const refetchInterval = 10_000
const newest = 20

/** Also when it is bad news, which comes with a status of 503. */
export const healthQuery = queryOptions({
  queryKey: ["health"],
  queryFn: async ({ signal }): Promise<HealthRecord> => {
    const response = await send("GET /health", { signal })
    if (!response.ok && response.status !== 503) throw await errorOf(response)
    return (await response.json()) as HealthRecord
  },
  refetchInterval
})

export const pluginsQuery = queryOptions({
  queryKey: ["plugins"],
  queryFn: ({ signal }) => request("GET /plugins", { signal }),
  staleTime: Number.POSITIVE_INFINITY
})

/** Null where only administrators may look. */
const forAdministrators = async <A>(answer: Promise<A>): Promise<A | null> => {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return null
    throw error
  }
}

/** The newest changes that belong to no project; null for those who are no administrators. */
export const changesQuery = queryOptions({
  queryKey: ["audit-log", "installation"],
  queryFn: ({ signal }) =>
    forAdministrators(request("GET /audit-log/installation", { query: { limit: newest }, signal })),
  retry: false
})

/** The regions with their probes; null for those who are no administrators. */
export const regionsQuery = queryOptions({
  queryKey: ["regions", "probes"],
  queryFn: ({ signal }) => forAdministrators(request("GET /regions/probes", { signal })),
  refetchInterval: ({ state }) => (state.data === null ? false : refetchInterval),
  retry: false
})
