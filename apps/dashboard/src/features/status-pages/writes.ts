/** Operations on status pages. */
import { request } from "../../api/request.ts"
import type { Parts } from "../../api/routes.ts"
import { keepEntry, useWrite, withoutEntry } from "../../api/write.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { statusPagesQuery } from "./queries.ts"

export const useCreatePage = () => {
  const { project } = useProjectData()
  return useWrite({
    send: (body: Parts<"POST /status-pages">["body"]) =>
      request("POST /status-pages", { project: project.headers, body }),
    learn: (client, record) => keepEntry(client, statusPagesQuery(project).queryKey, record, true)
  })
}

export const useUpdatePage = () => {
  const { project } = useProjectData()
  return useWrite({
    send: ({
      body,
      statusPageId
    }: {
      readonly statusPageId: string
      readonly body: Parts<"PATCH /status-pages/:statusPageId">["body"]
    }) => request("PATCH /status-pages/:statusPageId", { params: { statusPageId }, project: project.headers, body }),
    learn: (client, record) => keepEntry(client, statusPagesQuery(project).queryKey, record, false)
  })
}

export const useDeletePage = () => {
  const { project } = useProjectData()
  const { queryKey } = statusPagesQuery(project)
  return useWrite({
    send: (statusPageId: string) =>
      request("DELETE /status-pages/:statusPageId", { params: { statusPageId }, project: project.headers }),
    expect: withoutEntry(queryKey),
    stale: [queryKey]
  })
}
