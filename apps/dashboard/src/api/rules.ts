/** The alert rules of a project. */
import { queryOptions } from "@tanstack/react-query"
import { request } from "./request.ts"
import type { CurrentProject } from "./session.ts"

export const rulesQuery = ({ headers, id }: Pick<CurrentProject, "headers" | "id">) =>
  queryOptions({
    queryKey: ["rules", id],
    queryFn: ({ signal }) => request("GET /alert-rules", { query: { limit: 1000 }, project: headers, signal })
  })
