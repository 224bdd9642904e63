/** The notification channels of a project, and the operations on them. */
import { queryOptions } from "@tanstack/react-query"
import { request } from "./request.ts"
import type { Parts } from "./routes.ts"
import type { CurrentProject } from "./session.ts"
import { keepDelivery, keepEntry, useWrite, withoutEntry } from "./write.ts"

export const channelsQuery = ({ headers, id }: Pick<CurrentProject, "headers" | "id">) =>
  queryOptions({
    queryKey: ["channels", id],
    queryFn: ({ signal }) => request("GET /notification-channels", { query: { limit: 1000 }, project: headers, signal })
  })

export const useCreateChannel = (project: CurrentProject) => {
  const { queryKey } = channelsQuery(project)
  return useWrite({
    send: ({
      body,
      idempotencyKey
    }: {
      readonly body: Parts<"POST /notification-channels">["body"]
      readonly idempotencyKey?: string
    }) => request("POST /notification-channels", { project: project.headers, body, idempotencyKey }),
    learn: (client, record) => keepEntry(client, queryKey, record, true),
    stale: [queryKey]
  })
}

export const useUpdateChannel = (project: CurrentProject) => {
  const { queryKey } = channelsQuery(project)
  return useWrite({
    send: ({
      body,
      channelId
    }: {
      readonly channelId: string
      readonly body: Parts<"PATCH /notification-channels/:channelId">["body"]
    }) => request("PATCH /notification-channels/:channelId", { params: { channelId }, project: project.headers, body }),
    learn: (client, record) => keepEntry(client, queryKey, record, false),
    stale: [queryKey]
  })
}

export const useDeleteChannel = (project: CurrentProject) => {
  const { queryKey } = channelsQuery(project)
  return useWrite({
    send: (channelId: string) =>
      request("DELETE /notification-channels/:channelId", { params: { channelId }, project: project.headers }),
    expect: withoutEntry(queryKey),
    stale: [queryKey, ["rules", project.id]]
  })
}

/** Sends a test notification; the answer is what the provider said. */
export const useTestChannel = (project: CurrentProject) => {
  const { queryKey } = channelsQuery(project)
  return useWrite({
    send: (channelId: string) =>
      request("POST /notification-channels/:channelId/test", { params: { channelId }, project: project.headers }),
    learn: (client, tested, channelId) => keepDelivery(client, queryKey, channelId, tested),
    stale: [queryKey]
  })
}
