/** The integrations of a project, and the operations on them. */
import type { Integration } from "@kanmon/domain/Integration"
import { queryOptions } from "@tanstack/react-query"
import { request } from "./request.ts"
import type { Parts } from "./routes.ts"
import type { CurrentProject } from "./session.ts"
import { useWrite, withoutEntry } from "./write.ts"

export type IntegrationRecord = typeof Integration.Encoded

export const integrationsQuery = ({ headers, id }: Pick<CurrentProject, "headers" | "id">) =>
  queryOptions({
    queryKey: ["integrations", id],
    queryFn: ({ signal }) => request("GET /integrations", { query: { limit: 1000 }, project: headers, signal })
  })

export const bodiesQuery = ({ headers, id }: Pick<CurrentProject, "headers" | "id">, integrationId: string) =>
  queryOptions({
    queryKey: ["integrations", id, "bodies", integrationId],
    queryFn: ({ signal }) =>
      request("GET /integrations/:integrationId/bodies", { params: { integrationId }, project: headers, signal })
  })

/** The answer has the address, which is shown once. */
export const useCreateIntegration = (project: CurrentProject) =>
  useWrite({
    send: (body: Parts<"POST /integrations">["body"]) =>
      request("POST /integrations", { project: project.headers, body }),
    stale: [integrationsQuery(project).queryKey]
  })

export const useRotateIntegration = (project: CurrentProject) =>
  useWrite({
    send: (integrationId: string) =>
      request("POST /integrations/:integrationId/rotate", { params: { integrationId }, project: project.headers }),
    stale: [integrationsQuery(project).queryKey]
  })

export const useDeleteIntegration = (project: CurrentProject) => {
  const { queryKey } = integrationsQuery(project)
  return useWrite({
    send: (integrationId: string) =>
      request("DELETE /integrations/:integrationId", { params: { integrationId }, project: project.headers }),
    expect: withoutEntry(queryKey),
    stale: [queryKey]
  })
}
