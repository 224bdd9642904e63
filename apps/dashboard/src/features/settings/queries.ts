/** The keys of a project. */
import type { ApiKey } from "@kanmon/domain/ApiKey"
import type { CreatedApiKey } from "@kanmon/protocol/ApiKeysApi"
import { queryOptions } from "@tanstack/react-query"
import { request } from "../../api/request.ts"
import type { CurrentProject } from "../../api/session.ts"

export type Key = typeof ApiKey.Encoded
export type NewKey = typeof CreatedApiKey.Encoded

export const keysQuery = (project: CurrentProject) =>
  queryOptions({
    queryKey: ["api-keys", project.id],
    queryFn: ({ signal }) =>
      request("GET /projects/:projectId/api-keys", {
        params: { projectId: project.id },
        query: { limit: 100 },
        project: project.headers,
        signal
      })
  })
