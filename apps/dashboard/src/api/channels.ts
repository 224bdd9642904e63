/** The notification channels of a project. */
import { queryOptions } from "@tanstack/react-query"
import { request } from "./request.ts"
import type { CurrentProject } from "./session.ts"

export const channelsQuery = ({ headers, id }: Pick<CurrentProject, "headers" | "id">) =>
  queryOptions({
    queryKey: ["channels", id],
    queryFn: ({ signal }) => request("GET /notification-channels", { query: { limit: 1000 }, project: headers, signal })
  })
