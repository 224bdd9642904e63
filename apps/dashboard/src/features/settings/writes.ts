/** Operations on the project and its keys. */
import { request } from "../../api/request.ts"
import type { Parts } from "../../api/routes.ts"
import { giveUp, projectsQuery } from "../../api/session.ts"
import { keepEntry, useWrite } from "../../api/write.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { keysQuery } from "./queries.ts"

export const useUpdateProject = () => {
  const { headers, id: projectId } = useProjectData().project
  return useWrite({
    send: (body: Parts<"PATCH /projects/:projectId">["body"]) =>
      request("PATCH /projects/:projectId", { params: { projectId }, project: headers, body }),
    learn: (client, project) => keepEntry(client, projectsQuery.queryKey, project, false)
  })
}

export const useDeleteProject = (leave: () => unknown) => {
  const { headers, id: projectId } = useProjectData().project
  return useWrite({
    send: () => {
      giveUp(projectId)
      return request("DELETE /projects/:projectId", { params: { projectId }, project: headers })
    },
    leave,
    learn: (client) =>
      client.setQueryData(projectsQuery.queryKey, (known) => known?.filter(({ id }) => id !== projectId))
  })
}

export const useCreateKey = () => {
  const { project } = useProjectData()
  return useWrite({
    send: (body: Parts<"POST /projects/:projectId/api-keys">["body"]) =>
      request("POST /projects/:projectId/api-keys", {
        params: { projectId: project.id },
        project: project.headers,
        body
      }),
    // The secret is shown once and not kept.
    learn: (client, { apiKey: _, ...key }) => keepEntry(client, keysQuery(project).queryKey, key, true)
  })
}

export const useDeleteKey = () => {
  const { project } = useProjectData()
  return useWrite({
    send: (keyId: string) =>
      request("DELETE /projects/:projectId/api-keys/:keyId", {
        params: { projectId: project.id, keyId },
        project: project.headers
      }),
    learn: (client, _, keyId) =>
      client.setQueryData(keysQuery(project).queryKey, (known) => known?.filter(({ id }) => id !== keyId))
  })
}

/** Replaces the project's own key. */
export const useRotateKey = () => {
  const { headers, id: projectId } = useProjectData().project
  return useWrite({
    send: () => request("POST /projects/:projectId/api-key", { params: { projectId }, project: headers }),
    learn: (client, { apiKey }) =>
      client.setQueryData(projectsQuery.queryKey, (known) =>
        known?.map((each) => (each.id === projectId ? { ...each, apiKey } : each))
      )
  })
}
