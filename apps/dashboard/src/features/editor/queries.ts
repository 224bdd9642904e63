/** The regions that a monitor can be checked from. */
import { queryOptions } from "@tanstack/react-query"
import { request } from "../../api/request.ts"
import type { CurrentProject } from "../../api/session.ts"

export const regionsQuery = ({ headers, id }: CurrentProject) =>
  queryOptions({
    queryKey: ["regions", id],
    queryFn: ({ signal }) => request("GET /regions", { project: headers, signal })
  })
