/** How the visitor is reached when they are on call: their contact methods, and which of them are used when. */
import { queryOptions } from "@tanstack/react-query"
import { request } from "../../api/request.ts"

export type { Entry, Method, Rules } from "./types.ts"

export const methodsQuery = queryOptions({
  queryKey: ["contact", "methods"],
  queryFn: ({ signal }) => request("GET /account/contact-methods", { signal }),
  // A delivery changes them without an event.
  staleTime: 1_000
})

export const notificationRulesQuery = queryOptions({
  queryKey: ["contact", "rules"],
  queryFn: ({ signal }) => request("GET /account/notification-rules", { signal }),
  staleTime: 1_000
})

export const quietHoursQuery = queryOptions({
  queryKey: ["contact", "quiet-hours"],
  queryFn: ({ signal }) => request("GET /account/quiet-hours", { signal }),
  staleTime: 1_000
})

/** How often a test that runs is looked at: deliveries make no event that the dashboard follows. */
const whileTesting = 2_000

export const pageTestsQuery = queryOptions({
  queryKey: ["contact", "page-tests"],
  queryFn: ({ signal }) => request("GET /account/page-tests", { signal }),
  staleTime: 1_000,
  refetchInterval: ({ state }) => (state.data?.[0]?.state === "running" ? whileTesting : false)
})
