/** Operations on one monitor. The answer goes into the store of the project, which pages and lists show. */
import { inOrder } from "../api/inOrder.ts"
import { request } from "../api/request.ts"
import type { Parts } from "../api/routes.ts"
import { useWrite } from "../api/write.ts"
import { useProjectData } from "./ProjectData.tsx"

export const useCreateMonitor = () => {
  const { project, store } = useProjectData()
  return useWrite({
    send: ({
      body,
      idempotencyKey
    }: {
      readonly body: Parts<"POST /monitors">["body"]
      readonly idempotencyKey?: string
    }) => request("POST /monitors", { project: project.headers, body, idempotencyKey }),
    learn: (_, record) => store.put(record)
  })
}

/** Many with one request: all of them, or none. */
export const useCreateMonitors = () => {
  const { project, store } = useProjectData()
  return useWrite({
    send: (monitors: Parts<"POST /monitors/batch">["body"]["monitors"]) =>
      request("POST /monitors/batch", { project: project.headers, body: { monitors } }),
    learn: (_, records) => {
      for (const record of records) store.learn(record)
    }
  })
}

export const useUpdateMonitor = (monitorId: string) => {
  const { project, store } = useProjectData()
  return useWrite({
    send: (body: Parts<"PATCH /monitors/:monitorId">["body"]) =>
      request("PATCH /monitors/:monitorId", { params: { monitorId }, project: project.headers, body }),
    learn: (_, record) => store.put(record)
  })
}

/** Pauses a monitor, or resumes it. A list may pause it together with others, so all of these keep one order. */
export const usePauseMonitor = (monitorId: string) => {
  const { project, store } = useProjectData()
  return useWrite({
    send: (paused: boolean) =>
      inOrder([monitorId], async () => {
        const undo = store.patch(monitorId, { status: paused ? "paused" : "pending" }, { paused })
        try {
          return await request("PATCH /monitors/:monitorId", {
            params: { monitorId },
            project: project.headers,
            body: { paused }
          })
        } catch (error) {
          undo()
          throw error
        }
      }),
    learn: (_, record) => store.put(record)
  })
}

/** Checks a monitor in its regions, now. */
export const useCheckMonitor = (monitorId: string) => {
  const { project, store } = useProjectData()
  return useWrite({
    send: async () => {
      const options = { params: { monitorId }, project: project.headers }
      await request("POST /monitors/:monitorId/check", options)
      store.put(await request("GET /monitors/:monitorId", options))
    },
    stale: [["monitor", project.id, monitorId]]
  })
}

export const useDeleteMonitor = (monitorId: string, leave: () => unknown) => {
  const { project, store } = useProjectData()
  return useWrite({
    send: () => request("DELETE /monitors/:monitorId", { params: { monitorId }, project: project.headers }),
    // The list is opened without it.
    learn: () => {
      store.remove(monitorId)
      return leave()
    }
  })
}
