/** The alert rules of a project, and the operations on them. */
import { queryOptions } from "@tanstack/react-query"
import { request } from "./request.ts"
import type { Parts } from "./routes.ts"
import type { CurrentProject } from "./session.ts"
import { keepEntry, useWrite, withoutEntry } from "./write.ts"

export const rulesQuery = ({ headers, id }: Pick<CurrentProject, "headers" | "id">) =>
  queryOptions({
    queryKey: ["rules", id],
    queryFn: ({ signal }) => request("GET /alert-rules", { query: { limit: 1000 }, project: headers, signal })
  })

type Body = Parts<"POST /alert-rules">["body"]

export const useCreateRule = (project: CurrentProject) => {
  const { queryKey } = rulesQuery(project)
  return useWrite({
    send: ({ body, idempotencyKey }: { readonly body: Body; readonly idempotencyKey?: string }) =>
      request("POST /alert-rules", { project: project.headers, body, idempotencyKey }),
    learn: (client, record) => keepEntry(client, queryKey, record, true),
    stale: [queryKey]
  })
}

export const useUpdateRule = (project: CurrentProject) => {
  const { queryKey } = rulesQuery(project)
  return useWrite({
    send: ({ body, ruleId }: { readonly ruleId: string; readonly body: Parts<"PATCH /alert-rules/:ruleId">["body"] }) =>
      request("PATCH /alert-rules/:ruleId", { params: { ruleId }, project: project.headers, body }),
    learn: (client, record) => keepEntry(client, queryKey, record, false),
    stale: [queryKey]
  })
}

export const useDeleteRule = (project: CurrentProject) => {
  const { queryKey } = rulesQuery(project)
  return useWrite({
    send: (ruleId: string) => request("DELETE /alert-rules/:ruleId", { params: { ruleId }, project: project.headers }),
    expect: withoutEntry(queryKey),
    stale: [queryKey]
  })
}
